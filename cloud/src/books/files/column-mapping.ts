import {
  BANK_FIELDS,
  DATE_FORMATS,
  DELIMITERS,
  FILE_ENCODINGS,
  SETTLEMENT_FIELDS,
} from '@hlid/protocol/base/books-files';
import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { CurrencySchema } from '@hlid/protocol/base/money';
import { TimeZoneSchema } from '@hlid/protocol/base/site-time';
import { z } from '@hono/zod-openapi';
import { SETTLEMENT_ROW_KINDS } from './file-content.ts';

const MAX_COLUMN = 100;
const MAX_KINDS = 50;
const ColumnSchema = z.string().trim().min(1).max(MAX_COLUMN);

/** How a CSV is written. */
export const MappingFormatFields = {
  delimiter: z.enum(DELIMITERS).describe('What separates the cells.'),
  encoding: z.enum(FILE_ENCODINGS).describe('A byte order mark in a file goes before it.'),
  decimal: z.enum(['.', ',']),
  thousands: z.enum(['.', ',', ' ', "'"]).nullable().describe('Null: none.'),
  dateFormat: z.enum(DATE_FORMATS),
  timeZone: TimeZoneSchema,
  skipLines: z.int().min(0).max(50).describe('Lines before the header.'),
  currency: CurrencySchema.nullable().describe('Of files without a column for it.'),
};

export const KindOfTextSchema = z.enum([...SETTLEMENT_ROW_KINDS, 'payout']);

/** The signs of amounts in a settlement file. */
export const MappingSigns = {
  signs: z
    .enum(['signed', 'by-kind'])
    .describe('`by-kind`: refunds, chargebacks and payouts have no minus in the file.'),
  fees: z.enum(['costs', 'signed']).describe('`costs`: a positive fee is kept by the provider.'),
};

const SettlementMappingSchema = z
  .strictObject({
    kind: z.literal('settlement'),
    ...MappingFormatFields,
    columns: z.partialRecord(z.enum(SETTLEMENT_FIELDS), ColumnSchema),
    kinds: z
      .record(z.string().max(MAX_COLUMN), KindOfTextSchema)
      .refine((kinds) => Object.keys(kinds).length <= MAX_KINDS, wrong('wrong'))
      .openapi({ maxProperties: MAX_KINDS })
      .describe(
        'What the texts in the column of the kind mean. `payout`: the row is the payout of its batch.',
      ),
    ...MappingSigns,
  })
  .superRefine(({ columns, currency }, check) => {
    const lacks = [
      ...(columns.date === undefined ? ['date'] : []),
      ...((columns.batch ?? columns.paidOn) ? [] : ['batch']),
      ...((columns.gross ?? columns.net) ? [] : ['net']),
      ...((columns.currency ?? currency) ? [] : ['currency']),
    ];
    refuseColumns(columns, lacks, check);
  });

const BankMappingSchema = z
  .strictObject({
    kind: z.literal('bank'),
    ...MappingFormatFields,
    columns: z.partialRecord(z.enum(BANK_FIELDS), ColumnSchema),
  })
  .superRefine(({ columns, currency }, check) => {
    const lacks = [
      ...(columns.date === undefined ? ['date'] : []),
      ...((columns.amount ?? (columns.debit && columns.credit)) ? [] : ['amount']),
      ...((columns.currency ?? currency) ? [] : ['currency']),
    ];
    refuseColumns(columns, lacks, check);
  });

function refuseColumns(
  columns: Readonly<Record<string, string | undefined>>,
  lacks: readonly string[],
  check: z.RefinementCtx,
): void {
  if (lacks.length > 0) {
    check.addIssue({ code: 'custom', path: ['columns'], message: wrong('mapping-lacks', { fields: lacks }) });
  }
  const named = Object.values(columns).flatMap((column) => column?.toLowerCase() ?? []);
  const twice = named.find((column, place) => named.indexOf(column) !== place);
  if (twice !== undefined) {
    check.addIssue({
      code: 'custom',
      path: ['columns'],
      message: wrong('mapping-column-twice', { column: twice }),
    });
  }
}

/** How the CSV of a provider or bank without a published format is read. */
export const ColumnMappingSchema = z
  .discriminatedUnion('kind', [SettlementMappingSchema, BankMappingSchema])
  .meta({ id: 'ColumnMapping' });
export type ColumnMapping = z.infer<typeof ColumnMappingSchema>;
export type SettlementMapping = z.infer<typeof SettlementMappingSchema>;
export type BankMapping = z.infer<typeof BankMappingSchema>;
