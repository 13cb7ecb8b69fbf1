import { InvoiceStatusSchema, RemoteStatusSchema } from '@hlid/protocol/invoice';
import { z } from '@hono/zod-openapi';
import { askedPeriod } from '../day-span.ts';
import type { Queries } from '../db/db.ts';
import { type OwnRows, sitesOf } from '../http/caller.ts';
import { DayOrMomentSchema, SsnSchema } from '../http/input-fields.ts';
import { CursorParamSchema } from '../http/list-envelope.ts';
import { commonTimeZone } from '../sites/choose-site.ts';
import type { InvoiceFilters } from './invoice-store.ts';

/** The query of `GET /invoices`. */
export const InvoiceQuerySchema = z.strictObject({
  status: z
    .enum([...InvoiceStatusSchema.options, 'paid-accounting'])
    .optional()
    .describe('`paid-accounting`: paid, and the accounting system has it.'),
  collection: z
    .enum(['latest', 'waiting'])
    .optional()
    .describe('`waiting`: not issued, for a person to say who pays; `latest`: all.'),
  customer: z.string().optional().describe('Id of the customer.'),
  ssn: SsnSchema.optional().describe('National id of who pays.'),
  'card.lastFour': z
    .string()
    .regex(/^\d{4}$/, 'four digits')
    .optional(),
  remoteStatus: RemoteStatusSchema.optional().describe(
    'Of issued invoices: the accounting system pulls `draft`, and marks what it has taken.',
  ),
  publishStatus: RemoteStatusSchema.optional().describe(
    'Of issued invoices that go to the publishing system: it pulls `draft`, and marks what it has taken.',
  ),
  'date.from': DayOrMomentSchema.optional().describe('Made from that day on, where the sites are.'),
  'date.to': DayOrMomentSchema.optional().describe('Made until that day, which is included.'),
  next: CursorParamSchema.optional(),
});
export type InvoiceQuery = z.infer<typeof InvoiceQuerySchema>;

/** What a query means to its caller; null: there can be no such invoices. */
export async function readInvoiceQuery(
  q: Queries,
  query: InvoiceQuery,
  own: OwnRows,
): Promise<InvoiceFilters | null> {
  const { status, customer, remoteStatus, 'date.from': first, 'date.to': last } = query;
  if (!own.all && (own.customerId === null || (customer ?? own.customerId) !== own.customerId)) return null;
  const inAccounting = status === 'paid-accounting';
  // Paid, taken over by accounting, and yet in another state there.
  if (inAccounting && (remoteStatus ?? 'completed') !== 'completed') return null;
  const timeZone = first === undefined && last === undefined ? 'UTC' : await commonTimeZone(q);
  return {
    waiting: query.collection === 'waiting',
    status: inAccounting ? 'paid' : status,
    remoteStatus: inAccounting ? 'completed' : remoteStatus,
    publishStatus: query.publishStatus,
    siteIds: sitesOf(own),
    customerId: own.all ? customer : (own.customerId ?? undefined),
    payerSsn: query.ssn,
    lastFour: query['card.lastFour'],
    ...askedPeriod({ first, last }, timeZone),
  };
}
