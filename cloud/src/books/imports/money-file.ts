import { CurrencySchema } from '@hlid/protocol/base/money';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { MistakeSchema } from '../../platform/http/errors.ts';
import { englishLines } from '../../platform/refused.ts';
import {
  type BankEntryRow,
  type BankStatementRow,
  ENTRY_MATCHES,
  type MoneyFileRow,
  ROW_MATCHES,
  type SettlementBatchRow,
  type SettlementRowRow,
} from '../../records/books/money-file-table.ts';
import { BATCH_STATES, FILE_FORMATS, SETTLEMENT_ROW_KINDS } from '../files/file-content.ts';

const DaySchema = z.iso.date();
const AmountSchema = z.int().describe('In the minor unit of the currency.');

export const BatchSchema = z
  .strictObject({
    id: z.string(),
    fileId: z.string(),
    accountId: z.string(),
    reference: z.string(),
    currency: CurrencySchema,
    state: z
      .enum(BATCH_STATES)
      .describe('`carried`: negative, and goes into the next batch. `open`: there is no payout yet.'),
    paidOn: DaySchema.nullable(),
    gross: AmountSchema,
    fees: AmountSchema,
    payout: AmountSchema.describe('What reaches the bank; negative: what is taken from it.'),
    carriedIn: AmountSchema,
    carriedOut: AmountSchema,
    rounding: AmountSchema.describe('What the rows differ from the payout by fractions.'),
    rows: z.int(),
  })
  .meta({ id: 'SettlementBatch' });

export const SettlementRowSchema = z
  .strictObject({
    n: z.int().describe('Its number in the file, from 1.'),
    line: z.int(),
    batchId: z.string(),
    kind: z.enum(SETTLEMENT_ROW_KINDS),
    reference: z.string().nullable().describe('The provider’s, of the payment.'),
    ownReference: z
      .string()
      .nullable()
      .describe('The provider’s, of the refund, the chargeback or the fee itself.'),
    merchantReference: z.string().nullable(),
    authorisation: z.string().nullable(),
    terminal: z.string().nullable(),
    lastFour: z.string().nullable(),
    method: z.string().nullable(),
    at: UtcTimeSchema.nullable(),
    bookedOn: DaySchema,
    currency: CurrencySchema,
    gross: AmountSchema,
    fee: AmountSchema.describe('What the provider keeps; negative: what it gives back.'),
    paymentId: z.string().nullable(),
    match: z
      .enum(ROW_MATCHES)
      .describe(
        '`other-amount`: the payment has another amount. `duplicate`: the same is settled already. `not-booked`: the ' +
          'payment is known, and no such movement of it. `ambiguous`: several payments could be meant.',
      ),
  })
  .meta({ id: 'SettlementRow' });
export type ShownSettlementRow = z.infer<typeof SettlementRowSchema>;

export const StatementSchema = z
  .strictObject({
    id: z.string(),
    fileId: z.string(),
    accountId: z.string(),
    reference: z.string(),
    currency: CurrencySchema,
    from: DaySchema,
    until: DaySchema,
    opening: AmountSchema.nullable(),
    closing: AmountSchema.nullable(),
    entries: z.int(),
  })
  .meta({ id: 'BankStatement' });

export const EntrySchema = z
  .strictObject({
    n: z.int().describe('Its number in the file, from 1.'),
    line: z.int(),
    statementId: z.string(),
    amount: AmountSchema.describe('Positive: a credit.'),
    currency: CurrencySchema,
    bookedOn: DaySchema,
    valueOn: DaySchema.nullable(),
    isReversal: z.boolean(),
    reference: z.string().nullable(),
    endToEndId: z.string().nullable(),
    counterpart: z.string().nullable(),
    text: z.string().nullable(),
    transactions: z.int().nullable().describe('Of a collected entry.'),
    batchId: z.string().nullable().describe('The batch of a provider that it pays.'),
    match: z
      .enum(ENTRY_MATCHES)
      .describe(
        '`other-amount`: the batch is named, and another amount came. `ambiguous`: several batches could be meant.',
      ),
  })
  .meta({ id: 'BankEntry' });
export type ShownEntry = z.infer<typeof EntrySchema>;

export const SaidSchema = z
  .strictObject({ message: z.string(), code: MistakeSchema })
  .meta({ id: 'FileRemark' });

export const MoneyFileSchema = z
  .strictObject({
    id: z.string(),
    kind: z.enum(['settlement', 'bank']),
    name: z.string(),
    format: z.enum(FILE_FORMATS),
    hash: z.string().describe('SHA-256.'),
    bytes: z.int(),
    rows: z.int(),
    siteId: z.string().nullable().describe('Null: its accounts are of several sites.'),
    warnings: z.array(SaidSchema),
    importedBy: z.string(),
    importedOn: UtcTimeSchema,
    isUsed: z.boolean().describe('A closed day counts with it: it cannot be deleted.'),
  })
  .meta({ id: 'MoneyFile' });

export const WholeSettlementFileSchema = z
  .strictObject({ ...MoneyFileSchema.shape, batches: z.array(BatchSchema) })
  .meta({ id: 'SettlementFile' });
export const WholeBankFileSchema = z
  .strictObject({ ...MoneyFileSchema.shape, statements: z.array(StatementSchema) })
  .meta({ id: 'BankStatementFile' });

const imported = {
  dryRun: z.boolean().describe('`true`: nothing was stored; this is what would be.'),
  isRepeated: z
    .boolean()
    .describe('The same file was imported before: `id` names it, and nothing was stored.'),
  id: z.string().nullable().describe('Of the file; null: it is not stored.'),
  format: z.enum(FILE_FORMATS),
  rows: z.int(),
  warnings: z.array(SaidSchema),
  refused: z.array(SaidSchema).describe('Why the import would be refused; of a dry run only.'),
  unknownAccounts: z.array(z.string()).describe('Accounts of the file that have to be added first.'),
};

export const SettlementImportSchema = z
  .strictObject({
    ...imported,
    batches: z.array(BatchSchema),
    firstRows: z.array(SettlementRowSchema),
    matches: z.strictObject(
      Object.fromEntries(ROW_MATCHES.map((match) => [match, z.int()])) as Record<
        (typeof ROW_MATCHES)[number],
        z.ZodInt
      >,
    ),
  })
  .meta({ id: 'SettlementImport' });

export const BankImportSchema = z
  .strictObject({
    ...imported,
    statements: z.array(StatementSchema),
    firstRows: z.array(EntrySchema),
    matches: z.strictObject(
      Object.fromEntries(ENTRY_MATCHES.map((match) => [match, z.int()])) as Record<
        (typeof ENTRY_MATCHES)[number],
        z.ZodInt
      >,
    ),
  })
  .meta({ id: 'BankImport' });

export function shownFile({
  importedAt,
  usedBy,
  warnings,
  ...row
}: MoneyFileRow): z.infer<typeof MoneyFileSchema> {
  const format = FILE_FORMATS.find((one) => one === row.format) ?? 'mapped';
  return {
    ...row,
    format,
    warnings: remarks(warnings),
    importedOn: importedAt,
    isUsed: usedBy !== null,
  };
}

export function remarks(mistakes: MoneyFileRow['warnings']): z.infer<typeof SaidSchema>[] {
  return mistakes.map((code) => ({ message: englishLines([code]).join(''), code }));
}

export function shownBatch(row: SettlementBatchRow): z.infer<typeof BatchSchema> {
  const { grossMinor, feeMinor, payoutMinor, carriedInMinor, carriedOutMinor, roundingMinor, ...rest } = row;
  return {
    ...rest,
    gross: grossMinor,
    fees: feeMinor,
    payout: payoutMinor,
    carriedIn: carriedInMinor,
    carriedOut: carriedOutMinor,
    rounding: roundingMinor,
  };
}

export function shownRow(row: SettlementRowRow): ShownSettlementRow {
  const { fileId: _file, grossMinor, feeMinor, kind, ...rest } = row;
  const known = SETTLEMENT_ROW_KINDS.find((one) => one === kind) ?? 'adjustment';
  return { ...rest, kind: known, gross: grossMinor, fee: feeMinor };
}

export function shownStatement(row: BankStatementRow): z.infer<typeof StatementSchema> {
  const { fromDay, untilDay, openingMinor, closingMinor, ...rest } = row;
  return { ...rest, from: fromDay, until: untilDay, opening: openingMinor, closing: closingMinor };
}

export function shownEntry(row: BankEntryRow): ShownEntry {
  const { fileId: _file, accountId: _account, amountMinor, ...rest } = row;
  return { ...rest, amount: amountMinor };
}
