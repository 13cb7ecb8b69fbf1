import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readProgram } from '@hlid/protocol/command-line/program';
import { TestAuthority } from '@hlid/protocol/test/certificates';
import { expect, onTestFinished, test } from 'vitest';
import { runAtTerminal, runInShell } from '../../test/shell.ts';
import { EDGE_PROGRAM } from './edge-program.ts';

const CAMERAS = fileURLToPath(new URL('../../../tests/fixtures/cameras/', import.meta.url));
const NAMED = EDGE_PROGRAM.commands.filter(({ name }) => name !== '');
const PUSHED = join(CAMERAS, 'survision/httppush_anpr_decision_MW818WM.trimmed.json');

test('a camera document becomes one line of JSON, without its pictures', async () => {
  const { code, printed } = await runInShell(['camera', 'parse', '--format', 'survision', PUSHED]);
  expect(code).toBe(0);
  expect(printed.map((line) => JSON.parse(line))).toEqual([
    {
      reads: [
        {
          plate: 'MW818WM',
          score: 0.98,
          country: 'FR',
          direction: 'unknown',
          capturedAt: '2024-10-17T23:04:50.098Z',
          eventKey: expect.any(String),
          candidates: [{ plate: 'MW818WM', score: 0.98 }],
          late: false,
          parked: false,
        },
      ],
      heartbeat: false,
    },
  ]);
});

test('the same from standard input, with the serial number that the camera sends beside it', async () => {
  const words = ['camera', 'parse', '--format', 'survision', '--serial', '4711', '-'];
  const { code, printed } = await runInShell(words, { input: readFileSync(PUSHED) });
  expect(code).toBe(0);
  expect(JSON.parse(printed[0] ?? '')).toMatchObject({
    reads: [{ plate: 'MW818WM', eventKey: expect.stringMatching(/^4711\//) }],
  });
});

test('the result is printed in words for people', async () => {
  const words = ['camera', 'parse', '--text', '--format', 'survision', PUSHED];
  const { code, printed } = await runInShell(words);
  expect(code).toBe(0);
  expect(printed).toEqual([
    'MW818WM  98 %  FR, unknown',
    '  at          2024-10-17T23:04:50.098Z',
    '  candidates  MW818WM (98 %)',
    expect.stringMatching(/^ {2}event key {3}\S/),
  ]);
});

test('a heartbeat has no reads', async () => {
  const file = join(CAMERAS, 'open-alpr/doc_heartbeat_v2.7.101.json');
  const { code, printed } = await runInShell(['camera', 'parse', '--format', 'open-alpr', file]);
  expect([code, printed]).toEqual([0, ['{"reads":[],"heartbeat":true}']]);
});

test.each([
  ['cut off', readFileSync(PUSHED).subarray(0, 200), /^Refused \(malformed\): .*cut off/],
  ['empty', new Uint8Array(), /^Refused \(malformed\): the body is empty/],
  ['of another kind', Buffer.from('{"hello":1}'), /^Refused \(unknown-kind\)/],
])('a document that is %s is refused: nothing on standard output', async (_, input, complaint) => {
  const words = ['camera', 'parse', '--format', 'survision', '-'];
  const result = await runInShell(words, { input });
  expect(result).toMatchObject({ code: 1, printed: [], complaint: expect.stringMatching(complaint) });
});

test('a file that is not there', async () => {
  const result = await runInShell(['camera', 'parse', '--format', 'survision', '/no/such/file']);
  expect(result).toMatchObject({ code: 1, printed: [], complaint: expect.stringMatching(/cannot be read/) });
});

test('wrong usage is reported with the correct usage', async () => {
  const { code, printed, complaint } = await runInShell(['camera', 'parse']);
  expect([code, printed]).toEqual([2, []]);
  expect(complaint).toMatch(
    /^camera parse needs a FILE[\s\S]*Usage: [^\n]*camera parse FILE \[--format FORMAT\]/,
  );
});

test('an alternative to the operand is shown once', async () => {
  const { complaint } = await runInShell(['gate', 'hold']);
  expect(complaint).toMatch(/gate hold LANE \| --all \[--reason TEXT\]/);
});

test('help names every command', async () => {
  const { code, printed } = await runInShell(['--help']);
  expect(code).toBe(0);
  for (const { name } of NAMED) expect(printed.join('\n')).toContain(`\n  ${name}`);
});

test.each(NAMED)('$name has help with every option and an example that is right', async (entry) => {
  const { name, examples } = entry;
  const { code, printed } = await runInShell([...name.split(' '), '--help']);
  expect(code).toBe(0);
  for (const option of [...Object.keys(entry.options), 'json', 'help', 'version']) {
    expect(printed.join('\n')).toContain(`--${option}`);
  }
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) {
    const words = example.replace(/ [<>] .*| "[^"]*"$|^HLID_\S+ /g, (cut) => (cut.endsWith('"') ? ' x' : ''));
    expect(readProgram(EDGE_PROGRAM, words.split(' '))).toMatchObject({ kind: 'run' });
  }
});

test('help of camera parse names every format', async () => {
  const { code, printed } = await runInShell(['camera', 'parse', '--help']);
  expect(code).toBe(0);
  expect(printed.join('\n')).toMatch(/open-alpr {4}OpenALPR[\s\S]*survision {4}Survision/);
});

test('config check warns of what is valid and probably not meant', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const environment = { HLID_DATA_DIR: folder, HLID_CAMERA_PORT: '7443' };
  const http = (url: string) => `{ kind: http, mode: pulse, open: { method: POST, url: '${url}' } }`;
  const onvif = (relay: string) =>
    `{ kind: onvif, url: 'http://10.0.0.9/onvif/device_service', user: u, password: swordfish, relay: '${relay}' }`;
  writeFileSync(
    join(folder, 'edge.yaml'),
    `site: { name: Demo, timeZone: Atlantic/Reykjavik, currency: ISK }
cameras:
  - { id: cam-1, lane: in-1, token: swordfish-1 }
  - { id: cam-2, lane: in-2, token: swordfish-1 }
  - { id: cam-3, lane: out-1, token: swordfish-3 }
  - { id: cam-4, lane: out-2, token: swordfish-4 }
cameraTls: { cert: cert.pem, key: key.pem }
terminal: { id: t-1, kind: zvt, password: '000000', serial: { path: /dev/hlid-none } }
lanes:
  - { id: in-1, name: In, direction: entry, gate: ${http('http://127.0.0.1:9001/1')} }
  - { id: in-2, name: In 2, direction: entry, gate: ${http('HTTP://127.0.0.1:9001/./1')} }
  - { id: out-1, name: Out, direction: exit, gate: ${onvif('1')} }
  - { id: out-2, name: Out 2, direction: exit, gate: ${onvif('2')} }
  - { id: out-3, name: Out 3, direction: exit, gate: ${onvif('1').replace('10.0.0.9', '10.0.0.9:80')} }
`,
  );
  const { printed } = await runInShell(['config', 'check', '--json'], { environment });
  expect(JSON.parse(printed[0] ?? '').warnings).toEqual([
    expect.stringMatching(/^Lane out-3 has no camera/),
    expect.stringMatching(/^lanes\[1\]\.gate: moves the same relay as that of lane in-1/),
    expect.stringMatching(/^lanes\[4\]\.gate: moves the same relay as that of lane out-1/),
    expect.stringMatching(/^cameras: cam-1 and cam-2 have the same token/),
    expect.stringMatching(/^terminal\.serial\.path: there is no \/dev\/hlid-none/),
    expect.stringMatching(/^cameraTls\.port: port 7443 is that of HLID_CAMERA_PORT too/),
    expect.stringMatching(/^site\.settings\.helpPhone: not set/),
    expect.stringMatching(/^terminal: is the only way to pay/),
  ]);
  expect(printed.join()).not.toContain('swordfish');
  const people = await runAtTerminal(['config', 'check'], { environment });
  expect(people.complaint).toContain('moves the same relay');
});

test('config check finds one relay behind two addresses, and no other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const environment = { HLID_DATA_DIR: folder };
  const http = (url: string) => `{ kind: http, open: { method: GET, url: '${url}' } }`;
  const onvif = (host: string, more = '') =>
    `{ kind: onvif, url: 'http://${host}/onvif', user: u, password: p${more} }`;
  const gates = [
    http('http://127.0.0.1:9001/relay/0?turn=on&timer=1'),
    http('http://me:word@127.0.0.1:9001/relay/0?timer=2&turn=on'),
    http('http://127.0.0.1:9001/relay/1?turn=on&timer=1'),
    http('http://127.0.0.1:9002/?relay=1'),
    http('http://127.0.0.1:9002/?relay=2'),
    onvif('10.0.0.9', ', relay: r-1'),
    onvif('10.0.0.9'),
    onvif('10.0.0.8', ', relay: r-1'),
    onvif('10.0.0.8', ', relay: r-2'),
  ];
  const lanes = gates
    .map((gate, n) => `  - { id: l-${n}, name: L, direction: entry, gate: ${gate} }`)
    .join('\n');
  const cameras = gates.map((_, n) => `  - { id: c-${n}, lane: l-${n}, token: swordfish-${n} }`).join('\n');
  const site = 'site: { name: Demo, timeZone: Atlantic/Reykjavik, currency: ISK }';
  writeFileSync(join(folder, 'edge.yaml'), `${site}\ncameras:\n${cameras}\nlanes:\n${lanes}\n`);
  const { printed } = await runInShell(['config', 'check', '--json'], { environment });
  expect(JSON.parse(printed[0] ?? '').warnings).toEqual([
    expect.stringMatching(/^lanes\[1\]\.gate: moves the same relay as that of lane l-0/),
    expect.stringMatching(/^lanes\[6\]\.gate: moves the same relay as that of lane l-5/),
  ]);
});

test('config check accepts a valid configuration, refuses others, and shows no secrets', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const environment = { HLID_DATA_DIR: folder };
  const file = join(folder, 'edge.yaml');
  const open = "{ method: POST, url: 'http://127.0.0.1:9001/' }";
  writeFileSync(
    file,
    `site: { name: Demo, timeZone: Atlantic/Reykjavik, currency: ISK }
cameras: [{ id: cam-1, lane: in-1, token: swordfish-1 }]
lanes: [{ id: in-1, name: In, direction: entry, gate: { kind: http, mode: pulse, open: ${open} } }]
`,
  );
  const good = await runInShell(['config', 'check', '--json'], { environment });
  expect(good.code).toBe(0);
  expect(JSON.parse(good.printed[0] ?? '')).toMatchObject({ ok: true, config: file, lanes: ['in-1'] });
  const people = await runAtTerminal(['config', 'check'], { environment });
  expect(people.printed[0]).toBe(`${file} is valid: Demo, Atlantic/Reykjavik, ISK.`);
  for (const lines of [good, people]) expect(lines.printed.join()).not.toContain('swordfish');

  const cloud = 'https://me:swordfish@parking.example';
  const addressed = `${readFileSync(file, 'utf8')}cloud: { httpUrl: '${cloud}', mqttUrl: 'mqtts://me:swordfish@x.example', siteId: s-1, secret: swordfish }\n`;
  writeFileSync(join(folder, 'addressed.yaml'), addressed);
  const elsewhere = { ...environment, HLID_EDGE_CONFIG: join(folder, 'addressed.yaml') };
  for (const line of [['config', 'check'], ['config', 'check', '--json'], ['report']]) {
    const shown = await runAtTerminal(line, { environment: elsewhere });
    expect(shown.printed.join()).toContain('parking.example');
    expect(shown.printed.join() + shown.complaint).not.toContain('swordfish');
  }

  writeFileSync(file, readFileSync(file, 'utf8').replace('lane: in-1', 'lane: in-7'));
  const bad = await runInShell(['config', 'check'], { environment });
  expect(bad).toMatchObject({ code: 2, printed: [] });
  expect(bad.complaint).toContain('line 2: cameras[0].lane: there is no lane in-7');
});

test('config check warns of a site at whose exits a driver who owes cannot pay', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const environment = { HLID_DATA_DIR: folder };
  const gate = "{ kind: http, mode: pulse, open: { method: POST, url: 'http://127.0.0.1:9001/' } }";
  const warned = async (settings: string, { direction = 'exit', more = '' } = {}) => {
    writeFileSync(
      join(folder, 'edge.yaml'),
      `site: { name: Demo, timeZone: Atlantic/Reykjavik, currency: ISK, settings: { helpPhone: '5551234', ${settings} } }
cameras: [{ id: cam-1, lane: l-1, token: swordfish-1 }]
${more}
lanes: [{ id: l-1, name: Lane, direction: ${direction}, gate: ${gate} }]
`,
    );
    const { printed } = await runInShell(['config', 'check', '--json'], { environment });
    return JSON.parse(printed[0] ?? '').warnings;
  };
  const terminal =
    "terminal: { id: t-1, kind: zvt, password: '000000', tcp: { host: 127.0.0.1, port: 20007 } }";
  expect(await warned('')).toEqual([expect.stringMatching(/cannot pay at the exit/)]);
  expect(await warned('', { more: terminal })).toEqual([expect.stringMatching(/^terminal: is the only way/)]);
  expect(await warned('hasKiosk: false', { more: terminal })).toEqual([
    expect.stringMatching(/cannot pay at the exit/),
  ]);
  for (const way of ['hasKiosk: true', "payOnline: 'https://pay.example'", 'invoicesOwners: true']) {
    expect(await warned(way)).toEqual([]);
    expect(await warned(way, { more: terminal })).toEqual([]);
  }
  expect(await warned('', { direction: 'entry' })).toEqual([]);
});

/** The files that the example names. */
function writeTls(folder: string): void {
  const authority = new TestAuthority();
  mkdirSync(folder);
  for (const name of ['site', 'edge']) {
    const { cert, key } = authority.issue({ name });
    writeFileSync(join(folder, `${name}.pem`), cert);
    writeFileSync(join(folder, `${name}-key.pem`), key);
  }
  for (const name of ['ca', 'broker-ca']) writeFileSync(join(folder, `${name}.pem`), authority.cert);
}

test('the example in deploy/ is valid with other secrets, and shows how each camera and terminal is connected', async () => {
  const example = readFileSync(new URL('../../../deploy/edge/edge.yaml', import.meta.url), 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'hlid-check-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'example.yaml');
  const environment = { HLID_EDGE_CONFIG: file, HLID_DATA_DIR: '/no/such/folder' };
  writeFileSync(file, example);
  const unedited = await runInShell(['config', 'check'], { environment });
  expect(unedited.code).toBe(2);
  const secrets = example.split('\n').filter((line) => /^[^#]*change-me/.test(line));
  expect(unedited.complaint.split('\n').filter((line) => line.includes('the example’s secret'))).toHaveLength(
    secrets.length,
  );
  const serial = /\/dev\/serial\/by-id\/usb-(?:terminal|scanner)/g;
  expect(example.match(serial)).toHaveLength(2);
  writeFileSync(file, example.replaceAll('change-me', 'fuglafit').replace(serial, '/dev/null'));
  const withoutFiles = await runAtTerminal(['config', 'check'], { environment });
  expect(withoutFiles.code).toBe(1);
  const named = withoutFiles.complaint.split('\n').map((line) => line.replace(/: .*/, ''));
  expect(named).toEqual([
    'cloud.cert',
    'cloud.key',
    'cloud.ca',
    'cloud.mqttCa',
    'cameraTls.cert',
    'cameraTls.key',
  ]);
  writeTls(join(folder, 'tls'));
  const { code, printed, complaint } = await runAtTerminal(['config', 'check'], { environment });
  expect([code, complaint]).toEqual([0, '']);
  const lines = printed.join('\n');
  for (const kind of ['http', 'onvif', 'hikvision', 'survision', 'axis'])
    expect(lines).toContain(`gate by ${kind}`);
  expect(lines).toContain(
    'cam-in-2 at in-2: posts to http://<this machine>:7071/cameras/cam-in-2/<format>?token=…',
  );
  expect(lines).toContain(
    'cam-both at in-2 (zone 1, approaching), out-2 (zone 1, leaving), in-3 (zone 2): posts',
  );
  expect(lines).toContain('cam-in-1 at in-1: events from http://192.168.1.64/onvif/device_service');
  expect(lines).toContain('kiosk-1: ZVT at /dev/null');
  expect(lines).not.toContain('fuglafit');
});
