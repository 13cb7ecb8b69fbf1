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
  ['frobnicate', /there is no command "frobnicate"/],
  ['camera', /there is no command "camera"/],
  ['camera watch', /there is no command "camera watch"/],
  ['config check now', /there is no command "config check now"/],
  ['camera parse --format open-alpr', /needs a FILE/],
  ['camera parse read.json', /needs --format, one of: open-alpr, survision/],
  ['camera parse --format toaster read.json', /no format toaster; there are: open-alpr, survision/],
  ['camera parse --format toString read.json', /no format toString/],
  ['camera parse --format survision a b', /not also b/],
  ['config check --format survision', /--format belongs to camera parse/],
  ['--loud', /--loud/],
  ['camera parse --format', /--format/],
])('%s is wrong usage', (line, mistake) => {
  expect(commandOf(line)).toMatch(mistake);
});
