import { execFile } from 'node:child_process';
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestBoard } from '../../test/board.ts';

const BUILD_PAGE = fileURLToPath(new URL('../../page/build-page.mjs', import.meta.url));

let site: ReturnType<typeof createTestBoard>;
let url: string;
beforeAll(() => promisify(execFile)(process.execPath, [BUILD_PAGE]));
beforeEach(async () => {
  site = createTestBoard();
  ({ url } = await site.api.start());
});
afterEach(() => site.api.stop());

/** The events as they come, without the board that follows each of them; ends with the stream. */
async function* events(from: string): AsyncGenerator<{ name: string; content: unknown }, undefined> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${from}/api/events`, resolve).on('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}`);
  let name = '';
  try {
    for await (const line of createInterface({ input: response })) {
      if (line.startsWith('event: ')) name = line.slice(7);
      if (line.startsWith('data: ') && name !== 'board') yield { name, content: JSON.parse(line.slice(6)) };
    }
  } finally {
    response.destroy();
  }
}

test('the events start with the whole state, and continue with changes', async () => {
  const earlier = site.pass('in-1', { plate: 'MKJ45', reason: 'welcome' });
  const stream = events(url);
  expect((await stream.next()).value).toMatchObject({
    name: 'state',
    content: {
      at: '2026-11-21T08:30:00.000Z',
      site: { name: 'Bílastæðið', timeZone: 'Atlantic/Reykjavik' },
      lanes: [
        { id: 'in-1', passages: [earlier] },
        { id: 'out-1', passages: [], gate: { state: 'closed' } },
      ],
      cameras: [{ id: 'cam-in-1' }, { id: 'cam-out-1' }],
      link: { connected: true, seq: 7 },
    },
  });
  const passage = site.pass('out-1', { open: false, reason: 'need-payment' });
  site.moveGate('in-1', 'open');
  expect((await stream.next()).value).toEqual({ name: 'passage', content: { laneId: 'out-1', passage } });
  expect((await stream.next()).value).toMatchObject({
    name: 'gate',
    content: { laneId: 'in-1', gate: { state: 'open' } },
  });
  await stream.return(undefined);
});

test('many changes of the link are sent as one, with the last numbers', async () => {
  const stream = events(url);
  await stream.next();
  for (let seq = 8; seq <= 500; seq++) site.moveLink({ seq });
  expect((await stream.next()).value).toMatchObject({ name: 'link', content: { seq: 500 } });
  site.moveLink({ acknowledged: 500 });
  expect((await stream.next()).value).toMatchObject({ name: 'link', content: { acknowledged: 500 } });
  await stream.return(undefined);
});

test('a beat is sent when nothing happens', async () => {
  const quiet = createTestBoard({ withoutCloud: true, beatMs: 20 });
  const stream = events((await quiet.api.start()).url);
  expect((await stream.next()).value).toMatchObject({ name: 'state', content: { link: null } });
  expect((await stream.next()).value).toMatchObject({
    name: 'beat',
    content: { cameras: [{ id: 'cam-in-1' }, {}] },
  });
  await stream.return(undefined);
  await quiet.api.stop();
});

test('stopping ends the streams and does not wait for their readers', async () => {
  const stream = events(url);
  await stream.next();
  await site.api.stop();
  // Ended: a connection that is closed after the time for answers would break it.
  expect((await stream.next()).done).toBe(true);
});

test('too many readers are refused, and one that leaves makes room', async () => {
  const streams = Array.from({ length: 64 }, () => events(url));
  await Promise.all(streams.map((stream) => stream.next()));
  await expect(events(url).next()).rejects.toThrow('answered 503');
  await Promise.all(streams.map((stream) => stream.return(undefined)));
  await expect
    .poll(async () => {
      const late = events(url);
      const first = await late.next().catch(() => null);
      await late.return(undefined);
      return first?.value?.name;
    })
    .toBe('state');
});

test('a site that is well is 200 ok, and no plate is in the report', async () => {
  site.pass('in-1', { plate: 'ABX12' });
  const response = await fetch(`${url}/health`);
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).not.toContain('ABX12');
  expect(JSON.parse(text)).toMatchObject({
    status: 'ok',
    faults: [],
    concerns: [],
    startedAt: '2026-11-21T08:30:00.000Z',
    software: expect.stringMatching(/^hlid-edge\/\d/),
    lanes: [
      { id: 'in-1', lastPassageAt: '2026-11-21T08:30:00.000Z' },
      { id: 'out-1', lastPassageAt: null },
    ],
    link: { waiting: 0 },
  });
});

test('unreachable devices and cloud are concerns, but no reason to restart the daemon', async () => {
  site.moveGate('out-1', 'unknown', 'unreachable');
  site.moveLink({ connected: false, lastError: 'connect ECONNREFUSED', seq: 12 });
  const [first, second] = site.cameras;
  if (first) first.lastSeenAt = null;
  if (second) second.clockBehindMs = HOUR_MS;
  const response = await fetch(`${url}/health`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    status: 'attention',
    concerns: [
      { device: 'gate:out-1', problem: 'unreachable' },
      { device: 'camera:cam-in-1', problem: 'nothing received yet' },
      { device: 'camera:cam-out-1', problem: 'clock off' },
      { device: 'link', problem: 'connect ECONNREFUSED' },
    ],
    link: { waiting: 5 },
  });
});

test('an alarm is a concern with advice, and replaces the present problem', async () => {
  site.moveGate('out-1', 'unknown', 'unreachable');
  site.changeDevice('gate', 'out-1', { state: 'failing', alarm: true, detail: 'unreachable' });
  site.changeDevice('disk', 'site', { state: 'low', alarm: true, detail: '812 MB free (4 %)' });
  expect(await (await fetch(`${url}/health`)).json()).toMatchObject({
    status: 'attention',
    concerns: [
      { device: 'gate:out-1', problem: 'failing: unreachable', since: '2026-11-21T08:30:00.000Z' },
      { device: 'disk', problem: 'low: 812 MB free (4 %)', advice: { en: expect.any(String) } },
    ],
    devices: expect.arrayContaining([expect.objectContaining({ kind: 'disk', state: 'low' })]),
  });
});

test('the events report a device that is not well', async () => {
  const stream = events(url);
  expect((await stream.next()).value).toMatchObject({ content: { devices: expect.any(Array) } });
  site.changeDevice('camera', 'cam-in-1', { state: 'silent', alarm: true });
  const { value } = await stream.next();
  expect(value).toMatchObject({ name: 'devices' });
  expect(JSON.stringify(value)).toContain('"state":"silent"');
  await stream.return(undefined);
});

test('metrics are in the format of Prometheus, and devices can be listed', async () => {
  const metrics = await fetch(`${url}/metrics`);
  expect([metrics.status, metrics.headers.get('content-type'), await metrics.text()]).toEqual([
    200,
    'text/plain; version=0.0.4',
    'hlid_link_up 1\n',
  ]);
  const devices: unknown = await (await fetch(`${url}/api/devices`)).json();
  expect(devices).toEqual({ devices: expect.objectContaining({ length: 5 }) });
});

test('refused logins are retried for a technician who has the secret', async () => {
  const call = (body: unknown, authorization = 'Bearer the-secret') =>
    fetch(`${url}/api/devices`, { method: 'POST', headers: { authorization }, body: JSON.stringify(body) });
  const all = { action: 'try-again', device: null };
  expect((await call(all, 'Bearer guessed')).status).toBe(401);
  expect((await call({ action: 'explode', device: null })).status).toBe(400);
  expect((await call({ action: 'try-again', device: { kind: 'camera', id: 'nobody' } })).status).toBe(404);
  expect(await (await call(all)).json()).toEqual({ devices: [{ kind: 'camera', id: 'cam-in-1' }] });
  expect(site.triedAgain).toEqual([{ kind: 'camera', id: 'nobody' }, null]);
  expect((await fetch(`${url}/api/devices`, { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD, POST');
});

test('who wants to restart the daemon learns what stands in the way', async () => {
  const call = (authorization: string) =>
    fetch(`${url}/api/upgrade`, { method: 'POST', headers: { authorization }, body: '{"action":"begin"}' });
  expect((await call('Bearer guessed')).status).toBe(401);
  expect(await (await call('Bearer the-secret')).json()).toEqual({ waitsFor: ['a payment'] });
});

test('a daemon that cannot write its database answers 503', async () => {
  site.breakDisk('disk I/O error');
  const response = await fetch(`${url}/health`);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    status: 'failing',
    faults: ['the database cannot be written: disk I/O error'],
  });
});

/** Files that a document or a script of the page names. */
async function filesNamedIn(path: string): Promise<string[]> {
  const text = await (await fetch(url + path)).text();
  const named = path.endsWith('.js')
    ? text.matchAll(/["'`](?:\.\/|assets\/|\/assets\/)([\w.-]+\.(?:js|css))["'`]/g)
    : text.matchAll(/(?:src|href)="\/assets\/([^"]+)"/g);
  return [...named].map(([, name]) => `/assets/${name}`);
}

/** All files of a page, from its document on. */
async function filesOf(page: string): Promise<string[]> {
  const seen = new Set([page]);
  for (const path of seen) {
    if (/\.(?:js|html)$|\/$/.test(path)) for (const name of await filesNamedIn(path)) seen.add(name);
  }
  return [...seen].slice(1);
}

test('the policy forbids content from other hosts, and the page names none', async () => {
  const response = await fetch(url);
  const policy = response.headers.get('content-security-policy');
  expect(policy).toContain("default-src 'none'; script-src 'self'");
  expect(policy).toContain("font-src 'self';");
  const html = await response.text();
  expect(html).not.toMatch(/https?:|<script(?![^>]*src=)|<style|style=/);
  const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => path ?? '');
  expect(named.filter((path) => /^\/assets\/.*\.(?:js|css|svg)$/.test(path)).length).toBeGreaterThan(2);
  for (const path of named) expect((await fetch(url + path)).status, path).toBe(200);
});

test.each(['/', '/display.html'])('every file that %s loads is served, with its texts', async (page) => {
  const files = await filesOf(page);
  expect(files.length).toBeGreaterThan(4);
  const texts = await Promise.all(
    files.map(async (path) => {
      const response = await fetch(url + path);
      expect(response.status, path).toBe(200);
      if (path.endsWith('.js')) expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
      expect(response.headers.get('cache-control'), path).toContain('immutable');
      return await response.text();
    }),
  );
  expect(texts.some((text) => text.includes('Innkeyrsla'))).toBe(true);
});

test('a page that the browser has is not sent again', async () => {
  const etag = (await fetch(url)).headers.get('etag') ?? '';
  const again = await fetch(url, { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
});

test.each([
  '/',
  '/display.html',
  '/api/lanes',
  '/api/events',
  '/health',
  '/metrics',
  '/nothing',
  '/api/gates',
])('the answer to GET %s has the security headers', async (path) => {
  const stop = new AbortController();
  const { headers } = await fetch(url + path, { signal: stop.signal });
  stop.abort();
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('cache-control')).toBe(['/', '/display.html'].includes(path) ? 'no-cache' : 'no-store');
});

test('other methods are refused with 405, and other paths with 404', async () => {
  const posted = await fetch(`${url}/api/lanes`, { method: 'POST', body: '{}' });
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect((await fetch(`${url}/../etc/passwd`)).status).toBe(404);
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200);
  expect(await (await fetch(`${url}/api/lanes?x=1`)).json()).toMatchObject({ lanes: [{ id: 'in-1' }, {}] });
});

const KEY = { authorization: 'Bearer the-secret' };

function callGates(body: unknown, headers: Record<string, string> = KEY) {
  return fetch(`${url}/api/gates`, { method: 'POST', body: JSON.stringify(body), headers });
}

test('a technician with the key moves a gate', async () => {
  const command = { action: 'hold', laneId: 'out-1', reason: 'the fire brigade' };
  const response = await callGates(command);
  expect([response.status, await response.json()]).toEqual([
    200,
    { lanes: [{ laneId: 'out-1', outcome: 'done' }] },
  ]);
  expect(site.commands).toEqual([{ ...command, by: 'technician' }]);
});

test.each([
  ['without the key', {}, 401],
  ['with a wrong key', { authorization: 'Bearer the-secres' }, 401],
  ['with the key in another scheme', { authorization: 'Basic the-secret' }, 401],
])('a call %s moves none', async (_what, headers, status) => {
  expect((await callGates({ action: 'open', laneId: 'in-1', reason: 'x' }, headers)).status).toBe(status);
  expect(site.commands).toEqual([]);
});

test('a call for an unknown lane, or with an invalid body, is refused', async () => {
  expect((await callGates({ action: 'open', laneId: 'in-9', reason: 'x' })).status).toBe(404);
  for (const body of [
    { action: 'explode', laneId: 'in-1', reason: 'x' },
    { action: 'open' },
    'no',
    'x'.repeat(5000),
  ]) {
    expect((await callGates(body)).status).toBe(400);
  }
  expect((await fetch(`${url}/api/gates`)).status).toBe(405);
});

test('a page of another host whose name resolves to this machine is refused', async () => {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/api/lanes`, { headers: { host: 'evil.example' } }, resolve).on('error', reject);
  });
  expect(response.statusCode).toBe(421);
  response.destroy();
});
