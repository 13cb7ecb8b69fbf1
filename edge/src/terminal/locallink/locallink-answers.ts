import type { ReceiptCard } from '@hlid/protocol/payment';
import { z } from 'zod';
import { brandOfApplication } from '../brand-of-application.ts';
import { hideCardNumbers } from '../card-number.ts';
import { currencyOfNumber } from '../currency-number.ts';
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

export const PairedSchema = z.object({ authToken: z.string().min(1) });
export const StatusSchema = z.object({ status: z.enum(['TERMINAL_AVAILABLE', 'TERMINAL_BUSY']) });
export const StartedSchema = z.object({ uti: z.uuid() });
export const ReportSchema = z.object({ totalSales: AmountSchema, totalRefunds: AmountSchema });
export const ClosedSchema = z.object({ result: TextSchema.optional() });
const ProgressSchema = z.object({ statusDescription: TextSchema });

/** A finished transaction; what is not named here, such as data of the card, goes no further. */
const ResultSchema = z
  .object({
    uti: z.uuid(),
    transactionType: z.string(),
    transApproved: z.boolean(),
    transCancelled: z.boolean(),
    voided: z.boolean().default(false),
    isCustomCardData: z.boolean().default(false),
    totalAmount: AmountSchema,
    currencyCode: z.string(),
    terminalId: z.string(),
    authCode: z.string().optional(),
    transactionResponse: z.string().optional(),
    transactionDate: z.string().optional(),
    messageId: z.union([z.int(), z.string()]).optional(),
    applicationId: z.string().optional(),
    primaryAccountNumber: z.string().optional(),
    cardholderReceipt: z.unknown(),
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

/** What the terminal says of a transaction. */
export type TransactionNews =
  | { kind: 'progress'; text: string }
  | { kind: 'finished'; result: SaleResult }
  /** It cannot be read; its content is not shown, a card may be in it. */
  | { kind: 'unreadable' };

export function readTransaction(body: unknown): TransactionNews {
  const finished = ResultSchema.safeParse(body);
  if (finished.success) return { kind: 'finished', result: finished.data };
  const progress = ProgressSchema.safeParse(body);
  return progress.success
    ? { kind: 'progress', text: progress.data.statusDescription }
    : { kind: 'unreadable' };
}

/** Of the number, only its end is looked at: not every terminal masks it. */
function cardOf(aid = '', number = ''): ReceiptCard {
  const lastFour = /(\d{4})\s*$/.exec(number)?.[1] ?? null;
  return { type: brandOfApplication(aid) ?? 'other', lastFour };
}
