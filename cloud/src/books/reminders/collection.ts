import { CurrencySchema } from '@hlid/protocol/base/money';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { REMINDER_STEPS } from '@hlid/protocol/records/collection-law';
import { z } from '@hono/zod-openapi';
import { IdSchema } from '../../platform/http/input-fields.ts';
import type {
  CollectionFileRow,
  CollectionItemRow,
  DeliveredNotice,
} from '../../records/books/collection-table.ts';
import type { CollectedChange } from './collected-change.ts';
import type { CollectionItem } from './collection-facts.ts';

/** More than a person reads, and a transaction that others hardly notice. */
export const MAX_INVOICES = 500;

export const NewCollectionFileSchema = z
  .strictObject({
    invoiceIds: z
      .array(IdSchema)
      .min(1)
      .max(MAX_INVOICES)
      .describe('Invoices of `GET /collectable-invoices`. All of them are handed over, or none.'),
  })
  .meta({
    id: 'NewCollectionFile',
    example: { invoiceIds: ['0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11'] },
  });
export type NewCollectionFileBody = z.infer<typeof NewCollectionFileSchema>;

const amount = z.int().describe('In the currency’s minor unit.');
const day = z.iso.date();

const NoticeSchema = z
  .strictObject({
    step: z.enum(REMINDER_STEPS),
    deliveredOn: day,
    proof: z
      .enum(['mail', 'person'])
      .describe('`mail`: a server has accepted it. `person`: somebody delivered it, and noted it.'),
    reference: z.string().describe('The mail, or who noted it.'),
    at: UtcTimeSchema,
  })
  .meta({ id: 'DeliveredNotice' });

export const CollectableSchema = z
  .strictObject({
    invoiceId: z.string(),
    number: z.int(),
    siteId: z.string().nullable().describe('Null: an invoice of several sites.'),
    creditor: z.string().nullable(),
    creditorId: z.string().nullable().describe('The national id of whom the claim belongs to.'),
    debtor: z.string().nullable().describe('Null: not known, or erased.'),
    debtorId: z.string().nullable().describe('The national id; null: erased.'),
    currency: CurrencySchema,
    principal: amount.describe('What is open of the invoice. Interest counts on it.'),
    charges: amount.describe('What is open of the invoices for charges of its reminders.'),
    chargeInvoices: z.array(z.strictObject({ id: z.string(), number: z.int().nullable(), open: amount })),
    issuedOn: day,
    dueOn: day,
    interestFrom: day.describe('The due day, or the day of the last answer to a dispute if that is later.'),
    notices: z.array(NoticeSchema),
  })
  .meta({ id: 'CollectableInvoice' });

export const CollectablesSchema = z
  .strictObject({
    data: z.array(CollectableSchema).max(MAX_INVOICES).describe('The longest due first.'),
    hasMore: z.boolean().describe('There are more; they come once these are handed over.'),
  })
  .meta({ id: 'CollectableInvoices' });

export const CollectionFileSchema = z
  .strictObject({
    id: z.string(),
    siteId: z.string().nullable().describe('Null: its invoices are of several sites.'),
    day,
    invoices: z.int(),
    total: amount.describe('Principal and charges of all.'),
    currency: CurrencySchema,
    createdOn: UtcTimeSchema,
    createdBy: z.string(),
  })
  .meta({ id: 'CollectionFile' });

const ChangeSchema = z
  .strictObject({
    open: amount,
    paid: amount.describe('Since then; below zero: a payment was taken back.'),
    credited: amount.describe('Since then; below zero: a credit note was taken back.'),
    contestedOn: day.nullable().describe('Somebody contests it: the collector has to stop.'),
    answeredOn: day.nullable().describe('The last answer to a dispute that was open since then.'),
  })
  .meta({ id: 'CollectedChange' });

export const WholeCollectionFileSchema = z
  .strictObject({
    ...CollectionFileSchema.shape,
    items: z.array(
      z.strictObject({
        ...CollectableSchema.shape,
        link: z.string(),
        change: ChangeSchema.nullable().describe('What the collector must be told; null: nothing.'),
      }),
    ),
  })
  .meta({ id: 'WholeCollectionFile' });

export function collectableFrom(item: CollectionItem) {
  const { invoiceId, number, siteId, creditorId, debtorId, currency, issuedOn, dueOn, interestFrom } = item;
  return {
    invoiceId,
    number,
    siteId,
    creditor: item.creditorName,
    creditorId,
    debtor: item.debtorName,
    debtorId,
    currency,
    principal: item.openMinor,
    charges: item.chargesMinor,
    chargeInvoices: item.charges.map((charge) => ({
      id: charge.invoiceId,
      number: charge.number,
      open: charge.openMinor,
    })),
    issuedOn,
    dueOn,
    interestFrom,
    notices: item.notices.map((notice: DeliveredNotice) => ({ ...notice })),
  };
}

export function collectionFileFrom(file: CollectionFileRow) {
  const { id, siteId, day: madeOn, invoices, totalMinor, createdAt, createdBy } = file;
  return {
    id,
    siteId,
    day: madeOn,
    invoices,
    total: totalMinor,
    currency: 'ISK' as const,
    createdOn: createdAt,
    createdBy,
  };
}

export function collectedFrom(item: CollectionItemRow, change: CollectedChange | null) {
  return {
    ...collectableFrom(item),
    link: item.link,
    change: change && {
      open: change.openMinor,
      paid: change.paidMinor,
      credited: change.creditedMinor,
      contestedOn: change.contestedOn,
      answeredOn: change.answeredOn,
    },
  };
}
