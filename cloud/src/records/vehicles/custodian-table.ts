import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { sql } from '../../platform/db/sql.ts';

/**
 * The custodians of a vehicle: a customer, and perhaps the driver. The periods of a vehicle never overlap.
 */
export const custodianTable = sqliteTable(
  'custodian',
  {
    id: text('id').primaryKey(),
    vehicleId: text('vehicle_id').notNull(),
    /** The company or owner. */
    customerId: text('customer_id').notNull(),
    /** The employee or person. */
    accountId: text('account_id'),
    dateFrom: text('date_from').notNull(),
    /** The end, which is not included; null: until further notice. */
    dateTo: text('date_to'),
    /** Archived: released before its time. */
    status: text('status').$type<'active' | 'archived'>().notNull(),
    createdAt: text('created_at').notNull(),
    modifiedAt: text('modified_at').notNull(),
  },
  (table) => [
    index('custodian_by_creation').on(table.createdAt, table.id),
    index('custodian_by_vehicle').on(table.vehicleId, table.createdAt, table.id),
    index('custodian_by_period').on(table.vehicleId, table.dateFrom),
    index('custodian_by_customer').on(table.customerId, table.createdAt, table.id),
    index('custodian_by_account').on(table.accountId, table.createdAt, table.id),
    index('custodian_by_begin').on(table.dateFrom),
    index('custodian_by_end').on(table.dateTo).where(sql`date_to IS NOT NULL`),
  ],
);

export type CustodianRow = typeof custodianTable.$inferSelect;
