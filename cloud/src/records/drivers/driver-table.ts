import type { Language } from '@hlid/protocol/base/language';
import type { ReceiptCard } from '@hlid/protocol/records/payment';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId } from '../../platform/db/compact-columns.ts';
import { sql } from '../../platform/db/sql.ts';
import { WorkQueue, workColumns, workIndexes } from '../../platform/jobs/work-queue.ts';

/** Why nothing is charged by itself. */
type PauseReason = 'driver' | 'declined';
/**
 * The way in which a driver has proved that a vehicle is theirs. `stay`: by the time of entry or a link of a
 * stay. `payment`: by paying for it. `register`: by an electronic identity that the register of vehicles
 * names as owner or operator.
 */
export type VehicleProof = 'stay' | 'payment' | 'register';

/** Drivers with an account. They are no office accounts: see `accounts`. */
export const driverTable = sqliteTable(
  'driver',
  {
    id: text('id').primaryKey(),
    /** Lower case; proved by a mailed link. */
    email: text('email').notNull().unique(),
    /** The national id of the electronic identity that logs in; null: none is connected. */
    ssn: text('ssn').unique(),
    language: text('language').$type<Language>().notNull(),
    /** Null: vehicles of the driver are charged by themselves. */
    pausedFor: text('paused_for').$type<PauseReason>(),
    /** The limits of automatic charges; null: none yet. */
    caps: text('caps', { mode: 'json' }).$type<DriverCaps>(),
    createdAt: text('created_at').notNull(),
    /** When the driver logged in or was charged last. */
    usedAt: text('used_at').notNull(),
  },
  (table) => [index('driver_by_use').on(table.usedAt)],
);

interface DriverCaps {
  /** ISO 4217. Nothing is charged in another currency. */
  currency: string;
  stayMinor: number;
  /** The most that is charged in a day, by the calendar of the site. */
  dayMinor: number;
}

/** The card of a driver. The provider has it; here are its token and what a receipt shows. */
export const driverCardTable = sqliteTable('driver_card', {
  driverId: text('driver_id')
    .primaryKey()
    .references(() => driverTable.id, { onDelete: 'cascade' }),
  /** The id of the gateway in the configuration. */
  gatewayId: text('gateway_id').notNull(),
  token: text('token').notNull(),
  card: text('card', { mode: 'json' }).$type<ReceiptCard>().notNull(),
  /** `YYYY-MM`; null: the provider does not report it. */
  expires: text('expires'),
  /** The payment with 3-D Secure by which the provider stored it. */
  paymentId: compactId('payment_id').notNull(),
  storedAt: text('stored_at').notNull(),
});

/** Vehicles that are charged by themselves: a plate has one driver at a time. */
export const driverVehicleTable = sqliteTable(
  'driver_vehicle',
  {
    /** Normalised. */
    plate: text('plate').primaryKey(),
    driverId: text('driver_id')
      .notNull()
      .references(() => driverTable.id, { onDelete: 'cascade' }),
    proof: text('proof').$type<VehicleProof>().notNull(),
    /** The stay that proved it; null: the register did. */
    visitId: compactId('visit_id'),
    /** When it was proved; with `register`: when the register last confirmed it. */
    provedAt: text('proved_at').notNull(),
  },
  (table) => [
    index('driver_vehicle_by_driver').on(table.driverId),
    index('driver_vehicle_registered').on(table.provedAt).where(sql`proof = 'register'`),
  ],
);

/**
 * `waiting` → `charging` → `paid` | `unknown` | `declined` | `refused`; `unknown` → `paid` | `refused`. Nothing was
 * charged for `declined` and `refused`.
 */
export type ChargeState = 'waiting' | 'charging' | 'unknown' | 'paid' | 'declined' | 'refused';

/** The automatic charges of a driver. The payment itself is in the journal of online payments. */
export const driverChargeTable = sqliteTable(
  'driver_charge',
  {
    id: text('id').primaryKey(),
    driverId: text('driver_id')
      .notNull()
      .references(() => driverTable.id, { onDelete: 'cascade' }),
    visitId: compactId('visit_id').notNull(),
    state: text('state').$type<ChargeState>().notNull(),
    /** A code: why it was declined or refused, or why it will be. */
    reason: text('reason'),
    /** Null: nothing was sent. */
    paymentId: compactId('payment_id'),
    amountMinor: integer('amount_minor').notNull().default(0),
    currency: text('currency'),
    /** The day of the site's calendar, `YYYY-MM-DD`; null while it waits. */
    day: text('day'),
    /** The driver got a mail about it that asks for payment by hand. */
    mailed: integer('mailed', { mode: 'boolean' }).notNull().default(false),
    ...workColumns(),
    /** When the car stood at the exit, or its stay ended, by the cloud's clock. */
    createdAt: text('created_at').notNull(),
  },
  (table) => [
    index('driver_charge_by_driver').on(table.driverId, table.day),
    index('driver_charge_by_visit').on(table.visitId),
    index('driver_charge_newest').on(table.driverId, table.createdAt, table.id),
    index('driver_charge_by_creation').on(table.createdAt),
    ...workIndexes('driver_charge', table),
  ],
);
export const chargeQueue = new WorkQueue('driver_charge');

/** Cards that the provider has still to delete. No driver has them any more, and they are never charged. */
export const forgottenCardTable = sqliteTable(
  'forgotten_card',
  {
    id: text('id').primaryKey(),
    gatewayId: text('gateway_id').notNull(),
    token: text('token').notNull(),
    ...workColumns(),
  },
  (table) => workIndexes('forgotten_card', table),
);
export const forgottenCardQueue = new WorkQueue('forgotten_card');
