import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { VehicleCategorySchema } from '@hlid/protocol/tariff/product';
import { z } from '@hono/zod-openapi';
import type { RegisteredVehicle } from '../../platform/vehicle-registry/vehicle-registry.ts';
import { HolderSchema, type Override } from './vehicle-override.ts';
import type { VehicleRow } from './vehicle-table.ts';

/** Vans and trucks above this laden mass are no longer light (EU categories M1 and N1 end here). */
const HEAVIEST_LIGHT_KG = 3500;

/** A register's answer of this age is as good as a new one. */
export const FRESH_MS = DAY_MS;

/** A vehicle as the API shows it, overrides included; null: not known. */
export const VehicleSchema = z
  .strictObject({
    id: z.string(),
    regno: z.string().nullable(),
    permno: z.string().nullable(),
    vin: z.string().nullable(),
    seats: z.int().nullable(),
    passengers: z.int().nullable(),
    vehicleCategory: z.string().nullable(),
    vehicleGroup: z.string().nullable(),
    useGroup: z.string().nullable(),
    make: z.string().nullable(),
    model: z.string().nullable(),
    modelYear: z.int().nullable(),
    color: z.string().nullable(),
    massinro: z.int().nullable().describe('Mass in running order, kg.'),
    massladen: z.int().nullable().describe('Maximum laden mass, kg.'),
    taxGroup: z.string().nullable(),
    registeredOn: z.string().nullable(),
    category: VehicleCategorySchema.nullable().describe('Heavy above 3,500 kg laden; null counts as light.'),
    country: z.string().nullable(),
    operator: HolderSchema.nullable().describe('Shown to operators, and to the holder itself.'),
    owner: HolderSchema.nullable().describe('Shown to operators, and to the holder itself.'),
    source: z.string().nullable().describe('The source of the data; null: none.'),
    syncedStatus: z.enum(['stale', 'fresh']),
    syncedOn: UtcTimeSchema.nullable(),
  })
  .meta({ id: 'Vehicle' });
export type Vehicle = z.infer<typeof VehicleSchema>;

/** The description of a vehicle, by the register and by people. */
type Described = Pick<VehicleRow, 'overrides' | Exclude<keyof RegisteredVehicle, 'regno'>>;

/** The category that counts for a vehicle; null: not known. */
export function categoryOf({ massladen, overrides }: Pick<Described, 'massladen' | 'overrides'>) {
  return overrides?.category ?? registeredCategory(overrides?.massladen ?? massladen);
}

function registeredCategory(massladen: number | null): VehicleRow['category'] {
  if (massladen === null) return null;
  return massladen > HEAVIEST_LIGHT_KG ? 'heavy' : 'light';
}

/** Whether a register has reported it lately. */
export function isFresh({ syncedAt }: Pick<VehicleRow, 'syncedAt'>, now: UtcTime): boolean {
  return syncedAt !== null && millis(now) - millis(syncedAt) < FRESH_MS;
}

/** Its operator and its owner as the register, or a person here, has set them. */
function namedHolders({ overrides, operator, owner }: Pick<VehicleRow, 'overrides' | 'operator' | 'owner'>) {
  return { operator: overrides?.operator ?? operator, owner: overrides?.owner ?? owner };
}

/** The known holders of a vehicle: the operator first, then the owner. */
export function holdersOf(row: Pick<VehicleRow, 'overrides' | 'operator' | 'owner'>) {
  const { operator, owner } = namedHolders(row);
  return [operator, owner].flatMap((holder) =>
    holder !== null && (holder.ssn !== null || holder.name !== null) ? [holder] : [],
  );
}

/** @param mayKnow whether the asker may know of a holder with that national id */
export function vehicleFrom(
  row: VehicleRow,
  now: UtcTime,
  mayKnow: (ssn: string | null) => boolean = () => true,
): Vehicle {
  const { overrides } = row;
  const { operator, owner } = namedHolders(row);
  return {
    id: row.id,
    regno: row.plate,
    permno: row.permno,
    vin: overrides?.vin ?? row.vin,
    seats: overrides?.seats ?? row.seats,
    passengers: overrides?.passengers ?? row.passengers,
    vehicleCategory: overrides?.vehicleCategory ?? row.vehicleCategory,
    vehicleGroup: overrides?.vehicleGroup ?? row.vehicleGroup,
    useGroup: overrides?.useGroup ?? row.useGroup,
    make: overrides?.make ?? row.make,
    model: overrides?.model ?? row.model,
    modelYear: overrides?.modelYear ?? row.modelYear,
    color: overrides?.color ?? row.color,
    massinro: overrides?.massinro ?? row.massinro,
    massladen: overrides?.massladen ?? row.massladen,
    taxGroup: overrides?.taxGroup ?? row.taxGroup,
    registeredOn: overrides?.registeredOn ?? row.registeredOn,
    category: row.category,
    country: overrides?.country ?? row.country,
    operator: operator !== null && mayKnow(operator.ssn) ? operator : null,
    owner: owner !== null && mayKnow(owner.ssn) ? owner : null,
    source: row.source,
    syncedStatus: isFresh(row, now) ? 'fresh' : 'stale',
    syncedOn: row.syncedAt,
  };
}

/** Its overrides, each beside the register's value. */
export function overrideFrom(row: VehicleRow, plate: string): Override {
  const original = { ...row, category: registeredCategory(row.massladen) };
  const values: Override['values'] = {};
  for (const name of overriddenFields(row)) {
    values[name] = { value: row.overrides?.[name] ?? null, original: original[name] };
  }
  return { plate, createdOn: row.overridesCreatedAt, modifiedOn: row.overridesModifiedAt, values };
}

function overriddenFields({ overrides }: VehicleRow) {
  return Object.keys(overrides ?? {}) as (keyof NonNullable<VehicleRow['overrides']>)[];
}
