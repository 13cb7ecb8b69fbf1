import { randomBytes } from 'node:crypto';
import type { OrderBill } from '@hlid/protocol/payment-order';
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
  language: 'is' | 'en';
  /** Of the payment that it is to be; absent: a new one. */
  paymentId?: string;
}

/**
 * The intent to pay a bill, as the journal begins with it.
 *
 * @param visit as it stands once its driver has asked to pay
 */
export function intentOf(
  { order, key, terminalId }: { order: DeskOrder; key: string; terminalId: string },
  { amountMinor, units, currency, product, lines, inAdvance }: OrderBill,
  visit: Visit,
  at: UtcTime,
): JournalEntry {
  return {
    payment: {
      id: order.paymentId ?? newId(),
      ...{ visitId: visit.id, terminalId, state: 'created', amountMinor, units, lines },
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
