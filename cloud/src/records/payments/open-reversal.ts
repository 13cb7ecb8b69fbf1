import { mayBeRefunded, REVERSAL_LOST, REVERSAL_ORDERED } from '@hlid/protocol/rules/payment-transitions';
import type { paymentTable } from './payment-table.ts';

type Row = typeof paymentTable.$inferSelect;
type Shown = Pick<Row, 'state' | 'reason' | 'needsPerson' | 'reversalOrderedAt' | 'siteLostAt'>;

/**
 * A payment as every reader sees it. It combines its site's report, the cloud's own order to reverse it,
 * which the site may have carried out, and the mark that the site does not know it any more. The table keeps
 * the site's report.
 */
export function withOpenReversal<Payment extends Shown>(payment: Payment): Payment {
  const ordered =
    payment.reversalOrderedAt === null || payment.state !== 'settled'
      ? payment
      : { ...payment, needsPerson: true, reason: REVERSAL_ORDERED };
  if (payment.siteLostAt === null || !mayBeRefunded(ordered)) return ordered;
  return { ...ordered, reason: REVERSAL_LOST };
}

/** Whether a report of a site was made after the site had received an order: it writes each order down first. */
export function answersOrder({ state, reason }: Pick<Row, 'state' | 'reason'>): boolean {
  return state !== 'settled' || mayBeRefunded({ state, reason, needsPerson: true });
}
