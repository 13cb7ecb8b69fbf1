import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { vatOf, vatTerms } from '@hlid/protocol/base/vat';
import type { Payment, PaymentState } from '@hlid/protocol/records/payment';
import {
  FINDING_CONTRADICTED,
  mayBeRefunded,
  type PersonFinding,
} from '@hlid/protocol/rules/payment-transitions';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { preparedInsert } from '../../platform/db/prepared-insert.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { answersOrder } from '../../records/payments/open-reversal.ts';
import { terminalDayTable } from '../../records/payments/payment-table.ts';
import { notePaymentFailed } from '../../records/visits/failed-payment.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { clearFlag, flagVisit } from '../../records/visits/flag-visit.ts';
import { settledAfter } from '../../records/visits/settlements.ts';
import {
  type InvoicedPayment,
  invoiceFailed,
  invoicePaid,
  invoiceReversed,
  invoiceUnknown,
} from '../invoices/invoice-payment.ts';
import type { InvoicedVisit } from '../invoices/invoice-settlement.ts';
import { reportedPayment } from './find-payment.ts';
import { type PaymentRow, writePayment } from './payment-store.ts';
import { isDenied, transitionAfter } from './payment-transitions.ts';
import { noteFinding, showOpenRefund } from './reversal-orders.ts';
import { clearSettledTwice, markOnlineSettledTwice, markSettledTwice } from './settled-twice.ts';

/** A terminal takes money for visits only. */
export type TerminalPayment = PaymentRow & { visitId: string };

/**
 * Stores a payment as its site reports it, and what follows from it for the books. A repeated report, or an older one
 * of a site that was restored from a backup, changes nothing. @returns the reason of a refusal, or null
 */
export async function ingestPayment(
  tx: Tx,
  { siteId, at }: { siteId: string; at: UtcTime },
  reported: Payment,
): Promise<string | null> {
  const known = await reportedPayment(tx.q, reported.id);
  if (known !== null) {
    const mistake = contradiction(known, siteId, reported);
    if (mistake !== null) return mistake;
  }
  const isContradiction = known !== null && contradictsFinding(known, reported);
  const changed = known === null ? reported : transitionAfter(known, reported);
  if (changed === null) {
    if (isContradiction) await needPersonAgain(tx, known, reported.changedAt, at);
    return null;
  }
  const isChanged = known?.state !== changed.state;
  // If the reported state is not accepted, only `needsPerson` is used.
  const fields =
    known === null || changed.state === reported.state ? reported : { ...reported, ...keptOf(known) };
  const row = rowOf(siteId, { ...fields, state: changed.state, needsPerson: changed.needsPerson });
  if (!answersOrder(row)) row.reversalOrderedAt = known?.reversalOrderedAt ?? null;
  row.finding = known?.finding ?? null;
  if (isContradiction) {
    row.needsPerson = true;
    row.reason = FINDING_CONTRADICTED;
  }
  await writePayment(tx.q, row);
  if (isChanged) await follow(tx, row, at);
  await showOpenRefund(tx, row, at);
  return null;
}

/**
 * Stores what a person found out about a payment that its site does not know any more, and what follows from it for the
 * books.
 */
export async function storeFinding(
  tx: Tx,
  known: TerminalPayment,
  { state, finding, by }: { state: PaymentState; finding: PersonFinding; by: string },
  at: UtcTime,
): Promise<TerminalPayment> {
  const row: TerminalPayment = {
    ...known,
    state,
    finding,
    needsPerson: false,
    reason: `person: ${by}`,
    reversalOrderedAt: null,
  };
  await writePayment(tx.q, row);
  await noteFinding(tx.q, known.id, finding);
  if (known.state !== state) await follow(tx, row, at);
  await showOpenRefund(tx, row, at);
  return row;
}

/** An answer is checked against its intent: another amount is another payment. */
function contradiction(known: PaymentRow, siteId: string, reported: Payment): string | null {
  if (known.siteId !== siteId) return 'the payment is another site’s';
  const { visitId, terminalId, amountMinor, currency } = known;
  const same =
    reported.visitId === visitId &&
    reported.terminalId === terminalId &&
    reported.amountMinor === amountMinor &&
    reported.currency === currency;
  return same ? null : 'the payment is known with another visit, terminal or amount';
}

/**
 * Whether a site that knows the payment again, and reports something newer, contradicts a person's finding in
 * the meantime.
 */
function contradictsFinding(known: PaymentRow, reported: Payment): boolean {
  if (known.finding === null || reported.changedAt <= known.changedAt) return false;
  const isHere = reported.state === 'settled' && !mayBeRefunded(reported);
  const isGone = reported.state === 'reversed' || isDenied(reported.state);
  return known.finding === 'booked' ? isGone : isHere;
}

/** The books stay as the person found them out: money is neither taken nor given a second time. */
async function needPersonAgain(tx: Tx, known: PaymentRow, changedAt: UtcTime, at: UtcTime): Promise<void> {
  const { id, siteId } = known;
  const row = { ...known, needsPerson: true, reason: FINDING_CONTRADICTED, siteLostAt: null, changedAt };
  await writePayment(tx.q, row);
  await recordEvent(tx, { type: 'payment.review', subjectId: id, siteId, at });
}

function keptOf({ transaction, reason, receipt, changedAt }: PaymentRow) {
  return { transaction, reason, receipt, changedAt };
}

function rowOf(siteId: string, payment: Payment): TerminalPayment {
  const { lines = [], feesMinor = 0, feesVat = null, product = null, receiptKey = null, ...same } = payment;
  // Fields that the cloud sets itself stay as they are in a known row.
  return {
    ...same,
    invoiceId: null,
    feesMinor,
    feesVat,
    lines,
    product,
    receiptKey,
    siteId,
    chargedBack: false,
    settledTwice: false,
    mailedAt: null,
    reversalOrderedAt: null,
    siteLostAt: null,
    finding: null,
  };
}

/** The effects of a payment's state on the books. */
async function follow(tx: Tx, payment: TerminalPayment, at: UtcTime): Promise<void> {
  const { id, siteId, state } = payment;
  switch (state) {
    case 'settled':
      await invoicePaid(tx, await visitOf(tx, payment), settlementOf(payment));
      await recordEvent(tx, { type: 'payment.settled', subjectId: id, siteId, at });
      await flagSettledTwice(tx, payment, at);
      return;
    case 'unknown':
      await invoiceUnknown(tx, await visitOf(tx, payment), settlementOf(payment));
      await recordEvent(tx, { type: 'payment.unknown', subjectId: id, siteId, at });
      return;
    case 'reversed':
      await invoiceReversed(tx, id, at);
      await clearFlagSettledTwice(tx, payment, at);
      await recordEvent(tx, { type: 'payment.reversed', subjectId: id, siteId, at });
      return;
    case 'declined':
    case 'cancelled':
      await invoiceFailed(tx, await visitOf(tx, payment), settlementOf(payment));
      if (state === 'declined') await notePaymentFailed(tx, payment.visitId, at);
      return;
    case 'created':
    case 'sent':
    case 'approved':
      return;
    default:
      state satisfies never;
  }
}

/**
 * While the line was cut both took money, or one took what the other waived: a person refunds one. The visit's event
 * just before shows how much of the feed the site had when it took the money.
 */
async function flagSettledTwice(
  tx: Tx,
  { id, visitId, siteId }: TerminalPayment,
  at: UtcTime,
): Promise<void> {
  const visit = await findVisitRow(tx.q, visitId, ALL_ROWS);
  if (visit === null || visit.siteId !== siteId || visit.paymentStatus === null) return;
  const others = await settledAfter(tx.q, visitId, visit.feedAt);
  if (others.length === 0) return;
  await markSettledTwice(tx.q, id, true);
  // Payments that were made online are refunded automatically.
  await markOnlineSettledTwice(tx, others);
  await flagVisit(tx, visit, 'settled-twice', at);
  await recordEvent(tx, { type: 'payment.review', subjectId: id, siteId, at });
}

/** The payment is reversed: the visit is no longer settled twice. */
async function clearFlagSettledTwice(tx: Tx, { visitId }: TerminalPayment, at: UtcTime): Promise<void> {
  const visit = await findVisitRow(tx.q, visitId, ALL_ROWS);
  if (!visit?.flags.includes('settled-twice')) return;
  await clearSettledTwice(tx.q, visitId);
  await clearFlag(tx, visit, 'settled-twice', at);
}

/** The site’s report counts also where the visit is not known here. */
async function visitOf(
  { q }: { q: Queries },
  { visitId, siteId, product }: TerminalPayment,
): Promise<InvoicedVisit> {
  const known = await findVisitRow(q, visitId, ALL_ROWS);
  const nothing = { id: visitId, siteId, plate: null, customerId: null, vehicleCategory: null, price: null };
  const visit = known?.siteId === siteId ? known : nothing;
  // The visit may have been priced again since it was paid.
  return product === null ? visit : { ...visit, price: { product } };
}

function settlementOf(row: PaymentRow): InvoicedPayment {
  const { id, amountMinor, feesMinor, feesVat, currency, units, transaction, language, changedAt } = row;
  return {
    cause: id,
    paymentStatus: 'kiosk',
    amountMinor: amountMinor - feesMinor,
    ...(feesMinor > 0 && {
      fees: [
        {
          rule: 'service-fee',
          amountMinor: feesMinor,
          ...(feesVat !== null && { vat: vatTerms(vatOf(feesVat)) }),
        },
      ],
    }),
    currency,
    units,
    at: changedAt,
    payment: { id, card: transaction?.card ?? null, tipMinor: transaction?.tipMinor ?? 0, language },
  };
}

/** The purpose of a terminal's payment, as its invoice describes it. */
export async function invoicedAtTerminal(
  q: Queries,
  payment: TerminalPayment,
): Promise<{ visit: InvoicedVisit; made: InvoicedPayment }> {
  return { visit: await visitOf({ q }, payment), made: settlementOf(payment) };
}

export const addTerminalDay = preparedInsert(terminalDayTable, 'leave');
