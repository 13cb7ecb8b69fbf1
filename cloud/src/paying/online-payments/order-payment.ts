import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { type VatPart, vatOf, vatParts, vatTerms } from '@hlid/protocol/base/vat';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import { SITE_DEFAULTS } from '@hlid/protocol/records/site-limits';
import {
  billDays,
  billDue,
  billEnded,
  isStillDue,
  type OrderBill,
  type OrderRefusal,
  type PayableVisit,
} from '@hlid/protocol/rules/payment-order';
import { priceToSettle } from '@hlid/protocol/rules/visit-settlement';
import type { InvoiceRow } from '../../money/invoices/invoice-store.ts';
import { type InvoiceRefusal, openInvoice, sellingSite } from '../../money/invoices/pay-invoice.ts';
import { findProduct } from '../../money/products/find-products.ts';
import type { CardGateways } from '../../platform/card-gateways/card-gateways.ts';
import type { Queries } from '../../platform/db/db.ts';
import { and, desc, eq } from '../../platform/db/sql.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import type { Fee } from '../../records/invoices/fee.ts';
import type { ProductRow } from '../../records/products/product-table.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { vehicleTable } from '../../records/vehicles/vehicle-table.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { siteVisit } from '../../records/visits/site-visit.ts';
import { type VisitRow, visitTable } from '../../records/visits/visit-table.ts';
import { payableVisit } from '../../stays/visits/price/decide-now.ts';
import { lateFeeOf } from '../../stays/visits/price/late-fee.ts';
import type { OnlinePayment } from './online-payment-store.ts';

/**
 * The object of a payment: a visit by its id, or the car that is or was inside with that plate; or an
 * invoice.
 */
export type PaymentSubject = VisitToPay | InvoiceToPay;

export interface InvoiceToPay {
  /** All that is open of it. */
  invoiceId: string;
}

export interface VisitToPay {
  vehicle: { visitId: string } | { plate: string } | { vehicleId: string };
  /** Absent: what is due now. */
  product?: { id: string; quantity?: number | undefined } | undefined;
}

/** Why nothing can be paid. */
export type OfferRefusal =
  | OrderRefusal
  | 'no-visit'
  /** It left too long ago: only the offices take the payment. */
  | 'too-late'
  | 'several-visits'
  | 'no-product'
  | 'quota-product'
  | 'currency'
  | InvoiceRefusal
  /** It has become more than the payer agreed to. */
  | 'amount-changed';

/** The present terms of a payment of an invoice. */
export interface InvoiceOffer {
  ok: true;
  invoice: InvoiceRow;
  /** The site with the gateway that takes the money. */
  site: ChosenSite;
  totalMinor: number;
}

/** The present terms of a payment of a visit. */
export interface PaymentOffer {
  ok: true;
  visit: VisitRow;
  site: ChosenSite;
  bill: OrderBill;
  /** Fees in addition to the price of the stay, such as a late fee. */
  fees: Fee[];
  /** The amount with the fees. */
  totalMinor: number;
}

/** The VAT in what a payment of a visit would be: of the price, and of each fee. */
export function vatOfOffer({ bill, fees }: Pick<PaymentOffer, 'bill' | 'fees'>): VatPart[] {
  const ofPrice = vatTerms(vatOf(bill.product));
  return vatParts([
    { ...ofPrice, amountMinor: bill.amountMinor },
    ...fees.map(({ amountMinor, vat = ofPrice }) => ({ ...vat, amountMinor })),
  ]);
}

/** A visit that a driver may pay for, with what it owes. */
export interface Payable {
  visit: VisitRow;
  site: ChosenSite;
  due: PayableVisit;
}

/** The number of days after a car has left in which its driver can pay. */
export function payAfterDays({ settings }: Pick<ChosenSite, 'settings'>): number {
  return settings.payAfterDays ?? SITE_DEFAULTS.payAfterDays;
}

/** Drivers pay for stays that ended after this moment, and for those that have not ended. */
export function payableSince(site: Pick<ChosenSite, 'settings'>, now: UtcTime): UtcTime {
  return utcTime(millis(now) - payAfterDays(site) * DAY_MS);
}

/**
 * The offer for an order now, priced by our own rules; or why there is nothing to pay.
 *
 * @param by `office`: an unpaid stay is taken however old it is
 */
export async function offerPayment(
  q: Queries,
  subject: VisitToPay,
  at: UtcTime,
  by: 'driver' | 'office',
): Promise<PaymentOffer | { ok: false; refusal: OfferRefusal }> {
  const product = subject.product && (await findProduct(q, subject.product.id));
  if (product === null) return { ok: false, refusal: 'no-product' };
  if (product?.type === 'quota') return { ok: false, refusal: 'quota-product' };
  const visit = await findPayable(q, subject.vehicle, product?.siteId ?? null);
  if (typeof visit === 'string') return { ok: false, refusal: visit };
  const site = await siteOfVisit(q, visit);
  if (product && product.currency !== site.currency) return { ok: false, refusal: 'currency' };
  const due = await payableVisit(q, visit, site, at);
  const bill = billOf({ visit, site, due }, product, subject.product?.quantity);
  if (typeof bill === 'string') return { ok: false, refusal: bill };
  const isLate = visit.endedAt !== null && visit.endedAt <= payableSince(site, at);
  if (isLate && by === 'driver') return { ok: false, refusal: 'too-late' };
  const fee = await lateFeeOf(q, visit, site, at);
  const fees = fee === null ? [] : [fee];
  const totalMinor = fees.reduce((sum, { amountMinor }) => sum + amountMinor, bill.amountMinor);
  return { ok: true, visit, site, bill, fees, totalMinor };
}

/** An invoice is paid as a whole, at the gateway of a site that it is for. */
export async function offerInvoice(
  q: Queries,
  { invoiceId }: InvoiceToPay,
  gateways: Pick<CardGateways, 'choose'>,
  at: UtcTime,
): Promise<InvoiceOffer | { ok: false; refusal: OfferRefusal }> {
  const open = await openInvoice(q, invoiceId, at);
  if (typeof open === 'string') return { ok: false, refusal: open };
  const { invoice, openMinor } = open;
  const site = await sellingSite(q, invoice, gateways);
  return site === null
    ? { ok: false, refusal: 'not-payable' }
    : { ok: true, invoice, site, totalMinor: openMinor };
}

/** A visit is paid as it is priced; days are sold by a product and a number of them. */
function billOf(
  { visit, due }: Payable,
  product: ProductRow | undefined,
  quantity: number | undefined,
): OrderBill | OrderRefusal {
  if (visit.endedAt !== null) {
    return quantity === undefined || quantity === 1 ? billEnded(siteVisit(visit)) : 'visit-ended';
  }
  if (product !== undefined && quantity !== undefined && product.type === 'default') {
    return billDays(due, quantity, product, visit.vehicleCategory);
  }
  const isPricing = product === undefined || product.id === due.product?.id;
  return isPricing ? billDue(due) : 'not-for-sale';
}

/** The visit that a plate is inside with, or else the last one that it left without paying. */
async function findPayable(
  q: Queries,
  vehicle: VisitToPay['vehicle'],
  siteId: string | null,
): Promise<VisitRow | 'no-visit' | 'several-visits'> {
  if ('visitId' in vehicle) return (await findVisitRow(q, vehicle.visitId, ALL_ROWS)) ?? 'no-visit';
  const plate = 'plate' in vehicle ? normalisePlate(vehicle.plate) : await plateOf(q, vehicle.vehicleId);
  if (plate === null) return 'no-visit';
  const rows = await q
    .select()
    .from(visitTable)
    .where(and(eq(visitTable.plate, plate), siteId === null ? undefined : eq(visitTable.siteId, siteId)))
    .orderBy(desc(visitTable.startedAt))
    .limit(MAX_VISITS);
  const [inside, another] = rows.filter(({ endedAt }) => endedAt === null);
  if (another !== undefined) return 'several-visits';
  const unpaid = ({ status, amountMinor }: VisitRow) => status !== 'completed' && (amountMinor ?? 0) > 0;
  return inside ?? rows.find(unpaid) ?? 'no-visit';
}

async function plateOf(q: Queries, vehicleId: string): Promise<string | null> {
  const { id, plate } = vehicleTable;
  return (await q.select({ plate }).from(vehicleTable).where(eq(id, vehicleId)).get())?.plate ?? null;
}

/** Older visits that are not paid are found by their id only. */
const MAX_VISITS = 20;

/** Whether a payment is still due: nothing was paid, waived, ended or credited since it was ordered. */
export async function isPaymentDue(
  q: Queries,
  { payment, online }: OnlinePayment,
  at: UtcTime,
): Promise<boolean> {
  const { visitId, invoiceId } = payment;
  if (invoiceId !== null) {
    const open = await openInvoice(q, invoiceId, at);
    return typeof open !== 'string' && open.openMinor === payment.amountMinor;
  }
  const visit = visitId === null ? null : await findVisitRow(q, visitId, ALL_ROWS);
  if (visit === null) return false;
  const { price } = await priceOfVisit(q, visit, await siteOfVisit(q, visit), at);
  const ordered = { amountMinor: payment.amountMinor - payment.feesMinor, ordered: online };
  return isStillDue(visit, ordered, () => price?.amountMinor ?? 0);
}

/** A visit with the price that a settlement of it covers. */
export async function priceOfVisit(q: Queries, visit: VisitRow, site: ChosenSite, at: UtcTime) {
  const due = await payableVisit(q, visit, site, at);
  return { due, price: priceToSettle(due.visit, () => due.priceOf(due.visit), at) };
}
