import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type Json, type TestApi } from '../../../../test/api.ts';
import { frame } from '../../../../test/sample-documents.ts';
import { eq } from '../../../platform/db/sql.ts';
import { visitTable } from '../../../records/visits/visit-table.ts';
import { integrationEventTable } from '../../../records/webhooks/integration-event-table.ts';
import { custodyJob } from './custody-job.ts';

let api: TestApi;
let own: string;
beforeEach(async () => {
  api = await createTestApi();
  own = (await customer()).id;
});
afterEach(() => api.close());

const customer = () => api.made('/customers', { customer: { language: 'is' } });
const give = (fields: Json) => api.made('/custodians', { plate: 'ABX12', customerId: own, ...fields });
const hours = (n: number) => utcTime(Date.parse(api.now()) + n * HOUR_MS);
const visitRow = async (id: string) =>
  await api.db.read(async (q) => (await q.select().from(visitTable).where(eq(visitTable.id, id)))[0]);
const customerOf = async (id: string) => (await visitRow(id))?.customerId;
const reported = async () =>
  await api.db.read(async (q) => {
    const events = await q.select().from(integrationEventTable).orderBy(integrationEventTable.n);
    return events.map(({ type, subjectId }) => [type, subjectId]);
  });
const item = async () => (await api.changes()).filter(({ kind }) => kind === 'vehicle').at(-1);

it('a visit in hand stays whose it is; the next is the customer’s, and after a release none', async () => {
  const inside = await api.visit({ plate: 'ABX12' });
  const { id } = await give({});
  expect(await customerOf(inside.id)).toBeNull();
  await api.visit({ ...inside, endedAt: api.now(), status: 'completed' });
  expect(await customerOf(inside.id)).toBeNull();
  api.wait(HOUR_MS);
  const during = await api.visit({ plate: 'ABX12', startedAt: api.now() });
  expect(await customerOf(during.id)).toBe(own);
  await api.call('DELETE', `/custodians/${id}`);
  expect(await customerOf(during.id)).toBe(own);
  await api.visit({ ...during, endedAt: api.now(), status: 'completed' });
  api.wait(HOUR_MS);
  const after = await api.visit({ plate: 'ABX12', startedAt: api.now() });
  expect(await customerOf(after.id)).toBeNull();
});

it('a visit of a past time that is nobody’s becomes the customer’s with that time', async () => {
  const past = await api.visit({ startedAt: hours(-48), endedAt: hours(-47), status: 'completed' });
  const before = await api.visit({ startedAt: hours(-72), endedAt: hours(-71), status: 'completed' });
  await give({ dateFrom: hours(-50) });
  expect(await customerOf(past.id)).toBe(own);
  expect(await customerOf(before.id)).toBeNull();
  expect((await reported()).at(-1)).toEqual(['visit.updated', past.id]);
});

it('a stranger’s car that is taken into custody while it is inside shows nothing of its stay', async () => {
  const camera = await api.made('/cameras', { name: 'In', location: 'entrance', remoteId: 'in-1' });
  const path = `/photos/open-alpr?camera.id=${camera.id}`;
  const { body: made } = await api.call('POST', path, { body: frame('MKJ45', api.now()) });
  const visitId = String(made['visitId']);
  const token = await api.account('customer', { customerId: own });
  api.wait(HOUR_MS);
  await api.made('/custodians', { plate: 'MKJ45' }, { token });
  const get = async (where: string) => (await api.call('GET', where, { token })).status;
  expect([await get(`/visit/${visitId}`), await get(`/visit/${visitId}/price`)]).toEqual([404, 404]);
  expect([await get(`/photo/${made['id']}`), await get(`/photo/${made['id']}/picture`)]).toEqual([404, 404]);
  const permit = await api.call('POST', `/visit/${visitId}/whitelist`, { token, body: { reason: 'x' } });
  expect(permit.status).toBe(404);
  expect(await api.plates('/visits?collection=open', { token })).toEqual([]);
  expect((await api.call('GET', `/visit/${visitId}/price`)).body['decision']).not.toMatchObject({
    settlement: 'company-invoice',
  });
});

it('a visit in hand stays whose it is when custody begins by its date; what is over leaves the sites', async () => {
  const run = async () =>
    await custodyJob(api.db).work({ now: api.now(), signal: new AbortController().signal });
  const inside = await api.visit({ plate: 'ABX12' });
  await give({ dateFrom: hours(1), dateTo: hours(30) });
  await run();
  expect(await customerOf(inside.id)).toBeNull();
  api.wait(HOUR_MS);
  await run();
  expect(await customerOf(inside.id)).toBeNull();
  expect(await item()).toMatchObject({ op: 'put' });
  api.wait(DAY_MS + 6 * HOUR_MS);
  await run();
  expect(await item()).toEqual({ kind: 'vehicle', op: 'remove', id: 'ABX12' });
  const count = (await api.changes()).length;
  await run();
  expect(await api.changes()).toHaveLength(count);
});

it('a visit of a vehicle that changes hands while it is inside stays with its first custodian', async () => {
  const other = (await customer()).id;
  await give({ dateFrom: hours(-6) });
  const inside = await api.visit({ plate: 'ABX12' });
  expect(await customerOf(inside.id)).toBe(own);
  await give({ customerId: other, autoRelease: true });
  expect(await customerOf(inside.id)).toBe(own);
});

it('a visit that begins is known to be of a heavy vehicle', async () => {
  await api.call('POST', '/vehicle/TRX77/override', { body: { values: { massladen: 18_000 } } });
  const { id } = await api.visit({ plate: 'TRX77' });
  expect(await visitRow(id)).toMatchObject({ vehicleCategory: 'heavy', customerId: null });
});
