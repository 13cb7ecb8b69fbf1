import { formatMoney } from '@hlid/protocol/money';
import { refundId, reversalItem } from '@hlid/protocol/visit-settlement';
import type { Actor } from '../audit/audit.ts';
import type { Tx } from '../db/db.ts';
import { ALL_ROWS } from '../http/caller.ts';
import type { InvoiceRow } from '../invoices/invoice-store.ts';
import { clearSettledTwice } from '../payments/payment-store.ts';
import { siteOfVisit } from '../sites/site-of-visit.ts';
import { settleRow } from '../visits/change/change-visit.ts';
import { recordDeed } from '../visits/change/record-deed.ts';
import type { VisitRow } from '../visits/list/visit-view.ts';
import { findVisitRow } from '../visits/record/visit-store.ts';

/**
 * What was paid for a visit went back: a car that is still inside does not leave on it, here and at its site. What was
 * settled twice is so no more.
 */
export async function giveBackPayment(
  tx: Tx,
  actor: Actor,
  { visitId, cause, paymentType, lines, amountMinor, currency }: InvoiceRow,
  reason: string,
): Promise<void> {
  const before = visitId === null ? null : await findVisitRow(tx.q, visitId, ALL_ROWS);
  if (before === null) return;
  await clearSettledTwice(tx.q, before.id);
  const flags = before.flags.filter((flag) => flag !== 'settled-twice');
  let after: VisitRow = { ...before, flags };
  if (before.endedAt === null) {
    // Fees were never counted as met.
    const asked = lines.filter(({ rule }) => rule === 'visit');
    const units = asked.reduce((sum, line) => sum + line.units, 0);
    const id = refundId(cause);
    const back = reversalItem({
      paymentStatus: paymentType === 'online' ? 'kiosk' : paymentType,
      amountMinor: asked.reduce((sum, line) => sum + line.amountMinor, 0),
      currency,
      units,
    });
    const met = { ...back, ...(id !== null && { id }) };
    after = (await settleRow(tx, actor, after, await siteOfVisit(tx.q, before), met, null)).row;
  }
  const why = `refunded ${formatMoney({ amountMinor, currency }, 'en')}: ${reason}`;
  await recordDeed(tx, actor, { before, after }, { action: 'visit.refund', why, reason });
}
