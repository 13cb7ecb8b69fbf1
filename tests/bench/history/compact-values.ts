import { lengthenJson, shortenJson } from '@hlid/cloud/db/short-json';
import { feedChangeTable, feedHeadTable, feedItemTable } from '@hlid/cloud/feed/feed-table';
import { chargeTable } from '@hlid/cloud/invoices/charge-table';
import { incomeTable } from '@hlid/cloud/invoices/income-table';
import { invoiceTable } from '@hlid/cloud/invoices/invoice-table';
import { gateMovementTable, laneAlertTable, passageDecisionTable } from '@hlid/cloud/passages/passage-table';
import { paymentTable } from '@hlid/cloud/payments/payment-table';
import { photoTable } from '@hlid/cloud/photos/storage/photo-table';
import { eventCursorTable } from '@hlid/cloud/sites/event-cursor-table';
import { sitePresenceTable } from '@hlid/cloud/sites/site-table';
import { trafficTable } from '@hlid/cloud/visits/record/traffic-table';
import { visitStepTable, visitTable } from '@hlid/cloud/visits/record/visit-table';
import { integrationEventTable } from '@hlid/cloud/webhooks/events/integration-event-table';
import { is } from 'drizzle-orm';
import { getTableConfig, type SQLiteColumn, SQLiteCustomColumn } from 'drizzle-orm/sqlite-core';

/** The columns that are stored otherwise than they read (compact-columns.ts, short-json.ts), by table and name. */
const COMPACT = new Map<string, SQLiteColumn>(
  [
    ...[visitTable, visitStepTable, photoTable, passageDecisionTable, gateMovementTable, laneAlertTable],
    ...[invoiceTable, paymentTable, integrationEventTable, chargeTable, incomeTable, trafficTable],
    ...[feedChangeTable, feedHeadTable, feedItemTable, eventCursorTable, sitePresenceTable],
  ].flatMap((table) => {
    const { name, columns } = getTableConfig(table);
    return columns.flatMap((column) =>
      is(column, SQLiteCustomColumn) ? [[`${name}.${column.name}`, column] as const] : [],
    );
  }),
);

const isJson = (column: SQLiteColumn) => column.getSQLType() === 'text';

/** The value of a column as text where it is stored otherwise. */
export function readableValue(table: string, column: string, value: unknown): unknown {
  const compact = COMPACT.get(`${table}.${column}`);
  if (compact === undefined || value === null) return value;
  return isJson(compact) ? lengthenJson(String(value)) : compact.mapFromDriverValue(value);
}

/** The same back again. */
export function storedValue(
  table: string,
  column: string,
  value: string | number | null,
): string | number | Uint8Array | null {
  const compact = COMPACT.get(`${table}.${column}`);
  if (compact === undefined || value === null) return value;
  return isJson(compact)
    ? shortenJson(String(value))
    : (compact.mapToDriverValue(value) as string | number | Uint8Array);
}
