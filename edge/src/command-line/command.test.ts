import { expect, test } from 'vitest';
import { readCommand } from './command.ts';

function commandOf(line: string): unknown {
  const reading = readCommand(line.split(' ').filter(Boolean));
  return reading.ok ? reading.command : reading.mistake;
}

test('nothing is the daemon', () => {
  expect(commandOf('')).toEqual({ kind: 'daemon' });
});

test.each([
  ['--help', { kind: 'help' }],
  ['-h', { kind: 'help' }],
  ['help', { kind: 'help' }],
  ['camera parse --help', { kind: 'help' }],
  ['--version', { kind: 'version' }],
  ['config check', { kind: 'config-check' }],
  [
    'camera parse --format open-alpr read.json',
    { kind: 'camera-parse', format: 'open-alpr', file: 'read.json', serial: null },
  ],
  [
    'camera parse - --format=survision --serial 4711',
    { kind: 'camera-parse', format: 'survision', file: '-', serial: '4711' },
  ],
])('%s', (line, command) => {
  expect(commandOf(line)).toEqual(command);
});

test.each([
  ['gate list', { kind: 'gate-list', json: false }],
  [
    'gate pulse in-1',
    { kind: 'gate-move', action: 'open', laneId: 'in-1', why: 'by a technician', json: true },
  ],
  [
    'gate hold --all --why fire',
    { kind: 'gate-move', action: 'hold', laneId: null, why: 'fire', json: false },
  ],
  [
    'gate close out-1 --json',
    { kind: 'gate-move', action: 'close', laneId: 'out-1', why: 'by a technician', json: true },
  ],
])('%s', (line, command) => {
  expect(commandOf(line)).toEqual(command);
});

test.each([
  ['gate pulse', /gate pulse needs a LANE; gate list/],
  ['gate pulse --all', /--all belongs to gate hold, gate close, gate release/],
  ['gate hold', /needs a LANE, or --all/],
  ['gate hold in-1 --all', /not both/],
  ['gate release in-1 in-2', /not also in-2/],
  ['gate open in-1', /there is no command "gate open in-1"/],
  ['frobnicate', /there is no command "frobnicate"/],
  ['camera', /there is no command "camera"/],
  ['camera watch', /camera watch needs a CAMERA/],
  ['config check now', /there is no command "config check now"/],
  ['camera parse --format open-alpr', /needs a FILE/],
  ['camera parse read.json', /needs --format, one of: open-alpr, survision/],
  ['camera parse --format toaster read.json', /no format toaster; there are: open-alpr, survision/],
  ['camera parse --format toString read.json', /no format toString/],
  ['camera parse --format survision a b', /not also b/],
  ['config check --format survision', /--format belongs to camera parse/],
  ['camera discover --out x', /--out belongs to camera snapshot/],
  ['camera discover --seconds soon', /number of seconds/],
  ['camera watch a b', /not also b/],
  ['--loud', /--loud/],
  ['camera parse --format', /--format/],
])('%s is wrong usage', (line, mistake) => {
  expect(commandOf(line)).toMatch(mistake);
});
