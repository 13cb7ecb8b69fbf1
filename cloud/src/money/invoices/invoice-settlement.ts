import { newId } from '@hlid/node/new-id';
import { DEFAULT_LANGUAGE, type Language, officeLanguage } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type VatTerms, vatOf, vatParts, vatTerms } from '@hlid/protocol/base/vat';
import type { ReceiptCard } from '@hlid/protocol/records/payment';
import type { PaidWith, PaymentStatus, VisitPrice } from '@hlid/protocol/records/visit';
import type { Tx } from '../../platform/db/db.ts';
import { billingOf } from '../../records/customers/customer-billing.ts';
import { hasOpenDispute } from '../../records/disputes/find-disputes.ts';
import type { Fee } from '../../records/invoices/fee.ts';
import type { IncomeType } from '../../records/invoices/income-table.ts';
import type { InvoiceLine } from '../../records/invoices/invoice-table.ts';
import { type Payer, payerOfPlate } from '../../records/vehicles/payer-of-plate.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { addCharge } from './add-charge.ts';
import { hasInvoiceOf } from './find-invoice.ts';
import { insertInvoice } from './invoice-store.ts';
import { issueNewInvoice, type UnissuedInvoice } from './issue-invoice.ts';

/** How a visit's due was met: in the cloud or by its site. */
export interface MadeSettlement {
  /** The id of the settlement or of the site's event; the same cause again changes nothing. */
  cause: string;
  paymentStatus: PaymentStatus;
  /** How it was paid, for money that a person has received. */
  paidWith?: PaidWith;
  /** The amount due, in the currency's minor unit, without fees. */
  amountMinor: number;
  /** Fees that were charged in addition. */
  fees?: readonly Fee[];
  currency: string;
  units: number;
  at: UtcTime;
  /** Absent: it was not paid at a card terminal. */
  payment?: CardPayment;
}

/** A payment by card. Its invoice has its id. */
export interface CardPayment {
  id: string;
  card: ReceiptCard | null;
  /** The tip that was paid in addition; absent: none. */
  tipMinor?: number;
  language: Language;
  /** Absent: at a terminal or a kiosk. */
  online?: OnlinePayer;
}

/** The payer of a payment online, as far as that is known. */
export interface OnlinePayer {
  name: string | null;
  email: string | null;
}

/** The fields of a visit that an invoice needs. */
export type InvoicedVisit = Pick<VisitRow, 'id' | 'siteId' | 'plate' | 'customerId' | 'vehicleCategory'> &
  Partial<Pick<VisitRow, 'startedAt' | 'endedAt'>> & {
    price: Pick<VisitPrice, 'product'> | null;
  };

/**
 * Makes the documents of a settlement with an amount, in its transaction. `kiosk` makes a paid invoice,
 * `owner-invoice` one to the vehicle's operator or owner, and `company-invoice` a charge for the customer's
 * next collected invoice. If the payer is unknown, the invoice waits, without a number, for an operator to
 * name the payer. Nothing follows from an amount of zero, from `whitelisted`, `void` and `failed`, or for
 * customers of the billing method `whitelist`.
 */
export async function invoiceSettlement(
  tx: Tx,
  visit: InvoicedVisit,
  settlement: MadeSettlement,
): Promise<void> {
  const { cause, paymentStatus, amountMinor, at } = settlement;
  if (amountMinor <= 0 || (await hasInvoiceOf(tx.q, cause))) return;
  switch (paymentStatus) {
    case 'kiosk': {
      const draft = draftOf(visit, settlement, paidBy(settlement), null);
      await issueNewInvoice(tx, { ...draft, status: 'paid' }, at);
      return;
    }
    case 'owner-invoice': {
      // A contested one waits for its answer.
      const payer = (await hasOpenDispute(tx.q, { visitId: visit.id }))
        ? null
        : await payerOfPlate(tx.q, visit.plate);
      const draft = draftOf(visit, settlement, 'owner-invoice', payer);
      if (payer === null) await insertInvoice(tx.q, draft);
      else await issueNewInvoice(tx, draft, at);
      return;
    }
    case 'company-invoice':
      await chargeCompany(tx, visit, settlement);
      return;
    case 'whitelisted':
    case 'void':
    case 'failed':
      return;
    default:
      paymentStatus satisfies never;
  }
}

async function chargeCompany(tx: Tx, visit: InvoicedVisit, settlement: MadeSettlement): Promise<void> {
  const billing = visit.customerId === null ? null : await billingOf(tx.q, visit.customerId);
  if (billing === null) {
    await insertInvoice(tx.q, draftOf(visit, settlement, 'company-invoice', null));
    return;
  }
  if (billing.method === 'whitelist') return;
  const { cause, units, amountMinor, fees = [], currency, at } = settlement;
  const productId = visit.price?.product.id ?? null;
  const charge = {
    customerId: billing.customerId,
    visitId: visit.id,
    siteId: visit.siteId,
    plate: visit.plate,
    vehicleCategory: visit.vehicleCategory ?? 'light',
    productId,
    currency,
    discountMinor: 0,
    at,
    invoiceId: null,
    creditedBy: null,
  } as const;
  const vat = vatOfPrice(visit);
  const rest = { rule: 'visit', units, amountMinor, noticeAt: null, ...storedVat(vat) } as const;
  await addCharge(tx.q, { id: newId(), cause, ...rest, ...charge });
  for (const { rule, amountMinor: feeMinor, noticeAt = null, vat: ofFee = vat } of fees) {
    const fee = { rule, units: 1, amountMinor: feeMinor, noticeAt, ...storedVat(ofFee) };
    await addCharge(tx.q, { id: newId(), cause: `${cause}:${rule}`, ...fee, ...charge });
  }
}

export function draftOf(
  { id: visitId, siteId, plate, customerId, ...visit }: InvoicedVisit,
  { cause, units, amountMinor, fees = [], currency, at, payment }: MadeSettlement,
  paymentType: IncomeType,
  payer: Payer | null,
): UnissuedInvoice {
  const productId = visit.price?.product.id ?? null;
  const vat = vatOfPrice(visit);
  const lines: InvoiceLine[] = [
    { rule: 'visit', visitId, plate, units, amountMinor, ...vat, ...timeOf(visit) },
    ...fees.map(({ vat: ofFee = vat, ...fee }) => ({ visitId, plate, units: 1, ...fee, ...ofFee })),
  ];
  const totalMinor = lines.reduce((sum, line) => sum + line.amountMinor, 0);
  return {
    id: payment?.id ?? newId(),
    number: null,
    series: null,
    sellerId: null,
    buyerId: null,
    creditOf: null,
    soldTo: null,
    status: 'draft',
    cause,
    siteId,
    visitId,
    customerId,
    productId,
    paymentType,
    amountMinor: totalMinor,
    currency,
    tipMinor: payment?.tipMinor ?? 0,
    openRefundMinor: 0,
    lines,
    vat: vatParts(lines),
    incomeParts: [
      { siteId, vehicleCategory: visit.vehicleCategory ?? 'light', invoices: 1, amountMinor: totalMinor },
    ],
    payerSsn: payer?.ssn ?? null,
    payerName: payer?.name ?? payment?.online?.name ?? null,
    email: payment?.online?.email ?? null,
    language: officeLanguage(payment?.language ?? DEFAULT_LANGUAGE),
    paidWith: null,
    paidAt: null,
    paymentId: null,
    ...receiptOf(payment?.card ?? null),
    periodFrom: null,
    periodBefore: null,
    period: null,
    publishStatus: null,
    issuedAt: null,
    dueOn: null,
    refundedAt: null,
    remoteStatus: 'draft',
    createdAt: at,
    modifiedAt: at,
  };
}

function timeOf({
  startedAt,
  endedAt,
}: Pick<InvoicedVisit, 'startedAt' | 'endedAt'>): Pick<InvoiceLine, 'startedAt' | 'endedAt'> {
  return startedAt === undefined ? {} : { startedAt, endedAt: endedAt ?? null };
}

/** How the money of a payment comes in. */
export function paidBy({ payment, paidWith }: MadeSettlement): IncomeType {
  if (paidWith !== undefined) return paidWith;
  return payment?.online === undefined ? 'kiosk' : 'online';
}

/** The VAT in the price of a visit, as the product had it that priced the visit; not decided where nothing did. */
function vatOfPrice({ price }: Pick<InvoicedVisit, 'price'>): VatTerms {
  return vatTerms(vatOf(price?.product ?? {}));
}

/** The same in the columns of a charge. */
function storedVat({ vatRate, vatCategory, vatReason }: VatTerms) {
  return { vatRate, vatCategory: vatCategory ?? null, vatReason: vatReason ?? null };
}

/** The details of a card that an invoice keeps. */
export function receiptOf(
  card: ReceiptCard | null,
): Pick<UnissuedInvoice, 'receiptType' | 'receiptLastFour'> {
  return { receiptType: card?.type ?? null, receiptLastFour: card?.lastFour ?? null };
}
