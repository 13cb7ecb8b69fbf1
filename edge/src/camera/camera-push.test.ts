import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { deflateSync, gzipSync } from 'node:zlib';
import { TlsFiles } from '@hlid/node/tls-files';
import { MAX_SENT_BYTES } from '@hlid/protocol/camera/document-collector';
import type { CameraDocument } from '@hlid/protocol/plate/plate-read';
import { CameraSettingsSchema } from '@hlid/protocol/records/lane';
import { TestAuthority } from '@hlid/protocol/test/certificates';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { CameraConfig } from '../config/config.ts';
import { CameraPush, type PushLimits } from './camera-push.ts';

const NOW = new Date('2026-11-21T12:00:00.000Z');
const TOKEN = 'a-secret-word';
const FIXTURES = new URL('../../../tests/fixtures/cameras/', import.meta.url);
const GROUP = readFileSync(new URL('open-alpr/milestone_alpr_group1.json', FIXTURES));
const HEARTBEAT = readFileSync(new URL('open-alpr/milestone_heartbeat.json', FIXTURES));
const SURVISION = readFileSync(new URL('survision/httppush_anpr_decision_MW818WM.trimmed.json', FIXTURES));

let push: CameraPush;
let url: string;
let tlsUrl: string | null;
let logged: { event: string; status?: number; [key: string]: unknown }[];
let taken: { cameraId: string; document: CameraDocument; receivedAt: Date }[];
let seen: string[];
let refused: [string, string | undefined, string][];
let mended: [string, readonly string[]][];
let decide: () => Promise<{ stored: number; repeated: number }>;

function camera(id: string, more: Partial<CameraConfig> = {}): CameraConfig {
  const settings = CameraSettingsSchema.parse({});
  return { id, lane: 'in-1', token: TOKEN, directionReliable: false, opensOnGroup: false, settings, ...more };
}

async function begin(
  limits: Partial<PushLimits> = {},
  more: Partial<ConstructorParameters<typeof CameraPush>[0]> = {},
): Promise<void> {
  push = new CameraPush({
    cameras: [camera('cam-1'), camera('cam-2', { token: 'another-word', opensOnGroup: true })],
    host: '127.0.0.1',
    port: 0,
    reads: {
      handle(cameraId, document, receivedAt) {
        taken.push({ cameraId, document, receivedAt });
        return decide();
      },
    },
    watch: {
      documentArrived: (id) => void seen.push(id),
      documentMended: (id, faults) => void mended.push([id, faults]),
      documentRefused: (id, { reason, detail }) => void refused.push([id, reason, detail]),
    },
    clock: { now: () => NOW },
    log: pino({ level: 'info' }, { write: (line) => void logged.push(JSON.parse(line)) }),
    limits,
    ...more,
  });
  ({ url, tlsUrl } = await push.start());
}

beforeEach(async () => {
  logged = [];
  taken = [];
  seen = [];
  refused = [];
  mended = [];
  decide = async () => ({ stored: 1, repeated: 0 });
  await begin();
});
afterEach(() => push.stop());

const post = (path: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  fetch(`${url}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

test('takes documents by https on a port of its own, with the certificate that was renewed last', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-push-tls-'));
  const authority = new TestAuthority();
  const deploy = (name: string) => {
    const { cert, key } = authority.issue({ name, hosts: ['127.0.0.1'] });
    writeFileSync(join(folder, 'cert.pem'), cert);
    writeFileSync(join(folder, 'key.pem'), key);
  };
  deploy('first');
  const log = pino({ level: 'silent' });
  const files = new TlsFiles({ cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }, { log });
  files.start();
  onTestFinished(() => {
    files.stop();
    rmSync(folder, { recursive: true });
  });
  await push.stop();
  await begin({}, { tls: { host: '127.0.0.1', port: 0, files } });
  const agent = new https.Agent({ keepAlive: true, ca: authority.cert });
  onTestFinished(() => agent.destroy());
  const postSecurely = async (by?: https.Agent) => {
    const to = `${tlsUrl}/cameras/cam-1/open-alpr?token=${TOKEN}`;
    const sent = https.request(to, { method: 'POST', ca: authority.cert, ...(by && { agent: by }) });
    sent.end(GROUP);
    const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
    const { CN } = (response.socket as TLSSocket).getPeerCertificate().subject;
    await text(response);
    return [response.statusCode, CN];
  };
  expect(await postSecurely(agent)).toEqual([200, 'first']);
  deploy('second');
  files.check();
  expect(await postSecurely(new https.Agent({ ca: authority.cert }))).toEqual([200, 'second']);
  // A connection that is open stays as it is.
  expect(await postSecurely(agent)).toEqual([200, 'first']);
  expect(taken).toHaveLength(3);
  expect((await post(`/cameras/cam-1/open-alpr?token=${TOKEN}`, GROUP)).status).toBe(200);
  await expect(fetch(`${tlsUrl?.replace('https:', 'http:')}/`)).rejects.toThrow();
});

/** Sends bytes as they are, and reads until the server closes. */
async function raw(bytes: string | Buffer, { halfClose = false } = {}): Promise<string> {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  if (halfClose) socket.end();
  return text(socket);
}

const head = (more: string, target = `/cameras/cam-1/open-alpr?token=${TOKEN}`) =>
  `POST ${target} HTTP/1.1\r\nhost: edge\r\n${more}\r\n\r\n`;

/** The request reached no handler, and is in the log. */
function expectRefused(status: number): void {
  expect(taken).toEqual([]);
  expect(seen).toEqual([]);
  expect(logged).toEqual([expect.objectContaining({ event: 'camera.document-refused', status })]);
  expect(JSON.stringify(logged)).not.toContain(TOKEN);
}

describe('a genuine document', () => {
  test('is handed over, and answered only when the desk has it on the disk', async () => {
    let finish: (result: { stored: number; repeated: number }) => void = () => undefined;
    let asked = () => {};
    const waiting = new Promise<void>((resolve) => (asked = resolve));
    decide = () => {
      asked();
      return new Promise((resolve) => (finish = resolve));
    };
    let answered = false;
    const answer = post(`/cameras/cam-1/open-alpr?token=${TOKEN}`, GROUP).finally(() => (answered = true));
    await waiting;
    expect(answered).toBe(false);
    finish({ stored: 1, repeated: 0 });
    const response = await answer;
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ stored: 1, repeated: 0 });
    expect(taken).toMatchObject([{ cameraId: 'cam-1', receivedAt: NOW, document: { kind: 'alpr_group' } }]);
    expect(seen).toEqual(['cam-1']);
    expect(logged).toEqual([]);
  });

  test('may bring its token in a header, and have any content type that JSON comes under', async () => {
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/vnd.survision+json',
    ]) {
      const headers = { 'x-hlid-token': TOKEN, 'content-type': type, 'survision-serial-number': 'SN-7' };
      expect((await post('/cameras/cam-1/survision', SURVISION, headers)).status).toBe(200);
    }
    expect(taken[0]?.document.reads[0]).toMatchObject({
      plate: 'MW818WM',
      eventKey: expect.stringContaining('SN-7'),
    });
  });

  // Source: a receiver's regression test for Dahua's cameras (TestReadIngestBody_DahuaSpuriousDeflate, on GitHub).
  test('may be compressed, or be said to be where it is not', async () => {
    const path = `/cameras/cam-1/open-alpr?token=${TOKEN}`;
    for (const [encoding, body] of [
      ['deflate', GROUP],
      ['gzip', GROUP],
      ['gzip', gzipSync(GROUP)],
      ['deflate', deflateSync(GROUP)],
      ['identity', gzipSync(GROUP)],
    ] as const) {
      expect((await post(path, body, { 'content-encoding': encoding })).status).toBe(200);
    }
    expect(taken).toHaveLength(5);
    for (const { document } of taken) expect(document).toEqual(taken[0]?.document);
    const broken = await post(path, gzipSync(GROUP).subarray(0, 200));
    expect(broken.status).toBe(400);
    const bomb = await post(path, gzipSync(Buffer.alloc(MAX_SENT_BYTES + 1, 32)));
    expect(bomb.status).toBe(413);
  });

  test('is distinguished from others by its time of arrival if it has no time', async () => {
    const untimed = JSON.stringify({ data_type: 'alpr_group', best_plate_number: 'AB123' });
    expect((await post(`/cameras/cam-1/open-alpr?token=${TOKEN}`, untimed)).status).toBe(200);
    expect(taken[0]?.document.reads[0]?.eventKey).toContain(NOW.toISOString().slice(0, 16));
  });

  test('that is a heartbeat is seen and stores nothing', async () => {
    const response = await post(`/cameras/cam-1/open-alpr?token=${TOKEN}`, HEARTBEAT);
    expect(await response.json()).toEqual({ stored: 0, repeated: 0 });
    expect(seen).toEqual(['cam-1']);
    expect(taken).toEqual([]);
  });

  test('that cannot be parsed is reported of the camera whose token it has, and of no other', async () => {
    await post(`/cameras/cam-1/open-alpr?token=${TOKEN}`, 'plate=ABX12');
    await post('/cameras/cam-2/open-alpr?token=guessed', 'plate=ABX12');
    await post('/cameras/cam-2/open-alpr?token=another-word', GROUP, { 'content-encoding': 'br' });
    expect(refused).toEqual([
      ['cam-1', 'malformed', expect.stringContaining('not JSON')],
      [
        'cam-2',
        undefined,
        'The document must not be compressed, or by one of: gzip, x-gzip, deflate, identity.',
      ],
    ]);
  });

  test('that is a final group is late, but for cameras whose groups come at once', async () => {
    await post(`/cameras/cam-1/open-alpr?token=${TOKEN}`, GROUP);
    await post('/cameras/cam-2/open-alpr?token=another-word', GROUP);
    expect(taken.map(({ document }) => document.reads[0]?.late)).toEqual([true, false]);
  });

  test('is to be sent again when it could not be stored', async () => {
    decide = () => Promise.reject(new Error('disk full'));
    const response = await post(`/cameras/cam-1/open-alpr?token=${TOKEN}`, GROUP);
    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ messages: [expect.stringContaining('send it again')] });
    expect(logged.map(({ event }) => event)).toEqual(['camera.document-failed', 'camera.document-refused']);
  });
});

describe('refused before the body is looked at', () => {
  test.each([
    ['a wrong token', '/cameras/cam-1/open-alpr?token=wrong-word', 401],
    ['no token', '/cameras/cam-1/open-alpr', 401],
    ['an empty token', '/cameras/cam-1/open-alpr?token=', 401],
    ["another camera's token", '/cameras/cam-1/open-alpr?token=another-word', 401],
    ['a camera that is not there', `/cameras/cam-9/open-alpr?token=${TOKEN}`, 401],
    ['a camera named like a property', `/cameras/constructor/open-alpr?token=${TOKEN}`, 401],
    ['an unknown format', `/cameras/cam-1/toString?token=${TOKEN}`, 404],
    ['an unknown path', `/cameras/cam-1/open-alpr/x?token=${TOKEN}`, 404],
    ['the root', '/', 404],
  ])('%s', async (_what, path, status) => {
    const response = await post(path, GROUP);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ messages: [expect.any(String)] });
    expectRefused(status);
  });

  test('an unknown camera and a wrong token look the same', async () => {
    const answers = await Promise.all(
      ['/cameras/cam-9/open-alpr?token=x', '/cameras/cam-1/open-alpr?token=x'].map(async (path) => {
        const response = await post(path, GROUP);
        return { status: response.status, body: await response.text() };
      }),
    );
    expect(answers[0]).toEqual(answers[1]);
  });

  test('another method', async () => {
    const response = await fetch(`${url}/cameras/cam-1/open-alpr?token=${TOKEN}`);
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
    expectRefused(405);
  });

  test.each([
    [{ 'content-type': 'multipart/form-data; boundary=x' }],
    [{ 'content-type': 'application/xml' }],
    [{ 'content-type': 'image/jpeg' }],
  ])('a body that cannot be JSON: %o', async (headers) => {
    expect((await post(`/cameras/cam-1/open-alpr?token=${TOKEN}`, GROUP, headers)).status).toBe(415);
    expectRefused(415);
  });

  test.each(['br', 'zstd', 'gzip, br'])(
    'a document compressed by %s, naming what is accepted',
    async (encoding) => {
      const refused = await post(`/cameras/cam-1/open-alpr?token=${TOKEN}`, GROUP, {
        'content-encoding': encoding,
      });
      expect(refused.status).toBe(415);
      expect(refused.headers.get('accept-encoding')).toBe('gzip, x-gzip, deflate, identity');
      expect(await refused.text()).toContain('gzip, x-gzip, deflate, identity');
      expectRefused(415);
    },
  );

  test('a document that says it is too large, whose sender gets the answer all the same', async () => {
    await push.stop();
    await begin({ maxSentBytes: 12 * 1024 * 1024 });
    const response = await post(
      `/cameras/cam-1/open-alpr?token=${TOKEN}`,
      Buffer.alloc(13 * 1024 * 1024, 32),
    );
    expect(response.status).toBe(413);
    expect(response.headers.get('connection')).toBe('close');
    expectRefused(413);
  });

  test('a too large document of a sender who asks first need not travel', async () => {
    const answer = await raw(head(`content-length: ${MAX_SENT_BYTES + 1}\r\nexpect: 100-continue`));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).not.toContain('100 Continue');
  });
});

test('a sender that waits for 100 Continue gets it', async () => {
  const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(head(`content-length: ${GROUP.length}\r\nexpect: 100-continue\r\nconnection: close`));
  const [first] = await once(socket, 'data');
  expect(String(first)).toMatch(/^HTTP\/1\.1 100 Continue/);
  socket.write(GROUP);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
});

describe('bodies', () => {
  test.each([
    ['not JSON', '{"data_type": "alpr_group", ', 400, 'malformed'],
    ['empty', '', 400, 'malformed'],
    ['of an unknown kind', '{"data_type": "weather"}', 400, 'unknown-kind'],
    ['of the wrong shape', '{"data_type": "alpr_group", "best_uuid": 7}', 400, 'wrong-shape'],
    ['not an object', '[1, 2]', 400, 'wrong-shape'],
  ])('%s', async (_what, body, status, reason) => {
    const response = await post(`/cameras/cam-1/open-alpr?token=${TOKEN}`, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ messages: [expect.any(String)] });
    expectRefused(status);
    expect(logged[0]).toMatchObject({ reason, cameraId: 'cam-1', format: 'open-alpr' });
  });

  test('too large without saying so', async () => {
    await push.stop();
    await begin({ maxSentBytes: 1000 });
    const chunk = `400\r\n${' '.repeat(0x400)}\r\n`;
    const answer = await raw(`${head('transfer-encoding: chunked')}${chunk}${chunk}0\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*connection: close.*"messages":/is);
    expectRefused(413);
  });

  test('never ending', async () => {
    await push.stop();
    await begin({ maxBodyBytes: 1000, maxSentBytes: 100_000 });
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(head('transfer-encoding: chunked'));
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
    const more = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.on('drain', more);
    more();
    let answer = '';
    socket.on('data', (data) => (answer += data));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expectRefused(413);
  });

  test('cut off by a sender that still listens', async () => {
    const answer = await raw(`${head('content-length: 5000')}{"data_type": "alpr_group"`, {
      halfClose: true,
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*"messages":/s);
    expectRefused(400);
    expect(logged[0]).toMatchObject({ reason: 'cut-off', cameraId: 'cam-1' });
  });

  test('that come too slowly', async () => {
    await push.stop();
    await begin({ headersTimeoutMs: 100, requestTimeoutMs: 200 });
    const answer = await raw(`${head('content-length: 5000')}{"data_type"`);
    expect(answer).toMatch(/^HTTP\/1\.1 408 .*"messages":/s);
    expectRefused(400);
  });

  test('headers that come too slowly', async () => {
    await push.stop();
    await begin({ headersTimeoutMs: 100, requestTimeoutMs: 200 });
    expect(await raw('POST /cameras/cam-1/open-alpr HTTP/1.1\r\nhost: edge\r\n')).toMatch(/^HTTP\/1\.1 408 /);
    expectRefused(408);
  });

  test('no HTTP at all', async () => {
    expect(await raw('\x16\x03\x01hello\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /);
    expectRefused(400);
  });

  test('more at once than there is room for are asked to come again', async () => {
    await push.stop();
    await begin({ maxOpenBytes: 1500 });
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1');
    socket.write(`${head('content-length: 1200')}${' '.repeat(1000)}`);
    await once(socket, 'connect');
    const response = await postUntil(503, () =>
      post(`/cameras/cam-1/open-alpr?token=${TOKEN}`, ' '.repeat(1000)),
    );
    expect(response.headers.get('retry-after')).toBe('1');
    socket.write(' '.repeat(200));
    await once(socket, 'data');
    socket.destroy();
    expect((await post(`/cameras/cam-1/open-alpr?token=${TOKEN}`, ' '.repeat(1200))).status).toBe(400);
  });
});

describe('one camera', () => {
  const OWN = `/cameras/cam-1/open-alpr?token=${TOKEN}`;
  const OTHER = '/cameras/cam-2/open-alpr?token=another-word';
  const port = () => Number(new URL(url).port);

  async function connected(bytes = ''): Promise<net.Socket> {
    const socket = net.connect(port(), '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    if (bytes !== '') socket.write(bytes);
    return socket;
  }

  test('keeps no other out with slow bodies, and is accepted again as soon as one has come', async () => {
    await push.stop();
    await begin({ maxOpenBytes: 100_000, maxCameraBytes: 10_000, maxCameraDocuments: 3 });
    const slow: net.Socket[] = [];
    for (let n = 0; n < 3; n++)
      slow.push(await connected(`${head('content-length: 1200')}${' '.repeat(1000)}`));
    await postUntil(503, () => post(OWN, HEARTBEAT));
    expect((await post(OTHER, HEARTBEAT)).status).toBe(200);
    slow[0]?.write(' '.repeat(200));
    await once(slow[0] ?? new net.Socket(), 'data');
    expect((await post(OWN, HEARTBEAT)).status).toBe(200);
    for (const socket of slow) socket.destroy();
  });

  test('that sends more at once than its share leaves the rest to the others', async () => {
    await push.stop();
    await begin({ maxOpenBytes: 20_000, maxCameraBytes: 10_000, maxCameraDocuments: 50 });
    const half = `${head('content-length: 5000')}${' '.repeat(4500)}`;
    const many = [await connected(half), await connected(half)];
    await postUntil(503, () => post(OWN, ' '.repeat(1500)));
    expect((await post(OTHER, HEARTBEAT)).status).toBe(200);
    for (const socket of many) socket.destroy();
  });

  test('is heard however many connections stand idle: the oldest make room', async () => {
    await push.stop();
    await begin({ maxConnections: 20 });
    const idle: net.Socket[] = [];
    for (let n = 0; n < 40; n++) idle.push(await connected(n % 2 === 0 ? '' : 'POST /cameras/cam-1'));
    const busy = await connected(`${head('content-length: 1200')}${' '.repeat(1000)}`);
    for (let n = 0; n < 40; n++) idle.push(await connected());
    expect((await post(OTHER, HEARTBEAT)).status).toBe(200);
    expect(idle[0]?.destroyed).toBe(true);
    // The request that is under way goes on.
    busy.write(' '.repeat(200));
    const [answer] = await once(busy, 'data');
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
    for (const socket of [busy, ...idle]) socket.destroy();
  });
});

/** The other connection's bytes arrive when they arrive. */
async function postUntil(status: number, send: () => Promise<Response>): Promise<Response> {
  for (let tries = 0; tries < 200; tries++) {
    const response = await send();
    if (response.status === status) return response;
    await response.arrayBuffer();
  }
  throw new Error(`never answered ${status}`);
}

test('a port that is taken is named with the setting that changes it', async () => {
  const second = new CameraPush({
    cameras: [],
    host: '127.0.0.1',
    port: Number(new URL(url).port),
    reads: { handle: () => decide() },
    watch: {
      documentArrived: () => undefined,
      documentMended: () => undefined,
      documentRefused: () => undefined,
    },
    clock: { now: () => NOW },
    log: pino({ enabled: false }),
  });
  await expect(second.start()).rejects.toThrow(/is taken.*HLID_CAMERA_PORT/);
});

describe('a camera that speaks badly', () => {
  /** Sends bytes as they are, and returns the answer. */
  async function sent(request: string | Uint8Array): Promise<string> {
    const { hostname, port } = new URL(url);
    const socket = net.connect(Number(port), hostname);
    socket.write(request);
    return await text(socket);
  }

  test('is understood without a Host header', async () => {
    const request = readFileSync(new URL('hikvision/post-without-host.http', FIXTURES), 'utf8');
    const answer = await sent(request.replace('CAMERA_ID', 'cam-1').replace('TOKEN', TOKEN));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(taken).toMatchObject([{ cameraId: 'cam-1', document: { reads: [{ plate: 'TZA48' }] } }]);
  });

  test('is shown to its installer where its request cannot be understood, with its token only', async () => {
    const broken = (token: string) =>
      `POST /cameras/cam-1/hikvision?token=${token} HTTP/1.1\r\nContent-Length: many\r\n\r\n`;
    expect(await sent(broken('wrong'))).toMatch(/^HTTP\/1\.1 400 /);
    expect(refused).toEqual([]);
    expect(await sent(broken(TOKEN))).toMatch(/^HTTP\/1\.1 400 /);
    expect(refused).toMatchObject([['cam-1', 'malformed', expect.stringContaining('broken')]]);
    expect(logged.at(-1)).toMatchObject({ status: 400, cameraId: 'cam-1', format: 'hikvision' });
  });

  const HIKVISION = readFileSync(new URL('hikvision/post-without-host.http', FIXTURES), 'utf8');
  const [, XML = ''] = HIKVISION.split('\r\n\r\n');
  const TO = `POST /cameras/cam-1/hikvision?token=${TOKEN} HTTP`;
  const FULL = `Content-Type: application/xml\r\nContent-Length: ${Buffer.byteLength(XML)}\r\n`;

  test.each([
    ['a header without a name', `${TO}/1.1\r\n: nameless\r\n${FULL}\r\n${XML}`],
    ['a line that is no header', `${TO}/1.1\r\nIPC Web Server\r\n${FULL}\r\n${XML}`],
    ['a header with a name of two words', `${TO}/1.1\r\nUser Agent: x\r\n${FULL}\r\n${XML}`],
    [
      'a length that is there twice',
      `${TO}/1.1\r\n${FULL}Content-Length: ${Buffer.byteLength(XML)}\r\n\r\n${XML}`,
    ],
    ['a method in small letters', `${TO.replace('POST', 'post')}/1.1\r\n${FULL}\r\n${XML}`],
    ['no carriage returns', `${TO}/1.1\n: x\n${FULL.replaceAll('\r', '')}\n${XML}`],
    ['a length in a list', `${TO}/1.1\r\n${FULL.replace(/(\d+)\r/, '$1, $1\r')}\r\n${XML}`],
    ['a protocol in small letters', `${TO.replace(' HTTP', ' http')}/1.1\r\n${FULL}\r\n${XML}`],
    ['PUT for POST', `${TO.replace('POST', 'PUT')}/1.1\r\n${FULL}\r\n${XML}`],
    ['an address as for a proxy', `${TO.replace(' /', ' http://192.0.2.7:7071/')}/1.1\r\n${FULL}\r\n${XML}`],
    ['a slash before the address', `${TO.replace(' /', ' //')}/1.1\r\n${FULL}\r\n${XML}`],
    ['a slash behind the path', `${TO.replace('?', '/?')}/1.1\r\n${FULL}\r\n${XML}`],
    ['an escaped question mark', `${TO.replace('?', '%3F')}/1.1\r\n${FULL}\r\n${XML}`],
    ['HTTP/1.0', `${TO}/1.0\r\n${FULL}\r\n${XML}`],
  ])('is understood with %s, in one piece or byte by byte', async (_what, request) => {
    for (const size of [request.length, 7]) {
      const { hostname, port } = new URL(url);
      const socket = net.connect({ port: Number(port), host: hostname, noDelay: true });
      await once(socket, 'connect');
      const bytes = Buffer.from(request);
      for (let at = 0; at < bytes.length; at += size) {
        socket.write(bytes.subarray(at, at + size));
        if (size < bytes.length) await new Promise((resolve) => setImmediate(resolve));
      }
      const answer = text(socket);
      socket.end();
      expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    }
    expect(taken.map(({ document }) => document.reads[0]?.plate)).toEqual(['TZA48', 'TZA48']);
  });

  test.each(['1.0', '1.1'])('is understood where its body ends by closing, by HTTP/%s', async (version) => {
    const { hostname, port } = new URL(url);
    const socket = net.connect(Number(port), hostname);
    const long = XML.replace('</ANPR>', `<note>${'x'.repeat(100_000)}</note></ANPR>`);
    socket.end(`${TO}/${version}\r\nContent-Type: application/xml\r\n\r\n${long}`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    expect(taken).toMatchObject([{ document: { reads: [{ plate: 'TZA48' }] } }]);
    expect(logged).toMatchObject([
      { event: 'camera.request-mended', cameraId: 'cam-1', faults: ['it does not say how long its body is'] },
    ]);
  });

  test('is understood where it waits for its answer before it closes', async () => {
    expect(await sent(`${TO}/1.0\r\nContent-Type: application/xml\r\n\r\n${XML}`)).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    expect(taken).toHaveLength(1);
  });

  test('sends no more by a body without a length than by another', async () => {
    await push.stop();
    await begin({ maxSentBytes: 12 * 1024 * 1024 });
    const { hostname, port } = new URL(url);
    const socket = net.connect(Number(port), hostname);
    socket.on('error', () => undefined);
    const answer = text(socket);
    socket.write(`${TO}/1.0\r\nContent-Type: application/xml\r\n\r\n<a>`);
    for (let n = 0; n < 20; n++) socket.write(Buffer.alloc(1024 * 1024, 0x61));
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(taken).toEqual([]);
  });

  test.each([
    ['JSON', (padding: string) => GROUP.toString().replace(/^\{/, `{"picture":"${padding}",`), 'open-alpr'],
    [
      'packed JSON',
      (padding: string) => GROUP.toString().replace(/^\{/, `{"picture":"${padding}",`),
      'open-alpr',
    ],
    ['XML', (padding: string) => XML.replace('</ANPR>', `<picture>${padding}</picture></ANPR>`), 'hikvision'],
  ])('loses no read to a picture that makes its document too large: %s', async (what, make, format) => {
    const small = make('');
    const large = Buffer.from(make('/9j/'.repeat(4 * 1024 * 1024)));
    const body = what === 'packed JSON' ? gzipSync(large) : large;
    const to = `/cameras/cam-1/${format}?token=${TOKEN}`;
    const type = { 'content-type': format === 'hikvision' ? 'application/xml' : 'application/json' };
    expect((await post(to, small, type)).status).toBe(200);
    expect((await post(to, body, type)).status).toBe(200);
    const [one, other] = taken.map(({ document }) => document);
    expect(other?.reads).toEqual(one?.reads);
    expect(other?.reads).not.toEqual([]);
    expect(other?.faults).toEqual([expect.stringContaining('its large pictures are left out')]);
    expect(logged).toMatchObject([
      { event: 'camera.request-mended', cameraId: 'cam-1', faults: other?.faults },
    ]);
  });

  test('is shown to its installer where its request was mended, with its token only', async () => {
    const request = (to: string) => `${to}/1.1\r\n: nameless\r\nConnection: close\r\n${FULL}\r\n${XML}`;
    expect(await sent(request(TO.replace(TOKEN, 'wrong')))).toMatch(/^HTTP\/1\.1 401 /);
    expect(mended).toEqual([]);
    expect(await sent(request(TO))).toMatch(/^HTTP\/1\.1 200 /);
    expect(mended).toEqual([['cam-1', ['a header has no name']]]);
  });

  test('loses no read to pictures of 6 MB', async () => {
    const xml =
      readFileSync(new URL('hikvision/post-without-host.http', FIXTURES), 'utf8').split('\r\n\r\n').at(-1) ??
      '';
    const head = (name: string, type: string) =>
      `--boundary\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
    const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(2_000_000, 0x41)]);
    const parts = ['licensePlatePicture.jpg', 'vehiclePicture.jpg', 'detectionPicture.jpg'].flatMap(
      (name) => [Buffer.from(`\r\n${head(name, 'image/jpeg')}`), jpeg],
    );
    const body = Buffer.concat([
      Buffer.from(head('anpr.xml', 'text/xml') + xml),
      ...parts,
      Buffer.from('\r\n--boundary--\r\n'),
    ]);
    const type = { 'content-type': 'multipart/form-data; boundary=boundary' };
    const response = await post(`/cameras/cam-1/hikvision?token=${TOKEN}`, body, type);
    expect(response.status).toBe(200);
    expect(taken).toMatchObject([{ document: { reads: [{ plate: 'TZA48' }] } }]);
  });
});
