import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listen } from '@hlid/node/listen';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import type { EnrolBody } from '@hlid/protocol/site-link/enrolment';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runAtTerminal } from '../../test/shell.ts';
import { readConfig } from '../config/read-config.ts';
import { writeTechnicianKey } from '../local-api/technician-key.ts';

const CODE = 'K7QF-3M2X';
const SITE = { name: 'Harbour', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' };
const LANES = `lanes: [{ id: in-1, name: In, direction: entry, gate: { kind: http, mode: pulse, open: { method: POST, url: 'http://127.0.0.1:9/' } } }]`;
const YAML = `site: ${JSON.stringify(SITE)}\n${LANES}\n`;

let folder: string;
let server: Server;
let cloudUrl: string;
let asked: EnrolBody[];
/** The answer of the cloud to the next request. */
let answer: (response: ServerResponse, body: EnrolBody) => void;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-enrol-'));
  asked = [];
  answer = well();
  server = createServer((request, response) => void take(request, response));
  cloudUrl = `http://${await listen(server, { host: '127.0.0.1', port: 0 }, 'nobody')}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const piece of request) text += String(piece);
  const body = JSON.parse(text) as EnrolBody;
  asked.push(body);
  answer(response, body);
}

function send(response: ServerResponse, status: number, body: object, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

function well(siteId = 'site-1', headers = {}): typeof answer {
  return (response, { secret }) => {
    const cameras = [{ id: 'cam-1', name: 'In 1', location: 'entrance' }];
    send(response, 200, { siteId, secret, mqttUrl: 'mqtt://127.0.0.1:1883', site: SITE, cameras }, headers);
  };
}

function refusing(status: number, message: string): typeof answer {
  return (response) => send(response, status, { exception: { message: 'No' }, messages: [message] });
}

const lost: typeof answer = (response) => response.destroy();

const environment = () => ({ HLID_DATA_DIR: folder });
const enrol = (...words: string[]) => runAtTerminal(['enrol', ...words], { environment: environment() });
const first = () => enrol(CODE, '--cloud', `${cloudUrl}/`);
const cloudOf = () => readConfig(environment()).cloud;

test('the credentials are for this user alone, and the daemon reads them', async () => {
  writeFileSync(join(folder, 'edge.yaml'), YAML);
  expect(cloudOf()).toBe(null);
  const { code, printed, complaint } = await first();
  expect([code, complaint]).toEqual([0, '']);
  expect(printed[0]).toBe('This machine is now the edge of Harbour (site site-1).');
  expect(printed.join('\n')).toMatch(
    /camera +cam-1 \(In 1, entrance\)\nThe daemon uses the new credentials when it starts/,
  );
  const secret = asked[0]?.secret ?? '';
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(printed.join()).not.toContain(secret);
  expect(cloudOf()).toEqual({
    httpUrl: cloudUrl,
    mqttUrl: 'mqtt://127.0.0.1:1883',
    siteId: 'site-1',
    secret,
  });
  expect(statSync(join(folder, 'credentials.json')).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).sort()).toEqual(['credentials.json', 'edge.yaml']);
});

test('the result for scripts contains no secret', async () => {
  writeTechnicianKey(folder, { url: 'http://127.0.0.1:9', secret: 'x' });
  const { printed } = await enrol('k7qf3m2x', '--cloud', cloudUrl, '--json');
  expect(JSON.parse(printed.join(''))).toEqual({
    ok: true,
    siteId: 'site-1',
    ...SITE,
    httpUrl: cloudUrl,
    mqttUrl: 'mqtt://127.0.0.1:1883',
    credentials: join(folder, 'credentials.json'),
    cameras: [{ id: 'cam-1', name: 'In 1', location: 'entrance' }],
    restart: true,
  });
});

test('a missing configuration is reported with what belongs there', async () => {
  const { printed } = await first();
  expect(printed.slice(-2)).toEqual([
    `Next: run setup, or write ${join(folder, 'edge.yaml')} (as in deploy/edge/edge.yaml), with lanes and cameras, and with`,
    `  site: ${JSON.stringify(SITE)}`,
  ]);
});

test('a running daemon has to be restarted', async () => {
  writeFileSync(join(folder, 'edge.yaml'), YAML);
  writeTechnicianKey(folder, { url: 'http://127.0.0.1:9', secret: 'x' });
  expect((await first()).printed.at(-1)).toMatch(/^The daemon runs: restart it/);
});

test('a cloud in the configuration takes precedence, with a warning', async () => {
  const cloud = { httpUrl: 'http://c.example', mqttUrl: 'mqtt://c.example', siteId: 'other', secret: 'abc' };
  writeFileSync(join(folder, 'edge.yaml'), `${YAML}cloud: ${JSON.stringify(cloud)}\n`);
  expect((await first()).complaint).toMatch(
    /edge\.yaml has a cloud section, which takes precedence: remove it/,
  );
  expect(cloudOf()).toEqual(cloud);
  const check = async () =>
    (await runAtTerminal(['config', 'check'], { environment: environment() })).printed;
  expect((await check()).join('\n')).toContain(`site other (from ${join(folder, 'edge.yaml')})`);
  writeFileSync(join(folder, 'edge.yaml'), `${YAML}cloud: null\n`);
  expect(cloudOf()).toBe(null);
  writeFileSync(join(folder, 'edge.yaml'), YAML);
  expect((await check()).join('\n')).toContain(`site site-1 (from ${join(folder, 'credentials.json')})`);
});

test('the same command succeeds with the same secret after a lost answer', async () => {
  answer = lost;
  const cut = await first();
  expect(cut).toMatchObject({ code: 1, printed: [] });
  expect(cut.complaint).toMatch(/cut before the answer came\nRun the same command again/);
  answer = (response) => response.writeHead(503).end('<html>');
  expect((await enrol(CODE)).complaint).toMatch(/internal error \(503\)\.\nRun the same command again/);
  answer = refusing(429, 'Too many attempts. Try again in 15 minutes.');
  expect((await enrol(CODE)).complaint).toMatch(/Too many attempts/);
  answer = well();
  expect((await enrol(CODE)).code).toBe(0);
  expect(new Set(asked.map(({ secret }) => secret)).size).toBe(1);
  expect(readdirSync(folder)).toEqual(['credentials.json']);
});

test('the same command succeeds after a cut behind the written credentials', async () => {
  answer = lost;
  await first();
  const pending = readFileSync(join(folder, 'enrolment.json'));
  answer = well();
  await enrol(CODE);
  writeFileSync(join(folder, 'enrolment.json'), pending);
  expect((await enrol(CODE)).code).toBe(0);
});

test('credentials are not replaced by mistake', async () => {
  await first();
  const before = cloudOfFile();
  const again = await enrol('ZZZZ-ZZZZ');
  expect(again).toMatchObject({
    code: 1,
    complaint: expect.stringMatching(/already enrolled: Harbour.*--replace/),
  });
  expect(asked).toHaveLength(1);
  expect((await enrol('ZZZZ-ZZZZ', '--replace')).code).toBe(0);
  expect(cloudOfFile()).not.toEqual(before);
});

const cloudOfFile = (): unknown => JSON.parse(readFileSync(join(folder, 'credentials.json'), 'utf8'));

test('the visits of one site are not sent to another', async () => {
  await first();
  writeFileSync(join(folder, 'site.sqlite'), '');
  const before = cloudOfFile();
  answer = well('site-2');
  const other = await enrol('ZZZZ-ZZZZ', '--replace');
  expect(other).toMatchObject({ code: 1, complaint: expect.stringMatching(/holds the visits of Harbour/) });
  expect(cloudOfFile()).toEqual(before);
  rmSync(join(folder, 'site.sqlite'));
  expect((await enrol('ZZZZ-ZZZZ', '--replace')).code).toBe(0);
  expect(cloudOfFile()).toMatchObject({ siteId: 'site-2', secret: asked.at(-1)?.secret });
  expect(asked.at(-1)).toEqual(asked.at(-2));
});

test.each<[string, () => typeof answer, RegExp]>([
  ['used', () => refusing(410, 'This code has been used already.'), /used already\.$/],
  [
    'unknown',
    () => (response) =>
      send(response, 404, {
        exception: { message: 'Not found' },
        messages: ['There is no such code.'],
        codes: [{ code: 'not-found', path: [], params: { what: 'code' } }],
      }),
    /does not know this code. Check that it is typed/,
  ],
  [
    'sent to another program',
    () => (response) => send(response, 200, { hello: 1 }),
    /it is not a Hlið cloud/,
  ],
  [
    'sent to a web page',
    () => (response) => response.writeHead(404).end('<html>'),
    /answers 404: it is not a Hlið cloud/,
  ],
  [
    'sent elsewhere',
    () => (response) => send(response, 308, {}, { location: 'https://p.example/edge/enrol' }),
    /redirects to https:\/\/p\.example\/edge\/enrol: use that address/,
  ],
])('a code that is %s leaves everything as it was', async (_, make, complaint) => {
  answer = make();
  const result = await first();
  expect(result).toMatchObject({ code: 1, printed: [], complaint: expect.stringMatching(complaint) });
  expect(readdirSync(folder)).toEqual([]);
});

test('a wrong clock is reported', async () => {
  const behind = new Date(Date.now() + HOUR_MS).toUTCString();
  answer = well('site-1', { date: behind });
  expect(await first()).toMatchObject({
    code: 0,
    complaint: expect.stringMatching(/60 minutes behind the cloud’s/),
  });
});

test.each([
  [[CODE], /Set the address of the cloud’s API: --cloud/],
  [['K7QF', '--cloud', 'http://127.0.0.1:9'], /K7QF is not a code: a code looks like/],
  [[CODE, '--cloud', 'http://127.0.0.1:9'], /nothing listens there/],
  [[CODE, '--cloud', 'http://no-such-host.invalid'], /there is no such host/],
])('%j says what is wrong', async (words, complaint) => {
  const result = await enrol(...words);
  expect(result).toMatchObject({ code: 1, printed: [], complaint: expect.stringMatching(complaint) });
});

test('credentials that cannot be read keep the daemon from running alone by mistake', async () => {
  writeFileSync(join(folder, 'edge.yaml'), YAML);
  writeFileSync(join(folder, 'credentials.json'), '{"siteId":');
  const check = await runAtTerminal(['config', 'check'], { environment: environment() });
  expect(check).toMatchObject({
    code: 2,
    complaint: expect.stringMatching(/credentials\.json cannot be read/),
  });
});
