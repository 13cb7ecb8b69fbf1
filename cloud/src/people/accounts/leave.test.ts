import { afterEach, beforeEach, expect, it } from 'vitest';
import { logIn, PASSWORD } from '../../../test/accounts.ts';
import { createTestApi, type Json, type TestApi } from '../../../test/api.ts';
import { permitEndJob } from '../../vehicles/whitelist/end-permits.ts';

const PERMITS = '/visit/whitelist';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

async function addAccount(fields: Json, email?: string): Promise<string> {
  const authentication = email === undefined ? {} : { authentication: { email, password: PASSWORD } };
  return (await api.made('/accounts', { account: { status: 'active', ...fields }, ...authentication })).id;
}

const addPermit = (plate: string, authorId: string) => api.made(PERMITS, { plate, reason: 'x', authorId });
const leave = (id: string, body: Json = {}) => api.call('POST', `/accounts/${id}/leave`, { body });
const works = async (token: string) => (await api.call('GET', '/ping/token', { token })).status === 200;

async function endPermits(): Promise<void> {
  const job = permitEndJob(api.db);
  if (await job.isDue?.(api.now())) await job.work({ now: api.now(), signal: new AbortController().signal });
}

async function authors(): Promise<Record<string, unknown>> {
  const { body } = await api.call('GET', PERMITS);
  const rows = body['data'] as { plate: string; authorId: unknown }[];
  return Object.fromEntries(rows.map(({ plate, authorId }) => [plate, authorId]));
}

it('says what ends before a person leaves, then ends it', async () => {
  const id = await addAccount({ role: 'whitelist' }, 'a@example.is');
  const token = await logIn(api, 'a@example.is');
  await addPermit('AB1', id);
  const path = `/accounts/${id}/leave`;
  const leaving = { tokens: 1, permits: 1, outcome: 'end' };
  expect((await api.call('GET', path)).body).toEqual(leaving);
  expect(await works(token)).toBe(true);
  expect(await leave(id)).toMatchObject({ status: 200, body: leaving });
  expect(await works(token)).toBe(false);
  await endPermits();
  expect(await authors()).toEqual({});
  expect((await api.call('GET', path)).body).toEqual({ tokens: 0, permits: 0, outcome: 'end' });
  expect((await api.call('GET', `/accounts/${id}`)).body).toMatchObject({ status: 'inactive' });
});

it('passes the permits to another account of the same customer', async () => {
  const { id: customerId } = await api.made('/customers', {
    customer: { name: 'Hótelið ehf.', language: 'is' },
  });
  const [id, other] = [
    await addAccount({ role: 'partner', customerId }),
    await addAccount({ role: 'partner', customerId }),
  ];
  for (let n = 0; n < 60; n++) await addPermit(`AB${n}`, id);
  expect((await leave(id, { permitsTo: other })).body).toEqual({ tokens: 0, permits: 60, outcome: 'pass' });
  await endPermits();
  expect(new Set(Object.values(await authors()))).toEqual(new Set([other]));
  const operator = await addAccount({ role: 'operator' });
  await leave(other, { permitsTo: operator });
  await endPermits();
  expect(new Set(Object.values(await authors()))).toEqual(new Set([operator]));
});

it('lets an operator leave whose permits stay', async () => {
  const id = await addAccount({ role: 'operator' });
  await addPermit('AB1', id);
  expect((await leave(id)).body).toEqual({ tokens: 0, permits: 1, outcome: 'stay' });
  await endPermits();
  expect(await authors()).toEqual({ AB1: id });
});

it('lets the permits end if their new account has gone meanwhile', async () => {
  const [id, other] = [await addAccount({ role: 'whitelist' }), await addAccount({ role: 'whitelist' })];
  await addPermit('AB1', id);
  await leave(id, { permitsTo: other });
  await leave(other);
  await endPermits();
  expect(await authors()).toEqual({});
});

it('refuses an account that may not have the permits, and changes nothing', async () => {
  const { id: customerId } = await api.made('/customers', {
    customer: { name: 'Hótelið ehf.', language: 'is' },
  });
  const id = await addAccount({ role: 'whitelist' });
  const gone = await addAccount({ role: 'whitelist', status: 'inactive' });
  const another = await addAccount({ role: 'partner', customerId });
  for (const permitsTo of [id, gone, another, 'nobody']) {
    expect((await leave(id, { permitsTo })).status, permitsTo).toBe(400);
  }
  expect((await api.call('GET', `/accounts/${id}`)).body).toMatchObject({ status: 'active' });
});

it('keeps the last operator with all rights', async () => {
  const { body } = await api.call('GET', '/accounts?role=operator');
  const [first] = body['data'] as { id: string }[];
  expect((await leave(first?.id ?? '')).status).toBe(400);
});
