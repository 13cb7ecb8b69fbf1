import { DAY_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { tokenTable } from '../../records/auth/token-table.ts';
import { issueToken } from '../auth/tokens.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const IssuedSchema = z.looseObject({ id: z.string(), access_token: z.string() });

async function make(path: string, body: Json) {
  const answer = await api.call('POST', path, { body });
  expect(answer.status).toBe(200);
  return IssuedSchema.parse(answer.body);
}
const makeRole = (role: string) => make('/admin/create-role-bearer-token', { name: `a ${role}`, role });
const listed = async (query = '') => (await api.call('GET', `/admin/tokens${query}`)).body;

async function addCamera(): Promise<string> {
  const body = { name: 'Entrance', brand: 'survision', location: 'entrance', remoteId: 'cam-1' };
  const answer = await api.call('POST', '/cameras', { body: { ...body, status: 'active', config: {} } });
  expect(answer.status, JSON.stringify(answer.body)).toBe(303);
  return z.string().parse(answer.body['id']);
}

describe('a role’s token', () => {
  it.each(['webhook', 'kiosk', 'whitelist'])(
    'of a %s works, is listed, and ends when revoked',
    async (role) => {
      const { id, access_token: token } = await makeRole(role);
      expect((await api.call('GET', '/ping/token', { token })).status).toBe(200);
      const list = await listed();
      expect(list).toMatchObject({
        total: 1,
        data: [{ id, role, name: `a ${role}`, usedOn: '2026-11-21', cameraId: null }],
      });
      expect(JSON.stringify(list)).not.toContain(token);
      expect((await api.call('DELETE', `/admin/tokens/${id}`)).status).toBe(204);
      expect((await api.call('GET', '/ping/token', { token })).status).toBe(401);
      expect((await listed())['data']).toEqual([]);
      expect((await api.call('DELETE', `/admin/tokens/${id}`)).status).toBe(404);
      const audited = await api.audited();
      expect(audited.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['token.create', 'token.revoke']),
      );
      expect(JSON.stringify(audited)).not.toContain(token);
    },
  );

  it.each([
    ['nothing', {}, 2],
    ['no role of a token', { name: 'x', role: 'operator' }, 1],
    ['unknown fields', { name: 'x', role: 'kiosk', life: 1 }, 1],
  ])('of %s is refused', async (_what, body, mistakes) => {
    const answer = await api.call('POST', '/admin/create-role-bearer-token', { body });
    expect(answer.status).toBe(400);
    expect(answer.body['messages']).toHaveLength(mistakes);
  });

  it('is made, listed and revoked by operators only', async () => {
    const token = await api.account('partner', { customerId: 'c1' });
    const calls = await Promise.all([
      api.call('POST', '/admin/create-role-bearer-token', { token, body: { name: 'x', role: 'kiosk' } }),
      api.call('POST', '/admin/create-photo-token', { token, body: { name: 'x', cameraId: 'c' } }),
      api.call('GET', '/admin/tokens', { token }),
      api.call('DELETE', '/admin/tokens/x', { token }),
    ]);
    expect(calls.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  it('is found by its role, page by page; the day of its last use moves on', async () => {
    const { access_token: token } = await makeRole('kiosk');
    for (let n = 0; n < 60; n++) {
      api.wait(1);
      await api.roleToken('webhook');
    }
    expect(await listed('?role=kiosk')).toMatchObject({ total: 1, data: [{ usedOn: null }] });
    for (const usedOn of ['2026-11-22', '2026-11-23']) {
      api.wait(DAY_MS);
      await api.call('GET', '/ping/token', { token });
      expect(await listed('?role=kiosk')).toMatchObject({ data: [{ usedOn }] });
    }
    const first = await listed();
    expect(first).toMatchObject({ total: 61, data: { length: 50 } });
    expect(await listed(`?next=${String(first['next'])}`)).toMatchObject({ data: { length: 11 } });
    expect((await api.call('GET', '/admin/tokens?role=chief')).status).toBe(400);
  });
});

describe('a camera’s token', () => {
  it('comes with the address to post to, and is listed with its camera', async () => {
    const cameraId = await addCamera();
    const made = await make('/admin/create-photo-token', { name: 'Entrance', cameraId });
    expect(made['url']).toBe(`https://hlid.example/photos/{type}?token=${made.access_token}`);
    expect((await listed())['data']).toMatchObject([{ id: made.id, role: 'photo', cameraId, usedOn: null }]);
    expect((await api.call('DELETE', `/admin/tokens/${made.id}`)).status).toBe(204);
  });

  it('of a camera that is not there is refused', async () => {
    const body = { name: 'x', cameraId: 'none' };
    const answer = await api.call('POST', '/admin/create-photo-token', { body });
    expect(answer).toMatchObject({ status: 400, body: { messages: ['cameraId: there is no such camera'] } });
  });
});

describe('an account’s tokens', () => {
  const device = (accountId: string, deviceUuid: string) =>
    api.db.write(
      async ({ q }) => await issueToken(q, { accountId, deviceUuid }, { from: api.now(), until: null }),
    );

  it('are seen and ended by its holder and by operators', async () => {
    const token = await api.account('customer', { id: 'anna', customerId: 'c1' });
    const phone = await device('anna', 'phone');
    const own = await api.call('GET', '/accounts/anna/tokens', { token });
    expect(own.body).toMatchObject({ total: 2 });
    expect(own.body['data']).toContainEqual(
      expect.objectContaining({ id: phone.id, deviceUuid: 'phone', current: false }),
    );
    expect(JSON.stringify(own.body)).not.toContain(phone.token);
    const path = `/accounts/anna/tokens/${phone.id}`;
    expect((await api.call('DELETE', path, { token })).status).toBe(204);
    expect((await api.call('GET', '/ping/token', { token: phone.token })).status).toBe(401);
    expect((await api.call('DELETE', path, { token })).status).toBe(404);
    expect((await api.call('GET', '/accounts/anna/tokens')).body).toMatchObject({ total: 1 });
  });

  it('of a colleague are denied, of another customer’s account are not there', async () => {
    const token = await api.account('customer', { id: 'anna', customerId: 'c1' });
    await api.account('customer', { id: 'bo', customerId: 'c1' });
    await api.account('customer', { id: 'cal', customerId: 'c2' });
    const { id } = await device('bo', 'phone');
    const status = async (method: string, path: string) => (await api.call(method, path, { token })).status;
    expect(await status('GET', '/accounts/bo/tokens')).toBe(403);
    expect(await status('DELETE', `/accounts/bo/tokens/${id}`)).toBe(403);
    expect(await status('GET', '/accounts/cal/tokens')).toBe(404);
    expect(await status('DELETE', `/accounts/cal/tokens/${id}`)).toBe(404);
    // Another account's token is not to be ended by way of one's own.
    expect(await status('DELETE', `/accounts/anna/tokens/${id}`)).toBe(404);
    expect(await status('GET', '/accounts/anna/tokens?next=x')).toBe(400);
    expect((await api.call('GET', '/ping/token', { token })).status).toBe(200);
  });

  it('are kept hashed', async () => {
    const { token } = await device('the-operator', 'phone');
    const rows = await api.db.read(async (q) => await q.select().from(tokenTable));
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});
