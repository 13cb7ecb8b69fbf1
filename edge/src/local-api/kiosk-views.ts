import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { vatParts } from '@hlid/protocol/base/vat';
import type { KioskDue, KioskPayment, KioskReceipt, KioskVisit } from '@hlid/protocol/pages/kiosk-api';
import { taxedAmounts } from '@hlid/protocol/records/payment';
import type { Visit } from '@hlid/protocol/records/visit';
import type { LeavingTimes } from '@hlid/protocol/rules/leave-by';
import { sellsDays } from '@hlid/protocol/rules/payment-order';
import type { SiteItem } from '@hlid/protocol/site-link/site-change';
import { withFee } from '../payment/order-bill.ts';
import type { JournalEntry } from '../payment/payment-store.ts';
import type { VisitDue } from '../payment/visit-due.ts';
import type { ServiceFee } from '../visit/service-fee.ts';

/**
 * The amount that a visit owes, as its driver sees it.
 *
 * @param terms.fee for a payment at the kiosk
 */
export function viewDue(
  due: VisitDue,
  visit: KioskVisit,
  { currency }: SiteItem,
  { fee, times, at }: { fee: ServiceFee; times: LeavingTimes; at: UtcTime },
): KioskDue {
  const { standing, demand, product, paymentId } = due;
  const owes = standing === 'due' ? demand : null;
  const payable = owes && withFee(owes.price, fee);
  return {
    visit,
    standing,
    amountMinor: payable?.amountMinor ?? 0,
    currency: owes?.price.currency ?? currency,
    lines: payable?.lines ?? [],
    vatRate: (owes?.price.product ?? product)?.vatRate ?? 0,
    vat: payable === null ? [] : vatParts(taxedAmounts(payable)),
    pricedAt: at,
    paidUntil: due.visit.paidUntil,
    ...times,
    dayPriceMinor: product && sellsDays(product) ? product.priceMinor : null,
    paymentId,
  };
}

/** How a payment goes, as its driver sees it. */
export function viewPayment(
  { payment }: JournalEntry,
  prompt: Pick<KioskPayment, 'prompt' | 'promptText'> | null,
  visit: Visit | undefined,
  times: LeavingTimes,
): KioskPayment {
  const { id, visitId, state, needsPerson, amountMinor, currency, reason } = payment;
  return {
    id,
    visitId,
    state,
    needsPerson,
    amountMinor,
    currency,
    reason,
    ...(prompt ?? { prompt: null, promptText: null }),
    ...(state === 'settled' && visit ? paidTimes(visit, times) : { paidUntil: null, leaveBy: null }),
  };
}

function paidTimes({ paidUntil }: Visit, { stayPaidUntil, leaveBy }: LeavingTimes) {
  const isLater = paidUntil !== null && stayPaidUntil !== null && stayPaidUntil > paidUntil;
  return { paidUntil, ...(isLater && { daysUntil: stayPaidUntil }), leaveBy };
}

/** The receipt of a payment that is settled; null: it is not. */
export function viewReceipt(
  { payment, bill }: JournalEntry,
  { name, settings }: SiteItem,
  cloudUrl: string | null,
  visit: Visit | undefined,
): KioskReceipt | null {
  const { state, transaction, amountMinor, currency, receiptKey, language } = payment;
  if (state !== 'settled' || transaction === null) return null;
  const { from, until, vatRate } = bill;
  // A payment of before the VAT was kept with it has the rate of its bill.
  const vat = vatParts(
    taxedAmounts({ ...payment, product: payment.product ?? { id: '', version: 0, vatRate } }),
  );
  const page = cloudUrl === null ? null : (settings.receiptUrl ?? `${cloudUrl.replace(/\/$/, '')}/receipt`);
  return {
    site: name,
    terminalLines: payment.receipt,
    // The plate may have been corrected since the payment, or erased.
    plate: visit ? visit.plate : null,
    from,
    until,
    lines: payment.lines ?? [],
    amountMinor,
    vatMinor: vat.reduce((sum, part) => sum + part.vatMinor, 0),
    vatRate,
    vat,
    currency,
    card: transaction.card,
    paidAt: payment.changedAt,
    url: page === null || receiptKey === undefined ? null : `${page}/${receiptKey}?lang=${language}`,
  };
}
