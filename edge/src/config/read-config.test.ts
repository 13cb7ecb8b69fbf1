import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isFault } from '@hlid/protocol/base/fault';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from './read-config.ts';

const GOOD = `# A small car park
site: { name: Demo, timeZone: Atlantic/Reykjavik, currency: ISK }
cloud: { httpUrl: http://127.0.0.1:8080, mqttUrl: mqtt://127.0.0.1:1883, siteId: site-1, secret: abc }
cameras:
  - id: cam-in-1
    lane: in-1
    token: some-secret-word
    settings: { minimumOcrScore: 0.8 }
lanes:
  - id: in-1
    name: Entrance 1
    direction: entry
    gate: { kind: http, mode: pulse, open: { method: POST, url: 'http://127.0.0.1:9001/relay/1/pulse' } }
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-config-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

function read(yaml: string, environment: Record<string, string> = {}) {
  writeFileSync(join(folder, 'edge.yaml'), yaml);
  return readConfig({ HLID_DATA_DIR: folder, ...environment });
}

function mistakesOf(yaml: string, environment: Record<string, string> = {}): unknown {
  try {
    read(yaml, environment);
  } catch (error) {
    if (isFault(error, 'config-invalid')) return error.details['mistakes'];
    throw error;
  }
  return 'no mistake';
}

test('a good file is read, and what it leaves out has its usual value', () => {
  const config = read(GOOD, { HLID_EDGE_PORT: '0', HLID_CAMERA_PORT: '' });
  expect(config).toMatchObject({
    dataDir: folder,
    edgePort: 0,
    cameraPort: 7071,
    cameraHost: '0.0.0.0',
    logLevel: 'info',
    site: { settings: { opensUnreadable: true, passageWindowMs: 8000 } },
    cameras: [{ opensOnGroup: false, settings: { minimumOcrScore: 0.8, status: 'active', filters: [] } }],
    lanes: [{ gate: { mode: 'pulse', timeoutMs: 2000 } }],
  });
});

test('a site without a cloud runs alone', () => {
  expect(read(GOOD.replace(/^cloud:.*\n/m, '')).cloud).toBeNull();
});

test('all mistakes are named at once, with key and line', () => {
  const yaml = GOOD.replace('currency: ISK', 'currency: kr')
    .replace('token: some-secret-word', 'token: 12345678')
    .replace('lane: in-1', 'lane: in-7')
    .replace('    name: Entrance 1\n', '')
    .replace('minimumOcrScore', 'minimumScore');
  const mistakes = mistakesOf(yaml, { HLID_EDGE_PORT: '70700', HLID_LOG_LEVEL: 'loud' });
  expect(mistakes).toEqual([
    expect.stringMatching(/^HLID_EDGE_PORT: a port.*\(written: “70700”\)$/),
    expect.stringMatching(/^HLID_LOG_LEVEL: must be one of fatal, .*\(written: “loud”\)$/),
    expect.stringMatching(/^line 2: site.currency: a currency is three capital letters/),
    'line 7: cameras[0].token: must be text; put it in quotes',
    'line 8: cameras[0].settings.minimumScore: there is no such setting; did you mean minimumOcrScore?',
    'line 10: lanes[0].name: is required',
  ]);
});

test('what fits the schema and not together is a mistake too', () => {
  expect(mistakesOf(GOOD.replace('lane: in-1', 'lane: in-7'))).toEqual([
    'line 6: cameras[0].lane: there is no lane in-7',
  ]);
});

test('one camera may look at several lanes, each by its zone or direction', () => {
  const split = (lanes: string) => GOOD.replace('lane: in-1', `lanes: [${lanes}]`);
  const good = split('{ lane: in-1, zone: 1 }, { lane: in-1, zone: "2", direction: leaving }');
  expect(read(good).cameras).toMatchObject([
    {
      lane: 'in-1',
      lanes: [
        { lane: 'in-1', zone: '1' },
        { lane: 'in-1', zone: '2', direction: 'leaving' },
      ],
    },
  ]);
  expect(mistakesOf(split('{ lane: in-7, zone: 1 }'))).toEqual([
    'line 6: cameras[0].lanes[0].lane: there is no lane in-7',
  ]);
  expect(mistakesOf(split('{ lane: in-1, zone: 1 }, { lane: in-1, zone: 1 }'))).toEqual([
    'line 6: cameras[0].lanes[1]: the same zone and direction as lanes[0]: which of the two is it?',
  ]);
  const one = [
    expect.stringMatching(
      /^line \d: cameras\[0\]\.lane: the lane that it looks at; or lanes, .* not both( \(written: “in-1”\))?$/,
    ),
  ];
  const both = GOOD.replace('    lane: in-1\n', '    lane: in-1\n    lanes: [{ lane: in-1 }]\n');
  expect(mistakesOf(both)).toEqual(one);
  expect(mistakesOf(GOOD.replace('    lane: in-1\n', ''))).toEqual(one);
});

test('a mistake inside a gate names its line', () => {
  expect(mistakesOf(GOOD.replace("url: 'http://127", "url: 'ftp://127"))).toEqual([
    expect.stringMatching(/^line 13: lanes\[0\]\.gate\.open\.url: .*\(written: “ftp:/),
  ]);
});

test('the kind of a device, a setting of its own and a number in quotes are named as they were meant', () => {
  const wrong = GOOD.replace('kind: http', 'kind: htpp');
  expect(mistakesOf(wrong)).toEqual([
    expect.stringMatching(/gate\.kind: must be one of .*http.*\(written: “htpp”; did you mean “http”\?\)$/),
  ]);
  expect(mistakesOf(GOOD.replace('minimumOcrScore: 0.8', "minimumOcrScore: '0.8'"))).toEqual([
    'line 8: cameras[0].settings.minimumOcrScore: must be a number (written: “0.8”); without quotes',
  ]);
  expect(mistakesOf(GOOD.replace('direction: entry', 'direction: entri'))).toEqual([
    expect.stringMatching(/direction: must be one of .*\(written: “entri”; did you mean “entry”\?\)$/),
  ]);
});

test('the address of the cloud goes without a slash at its end', () => {
  expect(read(GOOD.replace(':8080', ':8080/hlid//')).cloud?.httpUrl).toBe('http://127.0.0.1:8080/hlid');
});

test('broken YAML, a key twice and a file of another kind', () => {
  expect(mistakesOf('site: { name: Demo\nlanes: [')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^line \d+: [\]}] is missing, or the indentation/)]),
  );
  expect(mistakesOf(`${GOOD}site: {}\n`)).toEqual(['line 14: this key stands here twice']);
  expect(mistakesOf('- just\n- a list\n')).toEqual([expect.stringMatching(/^line 1: the file: /)]);
  expect(mistakesOf('')).toEqual([expect.stringMatching(/^line 1: the file: /)]);
});

test('a missing file says which one, and where an example is', () => {
  expect(() => readConfig({ HLID_EDGE_CONFIG: join(folder, 'nothing.yaml') })).toThrow(
    /nothing\.yaml.*no such file.*deploy\/edge\/edge\.yaml/s,
  );
  expect(() => readConfig({ HLID_EDGE_CONFIG: folder })).toThrow(/cannot be read/);
});
