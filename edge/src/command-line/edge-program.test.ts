import { readProgram } from '@hlid/protocol/command-line/program';
import { expect, test } from 'vitest';
import { EDGE_PROGRAM } from './edge-program.ts';

const read = (line: string) => readProgram(EDGE_PROGRAM, line.split(' ').filter(Boolean));

/** The options and operand that a command gets in a pipe. */
function givenOf(line: string): unknown {
  const reading = read(line);
  return reading.kind === 'run' ? { command: reading.command, ...reading.given(false) } : reading;
}

function mistakesOf(line: string): string {
  const reading = read(line);
  return reading.kind === 'wrong' ? reading.mistakes.join('\n') : `no mistake: ${reading.kind}`;
}

const NAMED = EDGE_PROGRAM.commands.filter(({ name }) => name !== '');
/** The operands that commands need beside their name. */
const NEEDED: Readonly<Record<string, string>> = { LANE: 'in-1', 'LANE | --all': '--all' };
/** The options without which a command is refused. */
const REQUIRED: Readonly<Record<string, string>> = { restore: '--key-file key.txt' };

test.each(NAMED)(
  '$name prints JSON in a pipe and words on a terminal, and takes --text and --json',
  (command) => {
    const { name, operandWord } = command;
    const line =
      `${name} ${operandWord === '' ? '' : (NEEDED[operandWord] ?? 'ab')} ${REQUIRED[name] ?? ''}`.trim();
    const jsonOf = (options: string, isTerminal: boolean) => {
      const reading = read(`${line} ${options}`);
      return reading.kind === 'run' ? reading.given(isTerminal) : reading;
    };
    // A key that is written into a file is no result for a script.
    const keepsWords = command.options['text'] === undefined;
    expect([jsonOf('', false), jsonOf('', true)]).toMatchObject([{ json: !keepsWords }, { json: false }]);
    expect(jsonOf('--json', true)).toMatchObject({ json: true });
    if (!keepsWords) expect(jsonOf('--text', false)).toMatchObject({ json: false });
  },
);

test('nothing is the daemon', () => {
  expect(read('')).toMatchObject({ kind: 'run', command: '' });
});

test.each([
  ['--help', /^hlid-edge: /],
  ['-h', /^hlid-edge: /],
  ['help', /^hlid-edge: /],
  ['camera --help', /^hlid-edge: /],
  ['camera parse --help', /^camera parse: /],
  ['help camera parse', /^camera parse: /],
  ['enrol --help --json', /^enrol: /],
  ['--version', /^hlid-edge\/\d/],
  ['gate pulse --version', /^hlid-edge\/\d/],
])('%s is answered, whatever else is missing', (line, text) => {
  expect(read(line)).toMatchObject({ text: expect.stringMatching(text) });
});

const PARSE = { format: null, serial: null, 'content-type': null, 'time-zone': null };

test.each([
  ['config check', { command: 'config check', operand: null }],
  ['status --json', { command: 'status', json: true }],
  [
    'enrol k7qf3m2x --cloud https://p.example',
    { command: 'enrol', operand: 'k7qf3m2x', options: { cloud: 'https://p.example', replace: false } },
  ],
  ['enrol K7QF-3M2X --replace', { operand: 'K7QF-3M2X', options: { cloud: null, replace: true } }],
  [
    'camera parse --format Open-ALPR read.json',
    { command: 'camera parse', operand: 'read.json', options: { ...PARSE, format: 'open-alpr' } },
  ],
  ['camera parse read.json', { operand: 'read.json', options: PARSE }],
  [
    'camera parse - --format=survision --serial 4711 --time-zone Europe/Berlin --content-type a/b',
    {
      operand: '-',
      options: {
        format: 'survision',
        serial: '4711',
        'time-zone': 'Europe/Berlin',
        'content-type': 'a/b',
      },
    },
  ],
  ['camera discover', { options: { seconds: null } }],
  ['camera discover --text --seconds 2.5', { json: false, options: { seconds: 2.5 } }],
  ['camera try-again', { operand: null }],
  ['camera try-again cam-1 --json', { command: 'camera try-again', operand: 'cam-1' }],
  ['gate try-again in-1', { command: 'gate try-again', operand: 'in-1' }],
  ['gate list', { command: 'gate list', operand: null }],
  ['gate pulse in-1', { command: 'gate pulse', operand: 'in-1', options: { reason: null } }],
  ['gate hold --all --reason fire', { operand: null, options: { all: true, reason: 'fire' } }],
  ['gate close --reason snow out-1', { operand: 'out-1', options: { all: false, reason: 'snow' } }],
])('%s', (line, given) => {
  expect(givenOf(line)).toMatchObject(given);
});

test('all mistakes of a line are named at once', () => {
  expect(mistakesOf('camera parse --format toaster --time-zone Mars --loud').split('\n')).toEqual([
    'there is no option --loud',
  ]);
  expect(mistakesOf('camera parse --format toaster --time-zone Mars').split('\n')).toHaveLength(3);
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
  ['enrol', /needs a CODE, which an operator creates/],
  ['enrol A B', /not also B/],
  ['enrol K7QF-3M2X --cloud parking', /--cloud is an address such as https:.* \(written: “parking”\)/],
  ['enrol K7QF-3M2X --clod https://p', /no option --clod; did you mean --cloud\?/],
  ['status in-1', /takes no names/],
  ['status --text --json', /either --text or --json/],
  ['gate try-again in-1 in-2', /one LANE, not also in-2/],
  ['--json', /--json belongs to a command/],
  ['--hepl', /there is no option --hepl; did you mean --help\?/],
  ['gate list --all=yes --reason x', /--all belongs to gate hold[\s\S]*--reason belongs to gate pulse/],
  ['gate hold --all=yes', /--all takes no value/],
  ['gate list -x', /there is no option -x/],
  ['camera watch --seconds --text', /--seconds needs a value/],
  ['camera parse --format survision --time-zone Mars/Olympus x', /IANA zone/],
  ['camera parse --format hikvison x', /written: “hikvison”; did you mean “hikvision”\?/],
  ['camera watch', /camera watch needs a CAMERA/],
  ['config check now', /config check takes no names, not now/],
  ['camera parse --format open-alpr', /needs a FILE/],
  [
    'camera parse --format toaster read.json',
    /--format must be one of open-alpr, survision.* \(written: “toaster”\)/,
  ],
  ['camera parse --format toString read.json', /--format must be one of .* \(written: “toString”\)/],
  ['camera parse --format survision a b', /not also b/],
  ['config check --format survision', /--format belongs to camera parse/],
  ['camera discover --out x', /--out belongs to camera snapshot/],
  ['camera discover --seconds soon', /number of seconds, such as 5 \(written: “soon”\)/],
  ['camera watch a b', /not also b/],
  ['--loud', /--loud/],
  ['camera parse --format', /--format/],
])('%s is wrong usage', (line, mistake) => {
  expect(mistakesOf(line)).toMatch(mistake);
});
