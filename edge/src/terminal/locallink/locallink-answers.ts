import { hideCardNumbers } from '@hlid/protocol/base/card-number';
import { currencyOfNumber } from '@hlid/protocol/base/currency-number';
import type { ReceiptCard } from '@hlid/protocol/records/payment';
import { z } from 'zod';
import { brandOfApplication } from '../brand-of-application.ts';
import { receiptLines } from './receipt-text.ts';

/** Amounts come as numbers and as texts of digits. */
const AmountSchema = z.union([
  z.int(),
  z
    .string()
    .regex(/^-?\d+$/)
    .transform(Number),
]);
const TextSchema = z.string().transform(hideCardNumbers);
/** The terminal's name for a transaction: a UUID at all terminals that we know. */
const UtiSchema = z.string().regex(/^[\w-]{1,64}$/);
/** Numbers of it come with and without quotation marks. */
const NumberTextSchema = z.union([z.string(), z.int().transform(String)]);
const FlagSchema = z
  .boolean()
  .nullish()
  .transform((flag) => flag ?? false);

export const PairedSchema = z.object({ authToken: z.string().min(1) });
export const StatusSchema = z.object({ status: z.enum(['TERMINAL_AVAILABLE', 'TERMINAL_BUSY']) });
export const StartedSchema = z.object({ uti: UtiSchema });
export const ReportSchema = z.object({ totalSales: AmountSchema, totalRefunds: AmountSchema });
export const ClosedSchema = z.object({ result: TextSchema.optional() });
const ProgressSchema = z.object({ statusDescription: TextSchema });

/** A finished transaction; what is not named here, such as data of the card, goes no further. */
const ResultSchema = z
  .object({
    uti: UtiSchema,
    transApproved: z.boolean(),
    transCancelled: FlagSchema,
    voided: FlagSchema,
    isCustomCardData: FlagSchema,
    totalAmount: AmountSchema,
    currencyCode: NumberTextSchema,
    terminalId: NumberTextSchema,
    authCode: z.string().nullish(),
    transactionResponse: NumberTextSchema.nullish(),
    transactionDate: z.string().nullish(),
    messageId: NumberTextSchema.nullish(),
    applicationId: z.string().nullish(),
    primaryAccountNumber: z.string().nullish(),
    cardholderReceipt: z.unknown().optional(),
  })
  .transform(({ applicationId, primaryAccountNumber, cardholderReceipt, ...rest }) => ({
    ...rest,
    currency: currencyOfNumber(Number(rest.currencyCode)),
    authorisation: rest.authCode?.trim() || null,
    responseCode: rest.transactionResponse?.trim() || null,
    at: rest.transactionDate ?? null,
    card: cardOf(applicationId, primaryAccountNumber),
    receipt: receiptLines(cardholderReceipt),
  }));
export type SaleResult = z.infer<typeof ResultSchema>;

/** The terminal's report on a transaction. */
export type TransactionUpdate =
  | { kind: 'progress'; text: string }
  | { kind: 'finished'; result: SaleResult }
  /** It cannot be read; its content is not shown, a card may be in it. */
  | { kind: 'unreadable' };

export function readTransaction(body: unknown): TransactionUpdate {
  const finished = ResultSchema.safeParse(body);
  if (finished.success) return { kind: 'finished', result: finished.data };
  const progress = ProgressSchema.safeParse(body);
  return progress.success
    ? { kind: 'progress', text: progress.data.statusDescription }
    : { kind: 'unreadable' };
}

/**
 * The card by the last four digits of its number, which are all that is kept: not every terminal masks it.
 */
function cardOf(aid: string | null | undefined, number: string | null | undefined): ReceiptCard {
  const lastFour = /(\d{4})\s*$/.exec(number ?? '')?.[1] ?? null;
  return { type: brandOfApplication(aid ?? '') ?? 'other', lastFour };
}
