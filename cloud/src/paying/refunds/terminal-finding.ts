import type { PaymentState } from '@hlid/protocol/records/payment';
import type { PersonFinding } from '@hlid/protocol/rules/payment-transitions';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { findPayment, reportedPayment } from '../../money/payments/find-payment.ts';
import { storeFinding, type TerminalPayment } from '../../money/payments/ingest-payment.ts';
import { refuseTerminalFinding } from '../../money/payments/payment-actions.ts';
import type { PaymentRow } from '../../money/payments/payment-store.ts';
import { audit } from '../../people/audit/audit.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS, callerName } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { settleRow } from '../../stays/visits/change/change-visit.ts';
import { recordChange } from '../../stays/visits/change/record-change.ts';
import { giveBackPayment } from './refund-invoice.ts';

/**
 * Records what a person found out, at the terminal or the bank, about a payment at a terminal that the site
 * does not know any more. Without it such a payment would stay open forever. No money moves. If the site
 * knows the payment again, its later reports are compared with the finding.
 */
export async function recordTerminalFinding(
  db: Db,
  actor: Actor,
  id: string,
  { finding, reason }: { finding: PersonFinding; reason: string },
): Promise<{ ok: true; payment: PaymentRow } | Refused> {
  return await db.write(async (tx) => {
    const shown = await findPayment(tx.q, id);
    const known = await reportedPayment(tx.q, id);
    if (shown === null || known === null || !isAtTerminal(known)) return NOT_FOUND;
    const why = refuseTerminalFinding(shown, finding);
    if (why !== null) return refusedInput(why);
    const state = stateAfter(known.state, finding);
    const payment = await storeFinding(tx, known, { state, finding, by: callerName(actor.caller) }, actor.at);
    if (known.state === 'settled' && state === 'reversed') {
      const invoice = await findInvoice(tx.q, id, ALL_ROWS);
      if (invoice !== null) await giveBackPayment(tx, actor, invoice, reason);
    }
    if (known.state !== 'settled' && known.state !== 'reversed') {
      await followVisit(tx, actor, payment, finding, reason);
    }
    await audit(tx, actor, {
      subject: 'payment',
      subjectId: id,
      action: 'payment.finding',
      siteId: known.siteId,
      reason,
      before: { state: known.state, needsPerson: shown.needsPerson, reason: shown.reason },
      after: { finding, state, needsPerson: false },
    });
    return { ok: true, payment };
  });
}

function isAtTerminal(payment: PaymentRow): payment is TerminalPayment & { terminalId: string } {
  return payment.terminalId !== null && payment.visitId !== null;
}

function stateAfter(state: PaymentState, finding: PersonFinding): PaymentState {
  // It never counted as booked, and stays so.
  if (state === 'cancelled' || state === 'declined') return state;
  if (finding === 'booked') return 'settled';
  return finding === 'given-back' ? 'reversed' : 'cancelled';
}

/**
 * Updates the visit of a payment with an unknown outcome: the visit is paid or due, and waits for no finding
 * any more.
 */
async function followVisit(
  tx: Tx,
  actor: Actor,
  payment: TerminalPayment,
  finding: PersonFinding,
  reason: string,
): Promise<void> {
  const { id, amountMinor, feesMinor, currency, units } = payment;
  const before = await findVisitRow(tx.q, payment.visitId, ALL_ROWS);
  if (before === null) return;
  let after: VisitRow = { ...before, flags: before.flags.filter((flag) => flag !== 'payment-unknown') };
  if (finding === 'booked') {
    const site = await siteOfVisit(tx.q, before);
    // The id that the site gives it: if it reports the same, it counts once.
    const met = {
      id,
      paymentStatus: 'kiosk' as const,
      amountMinor: amountMinor - feesMinor,
      currency,
      units,
    };
    after = (await settleRow(tx, actor, after, site, met, before.price)).row;
  }
  const historyText = `payment ${finding}: ${reason}`;
  await recordChange(tx, actor, { before, after }, { action: 'visit.finding', historyText, reason });
}
