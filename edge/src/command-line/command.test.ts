import { expect, test } from 'vitest';
import { readCommand } from './command.ts';
import { COMMANDS } from './command-list.ts';

function commandOf(line: string): unknown {
  const reading = readCommand(line.split(' ').filter(Boolean));
  return reading.ok ? reading.command : reading.mistake;
}

const PARSE = { kind: 'camera-parse', json: true, serial: null, contentType: null, timeZone: null };

test('every command takes --text and --json, and prints JSON by itself where scripts use it first', () => {
  const given = {
    'camera parse': '--format axis x',
    'camera snapshot': 'c',
    'camera watch': 'c',
    enrol: 'CODE',
  };
  const json = COMMANDS.map(({ name, operands }) => {
    const known: Record<string, string> = given;
    const words = known[name] ?? (operands === '' ? '' : 'ab');
    const said = ['', '--text', '--json'].map((option) => commandOf(`${name} ${words} ${option}`));
    expect(said).toMatchObject([{ json: expect.any(Boolean) }, { json: false }, { json: true }]);
    return { name, said: said[0] };
  });
  expect(
    json.filter(({ said }) => JSON.stringify(said).includes('"json":true')).map(({ name }) => name),
  ).toEqual([
    ...['camera discover', 'camera parse', 'camera watch'],
    ...['terminal status', 'terminal diagnose', 'terminal decode', 'gate pulse'],
  ]);
});

test('nothing is the daemon', () => {
  expect(commandOf('')).toEqual({ kind: 'daemon' });
});

test.each([
  ['--help', { kind: 'help', about: null }],
  ['-h', { kind: 'help', about: null }],
  ['help', { kind: 'help', about: null }],
  ['camera --help', { kind: 'help', about: null }],
  ['camera parse --help', { kind: 'help', about: 'camera parse' }],
  ['help camera parse', { kind: 'help', about: 'camera parse' }],
  ['enrol --help --json', { kind: 'help', about: 'enrol' }],
  ['--version', { kind: 'version' }],
  ['config check', { kind: 'config-check', json: false }],
  ['status --json', { kind: 'status', json: true }],
  [
    'enrol k7qf3m2x --cloud https://p.example',
    { kind: 'enrol', json: false, code: 'k7qf3m2x', cloud: 'https://p.example', replace: false },
  ],
  [
    'enrol K7QF-3M2X --replace',
    { kind: 'enrol', json: false, code: 'K7QF-3M2X', cloud: null, replace: true },
  ],
  ['camera parse --format open-alpr read.json', { ...PARSE, format: 'open-alpr', file: 'read.json' }],
  ['camera parse read.json', { ...PARSE, format: null, file: 'read.json' }],
  [
    'camera parse - --format=survision --serial 4711 --time-zone Europe/Berlin --content-type a/b',
    {
      ...PARSE,
      format: 'survision',
      file: '-',
      serial: '4711',
      timeZone: 'Europe/Berlin',
      contentType: 'a/b',
    },
  ],
  ['camera discover', { kind: 'camera-discover', json: true, seconds: null }],
  ['camera try-again', { kind: 'try-again', json: false, device: null }],
  [
    'camera try-again cam-1 --json',
    { kind: 'try-again', json: true, device: { kind: 'camera', id: 'cam-1' } },
  ],
  ['gate try-again in-1', { kind: 'try-again', json: false, device: { kind: 'gate', id: 'in-1' } }],
  ['camera discover --text --seconds 2.5', { kind: 'camera-discover', json: false, seconds: 2.5 }],
])('%s', (line, command) => {
  expect(commandOf(line)).toEqual(command);
});

test.each([
  ['gate list', { kind: 'gate-list', json: false }],
  ['gate list --text', { kind: 'gate-list', json: false }],
  [
    'gate pulse in-1',
    { kind: 'gate-move', action: 'open', laneId: 'in-1', why: 'by a technician', json: true },
  ],
  [
    'gate pulse in-1 --text',
    { kind: 'gate-move', action: 'open', laneId: 'in-1', why: 'by a technician', json: false },
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
  ['gate open in-1', /there is no command "gate open in-1"; there are: gate list, gate pulse/],
  ['frobnicate', /there is no command "frobnicate"$/],
  ['camera', /there is no command "camera"; there are: camera discover/],
  ['camera prase x', /did you mean camera parse\?/],
  ['gate relase', /did you mean gate release\?/],
  ['stauts', /did you mean status\?/],
  ['help enroll', /did you mean enrol\?/],
  ['enrol', /needs the CODE/],
  ['enrol A B', /not also B/],
  ['enrol K7QF-3M2X --cloud parking', /--cloud is an address/],
  ['enrol K7QF-3M2X --clod https://p', /no option --clod; did you mean --cloud\?/],
  ['status in-1', /takes no names/],
  ['status --text --json', /either --text or --json/],
  ['gate try-again in-1 in-2', /one LANE, not also in-2/],
  ['--json', /--json belongs to a command/],
  ['camera parse --format survision --time-zone Mars/Olympus x', /IANA zone/],
  ['camera parse --format hikvison x', /did you mean hikvision\?/],
  ['camera watch', /camera watch needs a CAMERA/],
  ['config check now', /config check takes no names, not now/],
  ['camera parse --format open-alpr', /needs a FILE/],
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
