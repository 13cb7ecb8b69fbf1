import { CurrencySchema } from '@hlid/protocol/base/money';
import { z } from '@hono/zod-openapi';
import { AGES, type Age } from '../../books/bookkeeping/receivable.ts';
import { groupBy } from '../../platform/group-by.ts';

/** More rows than a person reads; the file has all. */
export const MAX_ROWS = 500;

const AgedSchema = z.strictObject({
  currency: CurrencySchema,
  total: z.int().describe('All ages added up, as the account of receivables has it.'),
  ages: z
    .strictObject({
      'not-due': z.int(),
      '1-30': z.int(),
      '31-60': z.int(),
      '61-90': z.int(),
      'over-90': z.int(),
      credit: z.int(),
    })
    .describe(
      'By the days since the last day to pay. `credit`, zero or less: what the seller owes, such as after a credit note for ' +
        'what was paid; nothing is set off against it.',
    ),
});
export type Aged = z.infer<typeof AgedSchema>;

const SiteSchema = z
  .strictObject({ id: z.string(), name: z.string() })
  .nullable()
  .describe('Null: of no single site.');

const DebtorSchema = z.string().describe('Who owes it, for the query `debtor`.');

const RowSchema = z
  .strictObject({
    debtor: DebtorSchema,
    customerId: z.string().nullable().describe('Null: an owner who is no customer.'),
    name: z.string().nullable(),
    ssn: z.string().nullable().describe('The national id of an owner.'),
    site: SiteSchema,
    invoices: z.int(),
    oldestDueOn: z.iso.date().nullable().describe('Null: nothing is owed, only given back.'),
    ...AgedSchema.shape,
  })
  .meta({
    id: 'ReceivablesOfDebtor',
    example: {
      debtor: 'customer:c1',
      customerId: 'c1',
      name: 'Bakery',
      ssn: null,
      site: { id: '00000001-0000-8000-8000-000000000000', name: 'Harbour' },
      invoices: 2,
      oldestDueOn: '2026-10-02',
      currency: 'ISK',
      total: 48_000,
      ages: { 'not-due': 24_000, '1-30': 24_000, '31-60': 0, '61-90': 0, 'over-90': 0, credit: 0 },
    },
  });

export const ReceivablesSchema = z
  .strictObject({
    asOf: z.iso.date(),
    totals: z.array(AgedSchema).describe('One for each currency; of all rows, also those that are left out.'),
    rows: z.array(RowSchema).max(MAX_ROWS).describe('By customer or owner and site, the oldest debt first.'),
    hasMore: z.boolean().describe('There are more than 500; the file has all.'),
  })
  .meta({ id: 'Receivables' });
export type Receivables = z.infer<typeof ReceivablesSchema>;

const InvoiceSchema = z
  .strictObject({
    invoiceId: z.string(),
    number: z.int().nullable(),
    debtor: DebtorSchema,
    customerId: z.string().nullable(),
    name: z.string().nullable(),
    ssn: z.string().nullable(),
    site: SiteSchema,
    issuedOn: z.iso.date(),
    dueOn: z.iso
      .date()
      .describe('The last day to pay; of what was paid when it was issued, the day of issue.'),
    daysLate: z.int().describe('0 or less: not due yet.'),
    age: z.enum(AGES),
    currency: CurrencySchema,
    amount: z.int().describe('What it was issued for, at all its sites.'),
    open: z.int().describe('What of it is owed at this site.'),
  })
  .meta({
    id: 'OwedInvoice',
    example: {
      invoiceId: '1f1d9c9a-1b0e-4d38-9f0b-6f6f2f2b7f60',
      number: 17,
      debtor: 'customer:c1',
      customerId: 'c1',
      name: 'Bakery',
      ssn: null,
      site: { id: '00000001-0000-8000-8000-000000000000', name: 'Harbour' },
      issuedOn: '2026-11-01',
      dueOn: '2026-11-15',
      daysLate: 14,
      age: '1-30',
      currency: 'ISK',
      amount: 24_000,
      open: 24_000,
    },
  });
export type Owed = z.infer<typeof InvoiceSchema>;

export const OwedInvoicesSchema = z
  .strictObject({
    asOf: z.iso.date(),
    totals: z.array(AgedSchema).describe('Of all of them, also those that are left out.'),
    invoices: z.array(InvoiceSchema).max(MAX_ROWS).describe('The oldest debt first.'),
    hasMore: z.boolean().describe('There are more than 500; the file has all.'),
  })
  .meta({ id: 'OwedInvoices' });

/** Adds up by currency. */
export function totalsOf(owed: readonly Owed[]): Aged[] {
  return [...groupBy(owed, ({ currency }) => currency)]
    .map(([, its]) => agedOf(its))
    .toSorted((one, other) => compare(one.currency, other.currency));
}

/** Adds up by customer or owner, site and currency, the oldest debt first. */
export function receivableRows(owed: readonly Owed[]): Receivables['rows'] {
  const groups = groupBy(owed, ({ debtor, site, currency }) => JSON.stringify([debtor, site?.id, currency]));
  const rows = [...groups.values()].flatMap((its): Receivables['rows'] => {
    const [first] = its;
    if (first === undefined) return [];
    const { debtor, customerId, name, ssn, site } = first;
    const due = its.filter(({ open }) => open > 0).map(({ dueOn }) => dueOn);
    const oldestDueOn = due.toSorted()[0] ?? null;
    return [{ debtor, customerId, name, ssn, site, invoices: its.length, oldestDueOn, ...agedOf(its) }];
  });
  return rows.toSorted(
    (one, other) =>
      compare(one.oldestDueOn ?? '9', other.oldestDueOn ?? '9') ||
      other.total - one.total ||
      compare(one.debtor, other.debtor),
  );
}

function agedOf(owed: readonly Owed[]): Aged {
  const ages: Record<Age, number> = {
    'not-due': 0,
    '1-30': 0,
    '31-60': 0,
    '61-90': 0,
    'over-90': 0,
    credit: 0,
  };
  for (const { age, open } of owed) ages[age] += open;
  const total = AGES.reduce((sum, age) => sum + ages[age], 0);
  return { currency: owed[0]?.currency ?? 'ISK', total, ages };
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
