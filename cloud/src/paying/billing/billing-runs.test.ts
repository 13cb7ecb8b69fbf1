import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { useBilling } from '../../../test/billing.ts';
import { diesAfter } from '../../../test/dies-after.ts';
import { addCustomer, allInvoices } from '../../../test/settlements.ts';
import type { Db } from '../../platform/db/db.ts';
import { openDb } from '../../platform/db/libsql-db.ts';
import { eq, sql } from '../../platform/db/sql.ts';
import { ScheduledRuns } from '../../platform/jobs/scheduled-runs.ts';
import { chargeTable } from '../../records/invoices/charge-table.ts';
import { billingRun } from './bill-customers.ts';

const billing = useBilling();
const { income, charge, bill } = billing;
const charges = () => billing.api.db.read(async (q) => await q.select().from(chargeTable));

/** One run of the schedule. */
async function runScheduled(db: Db = billing.api.db): Promise<void> {
  await billingRun({ ...billing.api.context, db }).work({
    now: billing.api.now(),
    signal: new AbortController().signal,
  });
}

describe('runs', () => {
  /** Customers with some charges each of three days that are over. */
  async function muchToBill(customers: number): Promise<number> {
    for (let n = 0; n < customers; n++) {
      const customerId = await addCustomer(billing.api, { billingMethod: 'daily', discount: n % 20 });
      for (const day of ['18', '19', '20']) {
        await charge(customerId, { at: `2026-11-${day}T08:00:00.000Z` });
        await charge(customerId, { at: `2026-11-${day}T18:00:00.000Z` });
      }
    }
    return customers * 3;
  }

  /** Each charge in one invoice, each invoice of its charges, the income of its invoices. */
  async function expectRightBooks(expected: number): Promise<void> {
    const invoices = await allInvoices(billing.api);
    expect(invoices).toHaveLength(expected);
    const all = await charges();
    for (const { id, lines } of invoices) {
      const collected = all.filter(({ invoiceId }) => invoiceId === id).map(({ visitId }) => visitId);
      expect(lines.flatMap(({ visitId }) => visitId ?? []).sort()).toEqual(collected.sort());
    }
    expect(all.filter(({ invoiceId }) => invoiceId === null)).toEqual([]);
    const sum = (rows: { amountMinor: number }[]) => rows.reduce((total, row) => total + row.amountMinor, 0);
    expect(sum(await income())).toBe(sum(invoices));
    expect(invoices.map(({ number }) => number ?? 0).sort((a, b) => a - b)).toEqual(
      Array.from({ length: expected }, (_, index) => index + 1),
    );
  }

  it('a run that is broken off anywhere is finished by the next one', async () => {
    const expected = await muchToBill(5);
    let billed = 0;
    for (let allowed = 1; billed < expected; allowed++) {
      await runScheduled(diesAfter(billing.api.db, allowed)).catch(() => undefined);
      billed = (await allInvoices(billing.api)).length;
    }
    await runScheduled();
    await expectRightBooks(expected);
  });

  it('runs at the same moment bill each charge once', async () => {
    const expected = await muchToBill(4);
    await Promise.all([bill(), runScheduled(), bill(), runScheduled()]);
    await expectRightBooks(expected);
  });

  it('two processes with the same schedule bill each charge once', async () => {
    const expected = await muchToBill(4);
    const other = await openDb(await pathOf(billing.api.db));
    const log = pino({ level: 'silent' });
    const processes = [billing.api.db, other].map((db) => {
      // Leases that have run out as they are taken: both are at it together.
      const run = { ...billingRun({ ...billing.api.context, db }), everyMs: 1, leaseMs: -1 };
      return new ScheduledRuns({ db, clock: billing.api.clock, log }, [run]);
    });
    try {
      for (const one of processes) one.start();
      const deadline = Date.now() + 5000;
      while ((await allInvoices(billing.api)).length < expected && Date.now() < deadline)
        await setImmediate();
    } finally {
      for (const one of processes) await one.stop();
      await other.close();
    }
    await expectRightBooks(expected);
  });

  it('one customer who cannot be billed does not keep the others from it, and is named', async () => {
    const good = await addCustomer(billing.api);
    const bad = await addCustomer(billing.api);
    for (const customerId of [good, bad]) await charge(customerId, { at: '2026-11-20T08:00:00.000Z' });
    await billing.api.db.write(async ({ q }) => {
      await q.update(chargeTable).set({ amountMinor: 0.5 }).where(eq(chargeTable.customerId, bad));
    });
    const run = await bill();
    expect(run).toMatchObject({ invoices: 1, error: expect.stringContaining(bad) });
    await expect(runScheduled()).rejects.toThrow(bad);
  });

  it('are listed with what they made; those of the schedule only where they had something to do', async () => {
    await runScheduled();
    await bill();
    const customerId = await addCustomer(billing.api);
    await charge(customerId, { at: '2026-11-20T08:00:00.000Z' });
    billing.api.wait(1000);
    await runScheduled();
    const { body } = await billing.api.call('GET', '/billing/runs');
    expect(body['data']).toMatchObject([
      { by: 'cloud:billing', invoices: 1, amounts: [{ amount: 1000, currency: 'ISK' }], error: null },
      { by: 'account:the-operator', invoices: 0, amounts: [] },
    ]);
    expect((await billing.api.audited()).filter(({ action }) => action === 'billing.run')).toHaveLength(1);
  });

  it('are refused with mistakes, for the future and to others', async () => {
    const refused = async (body: object) =>
      (await billing.api.call('POST', '/billing/runs', { body })).body['messages'];
    expect(await refused({ until: 'soon', what: 1 })).toMatchObject({ length: 2 });
    expect(await refused({ until: '2026-11-21T12:00:00.001Z' })).toEqual(['until: is not over yet']);
    const token = await billing.api.account('customer');
    expect((await billing.api.call('POST', '/billing/runs', { token, body: {} })).status).toBe(403);
    expect((await billing.api.call('GET', '/billing/runs', { token })).status).toBe(403);
    expect((await billing.api.call('GET', '/billing/runs?next=x')).status).toBe(400);
  });
});

/** The path of a database's file. */
async function pathOf(db: Db): Promise<string> {
  const rows = await db.read(async (q) => await q.all(sql`PRAGMA database_list`));
  return z.tuple([z.object({ file: z.string() })]).parse(rows)[0].file;
}
