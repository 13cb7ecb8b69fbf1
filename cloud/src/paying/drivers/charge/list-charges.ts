import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { DriverCharge, DriverCharges } from '@hlid/protocol/pages/driver-api';
import type { Queries } from '../../../platform/db/db.ts';
import { and, eq, inArray, notInArray, or, type SQL, sql } from '../../../platform/db/sql.ts';
import { beyond, inDirection } from '../../../platform/http/keyset.ts';
import { driverChargeTable as charge } from '../../../records/drivers/driver-table.ts';
import { paymentTable as payment } from '../../../records/payments/payment-table.ts';
import { siteTable as site } from '../../../records/sites/site-table.ts';
import { visitTable as visit } from '../../../records/visits/visit-table.ts';
import { refusalKind, SILENT_REFUSALS } from '../../../stays/charges/charge-doubts.ts';

/** The place of a charge in the list. */
export interface ChargePlace {
  at: UtcTime;
  id: string;
}

const PAGE_ROWS = 10;
const ORDER = { at: charge.createdAt, id: charge.id };

/** A page of what was charged to a driver automatically, or why not, newest first. */
export async function listCharges(
  q: Queries,
  driverId: string,
  before: ChargePlace | null,
): Promise<DriverCharges> {
  const { id, createdAt, state, reason, amountMinor, currency } = charge;
  const rows = await q
    .select({
      id,
      createdAt,
      state,
      reason,
      amountMinor,
      currency,
      plate: visit.plate,
      name: site.name,
      timeZone: site.timeZone,
      receiptKey: payment.receiptKey,
      paymentState: payment.state,
    })
    .from(charge)
    .innerJoin(visit, eq(visit.id, charge.visitId))
    .innerJoin(site, eq(site.id, visit.siteId))
    .leftJoin(payment, eq(payment.id, charge.paymentId))
    .where(
      and(
        eq(charge.driverId, driverId),
        isShown(),
        before === null ? undefined : beyond(ORDER, 'older', { rank: 0, ...before }),
      ),
    )
    .orderBy(...inDirection(ORDER, 'older'))
    .limit(PAGE_ROWS + 1);
  return { charges: rows.slice(0, PAGE_ROWS).map(chargeOf), isEnd: rows.length <= PAGE_ROWS };
}

/** A refusal that the driver knows of is not, nor one that was followed by another try for the same stay. */
function isShown(): SQL | undefined {
  const isLast = sql`NOT EXISTS (SELECT 1 FROM ${charge} AS later WHERE later.visit_id = ${charge.visitId}
    AND later.driver_id = ${charge.driverId} AND later.created_at > ${charge.createdAt})`;
  return or(
    inArray(charge.state, ['waiting', 'charging', 'unknown', 'paid', 'declined']),
    and(notInArray(charge.reason, [...SILENT_REFUSALS]), isLast),
  );
}

type ChargeState = typeof charge.$inferSelect.state;

interface ListedRow {
  id: string;
  createdAt: UtcTime;
  state: ChargeState;
  reason: string | null;
  amountMinor: number;
  currency: string | null;
  plate: string | null;
  name: string;
  timeZone: string;
  receiptKey: string | null;
  paymentState: string | null;
}

function chargeOf(row: ListedRow): DriverCharge {
  const { id, createdAt, reason, amountMinor, currency, plate, name, timeZone, receiptKey } = row;
  const isPaid = row.state === 'paid';
  return {
    id,
    at: createdAt,
    site: { name, timeZone },
    plate,
    state: isPaid && row.paymentState === 'reversed' ? 'refunded' : SHOWN_STATES[row.state],
    refusal: row.state === 'refused' && reason !== null ? refusalKind(reason) : null,
    amount: currency === null || amountMinor === 0 ? null : { amountMinor, currency },
    receipt: isPaid && receiptKey !== null ? `/receipt/${receiptKey}` : null,
  };
}

const SHOWN_STATES: Readonly<Record<ChargeState, DriverCharge['state']>> = {
  waiting: 'checking',
  charging: 'checking',
  unknown: 'checking',
  paid: 'paid',
  declined: 'declined',
  refused: 'refused',
};
