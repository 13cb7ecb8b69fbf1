import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestBoard } from '../../test/board.ts';
import { hashPin } from '../base/pin-hash.ts';
import { PinSessions } from './pin-sessions.ts';

const PIN = '482913';
const PASSAGE = '0198c0de-0000-7000-8000-000000000001';
const OPEN = { action: 'open', reasonCode: 'guest', passageId: null };
let hash: string;
let site: ReturnType<typeof createTestBoard>;
let url: string;

beforeAll(async () => {
  hash = await hashPin(PIN);
});
beforeEach(async () => {
  site = createTestBoard();
  ({ url } = await site.api.start());
});
afterEach(() => site.api.stop());

/** A request as a browser sends it for the lanes page itself. */
function post(path: string, body: object, headers: Record<string, string> = {}, to = url) {
  const own = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', origin: to };
  return fetch(to + path, { method: 'POST', body: JSON.stringify(body), headers: { ...own, ...headers } });
}

const command = (body: object, headers?: Record<string, string>) =>
  post('/api/lanes/out-1/commands', body, headers);

describe('a person at this machine', () => {
  it('opens, holds with an end, and releases, each with a reason', async () => {
    site.pass('out-1', { open: false, reason: 'need-payment' });
    const open = await command({ ...OPEN, note: ' a locksmith ', passageId: PASSAGE });
    expect([open.status, await open.json()]).toEqual([200, { outcome: 'done' }]);
    await command({ action: 'hold', reasonCode: 'works', passageId: null, lapseMinutes: 30 });
    await command({ action: 'release', reasonCode: 'works' });
    const by = { by: 'on-site:loopback', name: 'on site', laneId: 'out-1', from: '127.0.0.1' };
    expect(site.commands).toEqual([
      { ...by, action: 'open', reasonCode: 'guest', reason: 'a locksmith', passageId: PASSAGE },
      { ...by, action: 'hold', reasonCode: 'works', reason: '', passageId: null, lapseMinutes: 30 },
      { ...by, action: 'release', reasonCode: 'works', reason: '' },
    ]);
  });

  it('does not open for a car that has made room for another one', async () => {
    site.pass('out-1');
    site.pass('out-1', { plate: 'MKJ45' });
    const answer = await command({ ...OPEN, passageId: PASSAGE });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ code: 'other-car', car: { plate: 'MKJ45' } });
  });

  it.each([
    ['no reason', { action: 'open', passageId: null }],
    ['the reason other without a note', { ...OPEN, reasonCode: 'other' }],
    ['a hold without an end', { action: 'hold', reasonCode: 'works', passageId: null }],
    ['a closing', { ...OPEN, action: 'close' }],
  ])('is refused with %s', async (_what, body) => {
    expect((await command(body)).status).toBe(400);
    expect(site.commands).toEqual([]);
  });

  it.each([
    ['a page of another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
    ['another program of this machine', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:3000' }],
    ['a page without an origin', { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['a page that a browser calls another one’s, whatever origin it has', { 'sec-fetch-site': 'cross-site' }],
    ['an address that somebody typed', { 'sec-fetch-site': 'none' }],
    ['a form', { 'content-type': 'text/plain' }],
    ['a name that resolves to this machine', { origin: 'http://evil.example' }],
  ])('is not %s', async (_what, headers) => {
    expect((await command(OPEN, headers)).status).toBe(403);
    const session = await post('/api/access', { pin: PIN }, headers);
    expect([session.status, site.commands]).toEqual([403, []]);
  });

  it('needs the PIN where the configuration says so, and sees the lanes without it', async () => {
    const strict = createTestBoard({ onSite: { loopback: 'pin', pin: hash } });
    const { url: to } = await strict.api.start();
    const act = (cookie: string) => post('/api/lanes/in-1/commands', OPEN, { cookie }, to);
    expect((await fetch(`${to}/api/lanes`)).status).toBe(200);
    expect(await (await act('')).json()).toMatchObject({ code: 'pin-needed' });
    const entered = await post('/api/access', { pin: PIN }, {}, to);
    const cookie = entered.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect((await act(cookie.replace(/;.*/, ''))).status).toBe(200);
    await strict.api.stop();
  });
});

describe('the site’s network', () => {
  let shared: ReturnType<typeof createTestBoard>;
  let outside: string;
  let codes: object[];
  beforeEach(async () => {
    const network = { host: '127.0.0.1', port: 0, names: ['hlid.local'] };
    codes = [];
    shared = createTestBoard({
      onSite: { loopback: 'open', pin: hash, network },
      async acceptCode(call) {
        codes.push(call);
        return call.code === 'CODE' ? null : 'wrong-code';
      },
    });
    await shared.api.start();
    outside = shared.api.networkUrl() ?? '';
  });
  afterEach(() => shared.api.stop());

  it('is not served without a PIN in the configuration', () => {
    expect(site.api.networkUrl()).toBeNull();
  });

  it('sees nothing of the lanes and moves no gate without the PIN; nothing else is there', async () => {
    shared.pass('in-1');
    for (const path of ['/api/lanes', '/api/devices', '/api/events', '/api/pictures/photo-1']) {
      expect((await fetch(outside + path)).status, path).toBe(401);
    }
    for (const path of ['/health', '/metrics', '/kiosk/', '/api/kiosk/site', '/api/gates', '/api/payments']) {
      expect((await fetch(outside + path)).status, path).toBe(404);
    }
    expect((await post('/api/lanes/in-1/commands', OPEN, {}, outside)).status).toBe(401);
    expect(shared.commands).toEqual([]);
  });

  it('accepts the code of a driver with the PIN only', async () => {
    const typed = { plate: 'MKJ45', code: 'CODE' };
    const without = await post('/api/codes', typed, {}, outside);
    expect([without.status, await without.json()]).toEqual([
      401,
      expect.objectContaining({ code: 'pin-needed' }),
    ]);
    expect(codes).toEqual([]);
    const entered = await post('/api/access', { pin: PIN }, {}, outside);
    const cookie = (entered.headers.get('set-cookie') ?? '').replace(/;.*/, '');
    expect((await post('/api/codes', typed, { cookie }, outside)).status).toBe(200);
    const wrong = await post('/api/codes', { ...typed, code: 'OTHER' }, { cookie }, outside);
    expect([wrong.status, await wrong.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'wrong-code' }),
    ]);
    expect((await post('/api/codes', { plate: 'MKJ45' }, { cookie }, outside)).status).toBe(400);
    expect(codes).toEqual([typed, { ...typed, code: 'OTHER' }]);
  });

  it('sees and moves with the PIN, until it locks the page', async () => {
    const entered = await post('/api/access', { pin: PIN }, {}, outside);
    const cookie = (entered.headers.get('set-cookie') ?? '').replace(/;.*/, '');
    expect((await fetch(`${outside}/api/lanes`, { headers: { cookie } })).status).toBe(200);
    await post('/api/lanes/in-1/commands', OPEN, { cookie }, outside);
    expect(shared.commands).toMatchObject([{ by: 'on-site:network', name: 'on site' }]);
    const headers = { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
    await fetch(`${outside}/api/access`, { method: 'DELETE', headers, body: '{}' });
    expect((await fetch(`${outside}/api/lanes`, { headers: { cookie } })).status).toBe(401);
  });

  it('is known by its address and its names only', async () => {
    const statusFor = async (host: string) => {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        get(`${outside}/api/access`, { headers: { host } }, resolve).on('error', reject);
      });
      response.destroy();
      return response.statusCode;
    };
    const { port } = new URL(outside);
    expect(await statusFor(`127.0.0.1:${port}`)).toBe(200);
    expect(await statusFor(`HLID.local:${port}`)).toBe(200);
    expect(await statusFor('evil.example')).toBe(421);
  });
});

describe('the PIN', () => {
  it('moves gates for ten minutes after it was typed or used, and shows the lanes for a shift', async () => {
    let now = 0;
    const sessions = new PinSessions(hash, () => now);
    const entered = await sessions.enter(PIN, '10.0.0.7');
    const token = entered.ok ? entered.token : '';
    now += 9 * 60_000;
    expect(sessions.mayAct(token)).toBe(true);
    sessions.acted(token);
    now += 9 * 60_000;
    expect(sessions.mayAct(token)).toBe(true);
    now += 60_000;
    expect([sessions.mayAct(token), sessions.viewLeftMs(token) > 0]).toEqual([false, true]);
    now += 12 * 3_600_000;
    expect(sessions.viewLeftMs(token)).toBe(0);
  });

  it('is not guessed: five wrong ones of an address, also at once, are all for ten minutes', async () => {
    let now = 0;
    const sessions = new PinSessions(hash, () => now);
    const guesses = await Promise.all(
      Array.from({ length: 7 }, (_, n) => sessions.enter(`00000${n}`, '10.0.0.7')),
    );
    const wrong = { ok: false, reason: 'wrong', waitMs: 0 };
    const tooMany = { ok: false, reason: 'too-many', waitMs: 600_000 };
    expect(guesses).toEqual([...Array(5).fill(wrong), tooMany, tooMany]);
    expect(await sessions.enter(PIN, '10.0.0.7')).toEqual(tooMany);
    expect(await sessions.enter(PIN, '10.0.0.8')).toMatchObject({ ok: true });
    now += 600_000;
    expect(await sessions.enter(PIN, '10.0.0.7')).toMatchObject({ ok: true });
  });

  it('is not guessed from many addresses: thirty wrong ones of all are all for ten minutes', async () => {
    let now = 0;
    const sessions = new PinSessions(hash, () => now);
    const guess = (n: number) => sessions.enter('000000', `10.0.0.${Math.floor(n / 5)}`);
    const guesses = await Promise.all(Array.from({ length: 40 }, (_, n) => guess(n)));
    const reasons = guesses.map((answer) => (answer.ok ? 'in' : answer.reason));
    expect(reasons).toEqual([...Array(30).fill('wrong'), ...Array(10).fill('too-many')]);
    expect(await sessions.enter(PIN, '10.0.1.1')).toMatchObject({ ok: false, reason: 'too-many' });
    now += 600_000;
    expect(await sessions.enter(PIN, '10.0.1.1')).toMatchObject({ ok: true });
  });
});
