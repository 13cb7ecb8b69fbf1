import { FILE_KINDS } from '@hlid/protocol/base/books-files';
import { TimeZoneSchema } from '@hlid/protocol/base/site-time';
import { NameSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { IdSchema } from '../../platform/http/input-fields.ts';
import type { MoneyAccountRow } from '../../records/books/money-account-table.ts';
import { type ColumnMapping, ColumnMappingSchema } from '../files/column-mapping.ts';

const MAX_REFERENCE = 100;

const MAX_FIXED_FEE = 1_000_000;

const FeeContractSchema = z
  .strictObject({
    basisPoints: z.int().min(0).max(10_000).describe('Hundredths of a percent of the sale.'),
    fixed: z.int().min(0).max(MAX_FIXED_FEE).describe('For each sale, in the minor unit of the currency.'),
  })
  .meta({ id: 'FeeContract', example: { basisPoints: 150, fixed: 10 } });

const fields = {
  reference: z
    .string()
    .trim()
    .min(1)
    .max(MAX_REFERENCE)
    .describe('As files name it: a merchant account, an IBAN, an account number. Blanks do not count.'),
  name: NameSchema,
  timeZone: TimeZoneSchema.describe('Of times in files that name no zone.'),
  gatewayId: z
    .string()
    .min(1)
    .max(40)
    .nullable()
    .describe(
      'The gateway of the configuration that pays into it; null: card terminals do, or it is at a bank.',
    ),
  paysIntoId: IdSchema.nullable().describe('The account at a bank that gets the payouts; null: not known.'),
  feeContract: FeeContractSchema.nullable().describe(
    'What the provider keeps of a sale, as it was agreed; null: fees are not checked.',
  ),
  mapping: ColumnMappingSchema.nullable().describe(
    'How its CSV is read; null: its files have a published format.',
  ),
};

export const NewMoneyAccountSchema = z
  .strictObject({
    kind: z.enum(FILE_KINDS).describe('`settlement`: with a provider of cards. `bank`: at a bank.'),
    siteId: IdSchema.nullable()
      .optional()
      .describe('Null: it is of several sites, and for operators of every site.'),
    ...fields,
    timeZone: fields.timeZone.default('Atlantic/Reykjavik'),
    gatewayId: fields.gatewayId.default(null),
    paysIntoId: fields.paysIntoId.default(null),
    mapping: fields.mapping.default(null),
    feeContract: fields.feeContract.default(null),
  })
  .meta({
    id: 'NewMoneyAccount',
    example: { kind: 'settlement', reference: 'HlidReykjavik', name: 'Adyen, Reykjavík', siteId: null },
  });
export type NewMoneyAccount = z.infer<typeof NewMoneyAccountSchema>;

export const MoneyAccountEditSchema = z
  .strictObject(fields)
  .partial()
  .meta({ id: 'MoneyAccountEdit', example: { name: 'Adyen, Reykjavík' } });
export type MoneyAccountEdit = z.infer<typeof MoneyAccountEditSchema>;

export const MoneyAccountSchema = z
  .strictObject({
    id: z.string(),
    kind: z.enum(FILE_KINDS),
    reference: z.string(),
    name: z.string(),
    siteId: z.string().nullable(),
    timeZone: z.string(),
    gatewayId: z.string().nullable(),
    paysIntoId: z.string().nullable(),
    mapping: ColumnMappingSchema.nullable(),
    feeContract: FeeContractSchema.nullable(),
    createdOn: UtcTimeSchema,
    modifiedOn: UtcTimeSchema,
  })
  .meta({ id: 'MoneyAccount' });
export type MoneyAccount = z.infer<typeof MoneyAccountSchema>;

export function accountFrom({ createdAt, modifiedAt, ...row }: MoneyAccountRow): MoneyAccount {
  return { ...row, mapping: mappingOf(row), createdOn: createdAt, modifiedOn: modifiedAt };
}

/** The mapping in a row, which was parsed before it was stored. */
export function mappingOf({ mapping }: Pick<MoneyAccountRow, 'mapping'>): ColumnMapping | null {
  return mapping === null ? null : ColumnMappingSchema.parse(mapping);
}

/** The account as it is looked for: files and people write blanks in account numbers. */
export function referenceKey(reference: string): string {
  return reference.replaceAll(/[\s-]/g, '').toUpperCase();
}
