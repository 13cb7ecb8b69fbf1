import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { dayIn, isIn, spanOf } from '../../books/bookkeeping/book-scope.ts';
import { type OwedInvoice, owedHistories } from '../../books/bookkeeping/owed-histories.ts';
import { AGES, ageOf, daysLate, owedBySite } from '../../books/bookkeeping/receivable.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { inChunks } from '../../platform/db/in-chunks.ts';
import { asc, inArray } from '../../platform/db/sql.ts';
import { type OwnRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { customerTable } from '../../records/customers/customer-table.ts';
import { commonTimeZone, NO_SUCH_SITE } from '../../records/sites/choose-site.ts';
import { siteTable } from '../../records/sites/site-table.ts';
import type { Owed } from './receivables-report.ts';

const DEBTOR_LENGTH = 300;

export const ReceivablesQuerySchema = z.strictObject({
  asOf: z.iso
    .date()
    .optional()
    .describe('The day at whose end it is owed, by the clock of each site; default: today.'),
  siteId: IdSchema.optional().describe('Only this site.'),
});

export const OwedInvoicesQuerySchema = ReceivablesQuerySchema.extend({
  debtor: z.string().max(DEBTOR_LENGTH).optional().describe('Only this customer or owner.'),
  age: z.enum(AGES).optional().describe('Only this age.'),
  currency: z.string().length(3).optional(),
});
export type OwedInvoicesQuery = z.infer<typeof OwedInvoicesQuerySchema>;

interface Found {
  asOf: string;
  /** The oldest debt first. */
  owed: Owed[];
}

/** What is owed at the end of a day, by invoice and site, at the caller's sites. */
export async function readReceivables(
  db: Db,
  { asOf, siteId, debtor, age, currency }: OwedInvoicesQuery,
  own: OwnRows,
  now: UtcTime,
): Promise<{ ok: true; found: Found } | RefusedInput> {
  return await db.read(
    async (q) => {
      const { id, name, timeZone } = siteTable;
      const all = await q.select({ id, name, timeZone }).from(siteTable).orderBy(asc(id));
      const sites = all.filter((one) => seesSite(own, one.id) && (siteId === undefined || one.id === siteId));
      if (siteId !== undefined && sites.length === 0) return refusedInput(NO_SUCH_SITE);
      const day = asOf ?? wallClock(now, await commonTimeZone(q)).date;
      const scope = {
        zones: new Map(sites.map((one) => [one.id, one.timeZone])),
        hasShared: siteId === undefined && sitesOf(own) === null,
      };
      const histories = await owedHistories(q, day, spanOf(scope, day));
      const dayOf = dayIn(scope);
      const names = new Map(sites.map((one) => [one.id, one.name]));
      const customers = await customerNames(
        q,
        histories.map(({ invoice }) => invoice),
      );
      const owed = histories.flatMap((history) =>
        [...owedBySite(history, day, dayOf)]
          .filter(([place]) => isIn(scope, place))
          .map(([place, open]): Owed => {
            const { invoice } = history;
            const issuedOn = dayOf(place, invoice.issuedAt ?? '');
            const dueOn = invoice.dueOn ?? issuedOn;
            return {
              invoiceId: invoice.id,
              number: invoice.number,
              ...debtorOf(invoice, customers),
              site: place === null ? null : { id: place, name: names.get(place) ?? place },
              issuedOn,
              dueOn,
              daysLate: daysLate(dueOn, day),
              age: ageOf(open, dueOn, day),
              currency: invoice.currency,
              amount: invoice.amountMinor,
              open,
            };
          }),
      );
      const isAsked = (one: Owed) =>
        (debtor === undefined || one.debtor === debtor) &&
        (age === undefined || one.age === age) &&
        (currency === undefined || one.currency === currency);
      return { ok: true, found: { asOf: day, owed: owed.filter(isAsked).toSorted(byAge) } };
    },
    { manyRows: true },
  );
}

function byAge(one: Owed, other: Owed): number {
  return (
    other.daysLate - one.daysLate ||
    (one.number ?? 0) - (other.number ?? 0) ||
    one.invoiceId.localeCompare(other.invoiceId)
  );
}

function debtorOf(
  { customerId, soldTo, payerSsn, payerName }: OwedInvoice,
  customers: ReadonlyMap<string, string | null>,
): Pick<Owed, 'debtor' | 'customerId' | 'name' | 'ssn'> {
  if (customerId === null) {
    const debtor = `owner:${payerSsn ?? payerName ?? ''}`;
    return { debtor, customerId, name: payerName ?? soldTo, ssn: payerSsn };
  }
  const name = customers.get(customerId) ?? soldTo;
  return { debtor: `customer:${customerId}`, customerId, name, ssn: null };
}

/** The names that they have now. */
async function customerNames(
  q: Queries,
  invoices: readonly OwedInvoice[],
): Promise<Map<string, string | null>> {
  const { id, name } = customerTable;
  const ids = invoices.flatMap(({ customerId }) => customerId ?? []);
  const rows = await inChunks(
    ids,
    async (some) => await q.select({ id, name }).from(customerTable).where(inArray(id, some)),
  );
  return new Map(rows.map((row) => [row.id, row.name]));
}
