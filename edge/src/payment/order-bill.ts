import { randomBytes } from 'node:crypto';
import { newId } from '@hlid/node/new-id';
import type { Language } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Visit } from '@hlid/protocol/records/visit';
import type { OrderBill } from '@hlid/protocol/rules/payment-order';
import type { PriceLine } from '@hlid/protocol/tariff/price-line';
import type { ServiceFee } from '../visit/service-fee.ts';
import type { JournalEntry } from './payment-store.ts';

/** A driver's order to pay. */
export interface PaymentOrder {
  visitId: string;
  /** The amount that the driver was shown; absent: whatever is due. */
  amountMinor?: number;
  /** Units of 24 hours in advance; absent: what is due now. */
  quantity?: number;
  language: Language;
  /** The id that the payment gets, or has; absent: a new one. */
  paymentId?: string;
}

/** The bill of an order; the amount includes the fee. */
type BillWithFee = OrderBill & ServiceFee;

/** Adds a fee to what is to be paid; it is no part of the price. */
export function withFee<Priced extends { amountMinor: number; lines: PriceLine[] }>(
  priced: Priced,
  { feesMinor, feesVat }: ServiceFee,
): Priced & ServiceFee {
  if (feesMinor === 0) return { ...priced, feesMinor, feesVat };
  const fee: PriceLine = { rule: 'service-fee', units: 1, amountMinor: feesMinor };
  const amountMinor = priced.amountMinor + feesMinor;
  return { ...priced, feesMinor, feesVat, amountMinor, lines: [...priced.lines, fee] };
}

/** Whether an order is the same as the payment that its key belongs to: the same visit, amount and days. */
export function isOrderOf({ payment, bill }: JournalEntry, order: PaymentOrder): boolean {
  const { visitId, amountMinor = payment.amountMinor, quantity } = order;
  if (visitId !== payment.visitId || amountMinor !== payment.amountMinor) return false;
  return bill.inAdvance ? quantity === payment.units : quantity === undefined;
}

/**
 * The intent to pay a bill, as the journal begins with it.
 *
 * @param visit after its driver has asked to pay
 */
export function intentOf(
  { order, key, terminalId }: { order: PaymentOrder; key: string; terminalId: string },
  { amountMinor, feesMinor, feesVat, units, currency, product, lines, inAdvance }: BillWithFee,
  visit: Visit,
  at: UtcTime,
): JournalEntry {
  return {
    payment: {
      id: order.paymentId ?? newId(),
      visitId: visit.id,
      terminalId,
      state: 'created',
      amountMinor,
      units,
      lines,
      ...(feesMinor > 0 && { feesMinor, feesVat }),
      currency,
      product,
      transaction: null,
      reason: null,
      needsPerson: false,
      receipt: [],
      receiptKey: randomBytes(16).toString('base64url'),
      language: order.language,
      createdAt: at,
      changedAt: at,
    },
    orderKey: key,
    bill: {
      from: visit.startedAt,
      until: at,
      vatRate: product.vatRate ?? 0,
      inAdvance,
      unitsMet: visit.unitsMet,
      paidMinor: visit.paidMinor,
    },
    baseline: { kind: 'unavailable', problem: 'not asked yet' },
    booking: null,
  };
}
