import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { flagsOfVisit, sampleCustomer, sampleQuotaProduct } from '../../../test/sample-quota.ts';
import type { Db } from '../../platform/db/db.ts';
import { openDb } from '../../platform/db/libsql-db.ts';
import { findAnyQuota } from '../../records/quotas/quota-store.ts';
import { quotaSummary } from '../../records/quotas/quota-summary.ts';
import { quotaVisitTable } from '../../records/quotas/quota-table.ts';
import { integrationEventTable } from '../../records/webhooks/integration-event-table.ts';
import { followQuota } from './follow-quota.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
  await sampleCustomer(api, 'c1');
});
afterEach(() => api.close());

async function quotaOf(quantity: number, name = randomUUID()): Promise<string> {
  const product = await sampleQuotaProduct(api);
  return (await api.made('/quotas', { customer: 'c1', product, quantity, name })).id;
}

const shown = async (id: string) => (await api.call('GET', `/quotas/${id}`)).body;
const bookOf = async (id: string) =>
  await api.db.read(async (q) => {
    const quota = (await findAnyQuota(q, id))?.quota;
    const rows = (await q.select().from(quotaVisitTable)).filter(({ quotaId }) => quotaId === id);
    const taken = rows.reduce((sum, { units }) => sum + units, 0);
    return { total: quota?.total ?? 0, used: quota?.used ?? 0, taken };
  });
const flagsOf = (id: string) => flagsOfVisit(api, id);

describe('a visit that a quota meets', () => {
  it('takes a unit at entry, more as it stays, and stands in currentVisits until it ends', async () => {
    const id = await quotaOf(10);
    const visit = await api.visit({ quota: { id, units: 1 } });
    expect(await shown(id)).toMatchObject({
      used: 1,
      free: 9,
      currentVisits: [
        {
          quotaId: id,
          customerId: 'c1',
          visitId: visit.id,
          plate: 'ABX12',
          visit: { id: visit.id, siteId: api.site.id, status: 'new', startedOn: visit.startedAt },
        },
      ],
    });
    expect(await api.lastChange()).toMatchObject({ kind: 'quota', op: 'put', id, item: { used: 1 } });
    await api.visit({ ...visit, quota: { id, units: 2 } });
    expect(await api.db.read((q) => quotaSummary(q, 'c1'))).toEqual({
      total: 10,
      free: 8,
      used: 2,
      currentVisits: [visit.id],
    });
    await api.visit({
      ...visit,
      quota: { id, units: 2 },
      status: 'completed',
      endedAt: '2026-11-22T09:00:00.000Z',
    });
    expect(await shown(id)).toMatchObject({ used: 2, currentVisits: [] });
    await api.visit({ ...visit, quota: { id, units: 2 } });
    expect(await shown(id)).toMatchObject({ used: 2, currentVisits: [{ visitId: visit.id }] });
  });

  it('is not counted twice when it is sent again', async () => {
    const id = await quotaOf(10);
    const visit = await api.visit({ quota: { id, units: 3 } });
    const changes = await api.changes();
    for (let n = 0; n < 3; n++) await api.visit(visit);
    expect(await shown(id)).toMatchObject({ used: 3 });
    expect(await api.changes()).toEqual(changes);
  });

  it('gives back what it no longer takes, also to a quota that it has left', async () => {
    const [one, two] = [await quotaOf(10), await quotaOf(10)];
    const visit = await api.visit({ quota: { id: one, units: 3 } });
    await api.visit({ ...visit, quota: { id: one, units: 2 } });
    expect(await bookOf(one)).toEqual({ total: 10, used: 2, taken: 2 });
    await api.visit({ ...visit, quota: { id: two, units: 4 } });
    expect(await bookOf(one)).toEqual({ total: 10, used: 0, taken: 0 });
    expect(await bookOf(two)).toEqual({ total: 10, used: 4, taken: 4 });
    await api.visit({ ...visit, quota: null });
    expect(await shown(two)).toMatchObject({ used: 0, free: 10, currentVisits: [] });
  });

  it('takes what is there, and is flagged for the rest; integrators hear of the last unit once', async () => {
    const id = await quotaOf(3);
    const first = await api.visit({ quota: { id, units: 2 } });
    const second = await api.visit({ plate: 'MKJ45', quota: { id, units: 2 } });
    expect(await bookOf(id)).toEqual({ total: 3, used: 3, taken: 3 });
    expect([await flagsOf(first.id), await flagsOf(second.id)]).toEqual([[], ['quota-exceeded']]);
    await api.visit(first);
    const events = await api.db.read(async (q) => await q.select().from(integrationEventTable));
    expect(events.filter(({ type }) => type === 'quota.exhausted')).toMatchObject([{ subjectId: id }]);
  });

  it('of a quota that is not known has none of it', async () => {
    const visit = await api.visit({ quota: { id: 'none', units: 2 } });
    expect(await flagsOf(visit.id)).toEqual(['quota-exceeded']);
  });
});

describe('visits at once', () => {
  it('from several sites and two processes never take more than there is', async () => {
    const id = await quotaOf(7);
    const { db, dbPath } = api;
    const another = await openDb(dbPath);
    const enter = (by: Db) =>
      by.write((tx) => {
        const visit = { id: randomUUID(), quota: { id, units: 2 }, endedAt: null };
        return followQuota(tx, visit, api.now());
      });
    const lacking = await Promise.all(
      Array.from({ length: 20 }, (_, n) => enter(n % 2 === 0 ? db : another)),
    );
    await another.close();
    expect(await bookOf(id)).toEqual({ total: 7, used: 7, taken: 7 });
    expect(lacking.reduce((sum, units) => sum + units, 0)).toBe(20 * 2 - 7);
  });

  it('in any order, sent again or reversed: the sum of their units is what is used, within the total', async () => {
    const [one, two] = [await quotaOf(5), await quotaOf(4)];
    const visits = Array.from({ length: 4 }, () => randomUUID());
    const reported = fc.record({
      visit: fc.constantFrom(...visits),
      quota: fc.option(fc.record({ id: fc.constantFrom(one, two, 'none'), units: fc.nat({ max: 4 }) })),
      endedAt: fc.constantFrom(null, '2026-11-22T09:00:00.000Z'),
    });
    const action = fc.oneof(
      { weight: 6, arbitrary: reported },
      { weight: 1, arbitrary: fc.record({ reset: fc.constantFrom(one, two) }) },
      {
        weight: 2,
        arbitrary: fc.record({ change: fc.constantFrom(one, two), quantity: fc.integer({ min: 1, max: 8 }) }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 1, maxLength: 12 }), async (actions) => {
        await Promise.all(
          actions.map(async (did) => {
            if ('reset' in did) await api.call('POST', `/quotas/${did.reset}/reset`);
            else if ('change' in did) {
              await api.call('PUT', `/quotas/${did.change}`, { body: { quantity: did.quantity } });
            } else {
              const { visit: id, ...rest } = did;
              await api.db.write((tx) => followQuota(tx, { id, ...rest }, api.now()));
            }
          }),
        );
        for (const id of [one, two]) {
          const { total, used, taken } = await bookOf(id);
          expect(taken).toBe(used);
          expect(used).toBeLessThanOrEqual(total);
          const change = (await api.changes())
            .filter((sent) => sent.kind === 'quota' && sent.id === id)
            .at(-1);
          expect(change).toMatchObject({ item: { total, used } });
        }
      }),
      { numRuns: 40 },
    );
  });
});
