import { randomBytes } from 'node:crypto';
import type { Language } from '@hlid/protocol/language';
import type { OrderBill } from '@hlid/protocol/payment-order';
import type { PriceLine } from '@hlid/protocol/price-line';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import { newId } from '../new-id.ts';
import type { JournalEntry } from './payment-store.ts';

/** What a driver wants to pay. */
export interface DeskOrder {
  visitId: string;
  /** What the driver was shown; absent: whatever is due. */
  amountMinor?: number;
  /** Units of 24 hours in advance; absent: what is due now. */
  quantity?: number;
  language: Language;
  /** Of the payment that it is to be; absent: a new one. */
  paymentId?: string;
}

/** What an order comes to: the amount has the fee in it. */
type BillWithFee = OrderBill & { feesMinor: number };

/** What is to be paid with a fee, which is no part of the price. */
export function withFee<Priced extends { amountMinor: number; lines: PriceLine[] }>(
  priced: Priced,
  feesMinor: number,
): Priced & { feesMinor: number } {
  if (feesMinor === 0) return { ...priced, feesMinor };
  const fee: PriceLine = { rule: 'service-fee', units: 1, amountMinor: feesMinor };
  return { ...priced, feesMinor, amountMinor: priced.amountMinor + feesMinor, lines: [...priced.lines, fee] };
}

/** Whether an order asks for the payment that is known by its key: the same visit, amount and days. */
export function isOrderOf({ payment, bill }: JournalEntry, order: DeskOrder): boolean {
  const { visitId, amountMinor = payment.amountMinor, quantity } = order;
  if (visitId !== payment.visitId || amountMinor !== payment.amountMinor) return false;
  return bill.inAdvance ? quantity === payment.units : quantity === undefined;
}

/**
 * The intent to pay a bill, as the journal begins with it.
 *
 * @param visit as it stands once its driver has asked to pay
 */
export function intentOf(
  { order, key, terminalId }: { order: DeskOrder; key: string; terminalId: string },
  { amountMinor, feesMinor, units, currency, product, lines, inAdvance }: BillWithFee,
  visit: Visit,
  at: UtcTime,
): JournalEntry {
  return {
    payment: {
      id: order.paymentId ?? newId(),
      ...{ visitId: visit.id, terminalId, state: 'created', amountMinor, units, lines },
      ...(feesMinor > 0 && { feesMinor }),
      ...{ currency, product, transaction: null, reason: null, needsPerson: false },
      ...{ receipt: [], receiptKey: randomBytes(16).toString('base64url') },
      ...{ language: order.language, createdAt: at, changedAt: at },
    },
    orderKey: key,
    bill: {
      ...{ from: visit.startedAt, until: at, vatRate: product.vatRate ?? 0, inAdvance },
      ...{ unitsMet: visit.unitsMet, paidMinor: visit.paidMinor },
    },
    baseline: { kind: 'unavailable', problem: 'not asked yet' },
    booking: null,
  };
}
