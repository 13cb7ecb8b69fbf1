import type { VehicleCategory } from '@hlid/protocol/tariff/product';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { plateMiddleIndexes } from '../../platform/db/search-key.ts';
import { sql } from '../../platform/db/sql.ts';
import type { RegisteredHolder } from '../../platform/vehicle-registry/vehicle-registry.ts';
import type { VehicleOverrides } from './vehicle-override.ts';

/** Vehicles as a register describes them, and what people here have set instead. */
export const vehicleTable = sqliteTable(
  'vehicle',
  {
    id: text('id').primaryKey(),
    /** Normalised; null: another vehicle has it now, and its new one is not known yet. */
    plate: text('plate').unique(),
    plateFolded: text('plate_folded'),
    permno: text('permno').unique(),
    vin: text('vin'),
    seats: integer('seats'),
    passengers: integer('passengers'),
    vehicleCategory: text('vehicle_category'),
    vehicleGroup: text('vehicle_group'),
    useGroup: text('use_group'),
    make: text('make'),
    model: text('model'),
    modelYear: integer('model_year'),
    color: text('color'),
    massinro: integer('massinro'),
    massladen: integer('massladen'),
    taxGroup: text('tax_group'),
    registeredOn: text('registered_on'),
    country: text('country'),
    operator: text('operator', { mode: 'json' }).$type<RegisteredHolder>(),
    owner: text('owner', { mode: 'json' }).$type<RegisteredHolder>(),
    /** The category that counts, overrides included; null: not known, and so light. */
    category: text('category').$type<VehicleCategory>(),
    /** The register that described it; null: none yet. */
    source: text('source'),
    /** When the register last answered; null: it never has. */
    syncedAt: text('synced_at'),
    /** Values by field; null: none. */
    overrides: text('overrides', { mode: 'json' }).$type<VehicleOverrides>(),
    overridesCreatedAt: text('overrides_created_at'),
    overridesModifiedAt: text('overrides_modified_at'),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
  },
  (table) => [
    index('vehicle_by_creation').on(table.createdAt, table.id),
    index('vehicle_by_folded_plate').on(table.plateFolded, table.createdAt, table.id),
    ...plateMiddleIndexes('vehicle', table.plateFolded),
    // Small ones.
    index('vehicle_overridden').on(table.createdAt, table.id).where(sql`overrides IS NOT NULL`),
    index('vehicle_heavy').on(table.createdAt, table.id).where(sql`category = 'heavy'`),
  ],
);

export type VehicleRow = typeof vehicleTable.$inferSelect;

/** The plates that the register does not have: not asked again until then. */
export const vehicleAbsenceTable = sqliteTable(
  'vehicle_absence',
  {
    /** The plate, or the fixed id, that was asked for. */
    key: text('key').primaryKey(),
    until: text('until').notNull(),
  },
  (table) => [index('vehicle_absence_by_end').on(table.until)],
);

/** How the register has been answering, for all processes. */
export const registryStateTable = sqliteTable('registry_state', {
  source: text('source').primaryKey(),
  /** The number of failures in a row. */
  failures: integer('failures').notNull(),
  /** The register is not asked before this time; null: it is asked. */
  restsUntil: text('rests_until'),
});
