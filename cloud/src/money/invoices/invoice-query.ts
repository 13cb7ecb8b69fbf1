import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { foldPlate } from '@hlid/protocol/plate/plate';
import { InvoiceStatusSchema, RemoteStatusSchema } from '@hlid/protocol/records/invoice';
import { z } from '@hono/zod-openapi';
import { askedPeriod } from '../../platform/day-span.ts';
import type { Queries } from '../../platform/db/db.ts';
import { type OwnRows, sitesOf } from '../../platform/http/caller.ts';
import { DayOrMomentSchema, IdSchema, PlateSchema, SsnSchema } from '../../platform/http/input-fields.ts';
import { TextCursorParamSchema } from '../../platform/http/list-envelope.ts';
import { commonTimeZone } from '../../records/sites/choose-site.ts';
import { INVOICE_ORDERS, type InvoiceFilters } from './invoice-store.ts';

/** The query of `GET /invoices`. */
export const InvoiceQuerySchema = z.strictObject({
  status: z
    .enum([...InvoiceStatusSchema.options, 'paid-accounting'])
    .optional()
    .describe('`paid-accounting`: paid, and in the accounting system.'),
  collection: z
    .enum(['latest', 'waiting'])
    .optional()
    .describe('`waiting`: not issued, the payer is missing; `latest`: all.'),
  customer: z.string().optional().describe('Id of the customer.'),
  ssn: SsnSchema.optional().describe('National id of the payer.'),
  number: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
  plate: PlateSchema.optional().describe(
    'A whole plate: invoices of its visits, also those that collect them. Plates that a camera confuses with it count.',
  ),
  siteId: IdSchema.optional().describe('Not those of several sites.'),
  'card.lastFour': z
    .string()
    .regex(/^\d{4}$/, wrong('four-digits'))
    .optional(),
  remoteStatus: RemoteStatusSchema.optional().describe(
    'Issued invoices only. The accounting system gets those with `draft`, and marks them when it has ' +
      'processed them.',
  ),
  publishStatus: RemoteStatusSchema.optional().describe(
    'Issued invoices that go out electronically. Another system than the access point gets those with `draft`, and marks them when ' +
      'it has processed them.',
  ),
  'date.from': DayOrMomentSchema.optional().describe(
    "Created on this day or later, in the sites' time zone.",
  ),
  'date.to': DayOrMomentSchema.optional().describe('Created on this day or earlier.'),
  order: z
    .enum(INVOICE_ORDERS)
    .optional()
    .describe(
      '`newest` (default) and `oldest` by creation; `-amount`: the largest first, `amount`: the smallest.',
    ),
  next: TextCursorParamSchema.optional().describe(
    'Use it with the same `order` as in the answer that contained it.',
  ),
});
export type InvoiceQuery = z.infer<typeof InvoiceQuerySchema>;

/** The filters of a query for its caller; null: there can be no such invoices. */
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
    siteId: query.siteId,
    number: query.number,
    plateFolded: query.plate === undefined ? undefined : foldPlate(query.plate),
    customerId: own.all ? customer : (own.customerId ?? undefined),
    payerSsn: query.ssn,
    lastFour: query['card.lastFour'],
    ...askedPeriod({ first, last }, timeZone),
  };
}
