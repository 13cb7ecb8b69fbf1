import { randomUUID } from 'node:crypto';
import type { Db } from '@hlid/cloud/platform/db/db';
import { chargeTable } from '@hlid/cloud/records/invoices/charge-table';
import { invoiceTable } from '@hlid/cloud/records/invoices/invoice-table';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { inArray, isNull } from 'drizzle-orm';
import { expect } from 'vitest';
import { IdViewSchema } from '../harness/cloud-views.ts';
import type { Operator } from '../harness/operator.ts';
import { waitFor } from '../harness/wait.ts';

const CHARGES_EACH = 20;
/** The total of the charges of a customer: 100, 200 and so on. */
const OWED_MINOR = (CHARGES_EACH * (CHARGES_EACH + 1) * 100) / 2;

/** Customers who are billed every day, with what visits that ended yesterday would have left. */
export async function addBilledCustomers(
  operator: Operator,
  db: Db,
  { siteId, count }: { siteId: string; count: number },
): Promise<string[]> {
  const customers: string[] = [];
  for (let n = 0; n < count; n++) {
    const customer = { name: `Company ${n}`, language: 'is', options: { billingMethod: 'daily' } };
    customers.push((await operator.call(IdViewSchema, 'POST', '/customers', { customer })).id);
  }
  const at = new Date(Date.now() - DAY_MS).toISOString();
  const rowOf = (customerId: string, n: number): typeof chargeTable.$inferInsert => ({
    id: randomUUID(),
    cause: randomUUID(),
    visitId: randomUUID(),
    customerId,
    siteId,
    at,
    plate: 'ABX12',
    vehicleCategory: 'light',
    units: 1,
    amountMinor: n * 100,
    currency: 'ISK',
    vatRate: 24,
  });
  for (const customer of customers) {
    const rows = Array.from({ length: CHARGES_EACH }, (_, at) => rowOf(customer, at + 1));
    await db.write(({ q }) => q.insert(chargeTable).values(rows));
  }
  return customers;
}

/** Bills until a run has come to its end: behind others' writes it may take longer than a caller waits. */
export async function billToEnd(operator: Operator): Promise<void> {
  await waitFor(async () => (await operator.ask('POST', '/billing/runs', {})).status < 400, {
    what: 'a billing run',
    withinMs: 120_000,
  });
}

/** One invoice a customer, of all its charges. */
export async function checkBilled(db: Db, customers: readonly string[]): Promise<void> {
  const { customerId, amountMinor } = invoiceTable;
  const invoices = await db.read((q) =>
    q
      .select({ customerId, amountMinor })
      .from(invoiceTable)
      .where(inArray(customerId, [...customers])),
  );
  const byCustomer = (a: { customerId: string | null }, b: { customerId: string | null }) =>
    (a.customerId ?? '').localeCompare(b.customerId ?? '');
  expect(invoices.toSorted(byCustomer)).toEqual(
    customers.map((customer) => ({ customerId: customer, amountMinor: OWED_MINOR })).toSorted(byCustomer),
  );
  const waiting = await db.read((q) => q.select().from(chargeTable).where(isNull(chargeTable.invoiceId)));
  expect(waiting).toEqual([]);
}
