import { mayHaveGoneBack, REVERSAL_ORDERED } from '@hlid/protocol/rules/payment-transitions';
import type { paymentTable } from '../../records/payments/payment-table.ts';

type Row = typeof paymentTable.$inferSelect;

/**
 * A payment as everybody sees it: as its site reports it, and the cloud's own order to reverse it, which the site may have
 * carried out. The table keeps what the site has reported.
 */
export function withOpenReversal(payment: Row): Row {
  if (payment.reversalOrderedAt === null || payment.state !== 'settled') return payment;
  return { ...payment, needsPerson: true, reason: REVERSAL_ORDERED };
}

/** Whether a report of a site was made after the site had received an order: it writes each order down first. */
export function answersOrder({ state, reason }: Pick<Row, 'state' | 'reason'>): boolean {
  return state !== 'settled' || mayHaveGoneBack({ state, reason, needsPerson: true });
}
