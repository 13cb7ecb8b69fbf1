import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { eq } from '../db/sql.ts';
import { idempotencyCleanupJob } from './idempotency.ts';
import { idempotencyTable } from './idempotency-table.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const KEY = { 'idempotency-key': 'order-1' };
const BODY = { name: 'Cellar', settings: { capacity: 10 } };
const addZone = (body: unknown = BODY, headers: Record<string, string> = KEY, token = api.operator) =>
  api.call('POST', '/zones', { body, headers, token });
const zones = async () => (await api.call('GET', '/zones')).body['total'];

describe('a call with an Idempotency-Key', () => {
  it('is done once and answered the same', async () => {
    const first = await addZone();
    const again = await addZone();
    expect(first.status).toBe(303);
    expect([again.status, again.location, again.body]).toEqual([first.status, first.location, first.body]);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await zones()).toBe(1);
  });

  it('is done once however many come at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => addZone()));
    expect(await zones()).toBe(1);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 409]));
  });

  it('is refused for another call', async () => {
    await addZone();
    const other = await addZone({ ...BODY, name: 'Roof' });
    expect(other.status).toBe(400);
    expect(other.body['messages']).toEqual(['Idempotency-Key: it was used for another call']);
  });

  it('belongs to its caller', async () => {
    await addZone();
    const second = await addZone({ ...BODY, name: 'Roof' }, KEY, await api.account('operator'));
    expect(second.headers.get('idempotency-replayed')).toBeNull();
    expect(await zones()).toBe(2);
  });

  it('may come again, corrected, after a refusal', async () => {
    expect((await addZone({ name: '' })).status).toBe(400);
    expect((await addZone()).status).toBe(303);
  });

  it('with an outcome that is not known is not done again', async () => {
    await addZone();
    await api.db.write(async ({ q }) => {
      await q.update(idempotencyTable).set({ status: null }).where(eq(idempotencyTable.key, 'order-1'));
    });
    const again = await addZone();
    expect(again.status).toBe(409);
    expect(again.body['messages']).toEqual([expect.stringContaining('look whether it was done')]);
    expect(await zones()).toBe(1);
  });

  it('is forgotten after a day', async () => {
    await addZone();
    api.wait(25 * HOUR_MS);
    await idempotencyCleanupJob(api.db).work({ now: api.now(), signal: new AbortController().signal });
    expect((await addZone()).headers.get('idempotency-replayed')).toBeNull();
  });

  it.each(['with space', 'x'.repeat(256), 'ó'])('%j is no key', async (key) => {
    const encoded = Buffer.from(key).toString('latin1');
    expect((await addZone(BODY, { 'idempotency-key': encoded })).status).toBe(400);
  });

  it('keeps no token of an address', async () => {
    const token = await api.roleToken('webhook');
    const body = { startedOn: '2026-11-21T08:00:00.000Z', plate: 'ABX12', status: 'new' };
    const made = await api.call('POST', '/visits', { body, token, headers: KEY });
    expect(made.location).toContain('access_token=');
    const [row] = await api.db.read(async (q) => await q.select().from(idempotencyTable));
    expect(row?.location).toBe(made.location?.split('?')[0]);
  });

  it('that holds a password is done once too, and nothing of the password is left behind', async () => {
    const account = { role: 'operator', status: 'active', name: 'New' };
    const call = async (password: string, name = 'New') => {
      const authentication = { email: 'new@example.is', password };
      return await api.call('POST', '/accounts', {
        body: { account: { ...account, name }, authentication },
        headers: KEY,
      });
    };
    const first = await call('a long one, not common');
    expect([first.status, (await call('a long one, not common')).body]).toEqual([303, first.body]);
    const [row] = await api.db.read(async (q) => await q.select().from(idempotencyTable));
    expect((await call('another long one')).headers.get('idempotency-replayed')).toBe('true');
    expect(row?.body).not.toContain('long one');
    expect((await call('a long one, not common', 'Other')).status).toBe(400);
    const customer = { customer: { name: 'Bílaleigan', language: 'is' } };
    const made = () =>
      api.call('POST', '/customers', { body: customer, headers: { 'idempotency-key': 'c' } });
    expect((await made()).body['id']).toBe((await made()).body['id']);
  });

  it('that is answered with a secret leaves nothing of it behind', async () => {
    await api.call('POST', '/sites', {
      body: { name: 'Roof', timeZone: 'UTC', currency: 'ISK' },
      headers: KEY,
    });
    expect(await api.db.read(async (q) => await q.select().from(idempotencyTable))).toEqual([]);
  });
});
