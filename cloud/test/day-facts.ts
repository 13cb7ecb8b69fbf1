import type { PaymentFact, VisitFact } from '../src/books/day-close/day-facts.ts';

/** The day on which what was sold is settled. */
export const DUE = '2026-11-26';

/** A stay that is paid. */
export const visitFact = (id: string, costMinor: number, more: Partial<VisitFact> = {}): VisitFact => ({
  id: `visit-${id}`,
  currency: 'ISK',
  costMinor,
  leftMinor: 0,
  state: 'paid',
  documentsMinor: costMinor,
  ...more,
});

/** The payment of a stay, which no file has settled. */
export const paymentFact = (
  id: string,
  amountMinor: number,
  more: Partial<PaymentFact> = {},
): PaymentFact => ({
  id: `payment-${id}`,
  state: 'settled',
  amountMinor,
  currency: 'ISK',
  settledBy: DUE,
  rows: [],
  hasSubject: true,
  invoicedMinor: amountMinor,
  invoiceId: `payment-${id}`,
  isTwice: false,
  visitId: `visit-${id}`,
  ...more,
});
