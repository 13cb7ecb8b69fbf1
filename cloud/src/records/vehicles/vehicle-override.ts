import { TypedTextSchema } from '@hlid/protocol/base/card-number';
import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { VehicleCategorySchema } from '@hlid/protocol/tariff/product';
import { z } from '@hono/zod-openapi';
import { SsnSchema } from '../../platform/http/input-fields.ts';
/** A vehicle's operator or owner as the API shows it. */
export const HolderSchema = z
  .strictObject({
    ssn: z.string().nullable(),
    name: z.string().nullable(),
    insuranceCode: z.string().nullable(),
    registrationDate: z.string().nullable(),
    purchaseDate: z.string().nullable(),
  })
  .meta({
    id: 'VehicleHolder',
    example: {
      ssn: '5305750209',
      name: 'Bílaleigan ehf.',
      insuranceCode: '6090',
      registrationDate: '2018-04-11',
      purchaseDate: '2018-04-11',
    },
  });

const text = TypedTextSchema.trim().min(1).max(200).nullable();
const people = z.int().min(0).max(500).nullable();
const kg = z.int().min(0).max(200_000).nullable();
const held = z
  .strictObject({
    ssn: SsnSchema.nullable().default(null),
    name: TypedTextSchema.trim().min(1).max(200).nullable().default(null),
    insuranceCode: TypedTextSchema.trim().min(1).max(50).nullable().default(null),
    registrationDate: z.iso.date().nullable().default(null),
    purchaseDate: z.iso.date().nullable().default(null),
  })
  .meta({ id: 'VehicleHolderOverride' })
  .nullable();

/** The fields that people may set against the register. */
const fields = {
  vin: text,
  seats: people,
  passengers: people,
  vehicleCategory: text,
  vehicleGroup: text,
  useGroup: text,
  make: text,
  model: text,
  modelYear: z.int().min(1885).max(2200).nullable(),
  color: text,
  massinro: kg,
  massladen: kg.describe('Above 3,500 kg the vehicle is heavy, unless `category` is set too.'),
  taxGroup: text,
  registeredOn: z.iso.date().nullable(),
  category: VehicleCategorySchema.nullable(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, wrong('country-form'))
    .nullable(),
  operator: held,
  owner: held,
};

const ValuesSchema = z.strictObject(fields).partial();
type Values = z.infer<typeof ValuesSchema>;

/** The data of a vehicle that people entered in place of the register's, by field. */
export type VehicleOverrides = { [Name in keyof Values]?: NonNullable<Values[Name]> };

export const OverrideEditSchema = z
  .strictObject({
    values: ValuesSchema.describe('The overrides by field. Null removes one; absent fields are unchanged.'),
  })
  .meta({ id: 'VehicleOverrideEdit', example: { values: { massladen: 7500, color: null } } });
export type OverrideEdit = z.infer<typeof OverrideEditSchema>;

const AnyValueSchema = z.union([z.string(), z.number(), HolderSchema]).nullable();

/** The overrides of a vehicle as the API shows them. */
export const OverrideSchema = z
  .strictObject({
    plate: z.string(),
    createdOn: UtcTimeSchema.nullable(),
    modifiedOn: UtcTimeSchema.nullable().describe('Null: nothing is overridden.'),
    values: z
      .record(z.string(), z.strictObject({ value: AnyValueSchema, original: AnyValueSchema }))
      .describe("The overrides by field; `original` is the register's value."),
  })
  .meta({
    id: 'VehicleOverride',
    example: {
      plate: 'ABX12',
      createdOn: '2026-11-21T12:00:00.000Z',
      modifiedOn: '2026-11-21T12:00:00.000Z',
      values: { massladen: { value: 7500, original: 1998 } },
    },
  });
export type Override = z.infer<typeof OverrideSchema>;

/** Overrides after an edit; null where none are left. */
export function withEdit(before: VehicleOverrides | null, { values }: OverrideEdit): VehicleOverrides | null {
  const merged = Object.entries({ ...before, ...values }).filter(
    ([, value]) => value !== null && value !== undefined,
  );
  // The result has the fields with a value.
  return merged.length === 0 ? null : (Object.fromEntries(merged) as VehicleOverrides);
}
