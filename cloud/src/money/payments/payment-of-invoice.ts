import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { PaymentRefusalsOf } from '../invoices/actions-of-invoice.ts';
import { findPayment } from './find-payment.ts';
import { PAYMENT_ACTIONS, refuseRefund } from './payment-actions.ts';
import { settledPaymentOf } from './record-payment.ts';
import { paymentFacts } from './waiting-payment.ts';

const NONE = mistake('not-found', [], { what: 'payment' });

/** Why nothing is done with the card payment that has paid an invoice, or made it. */
export const paymentRefusals: PaymentRefusalsOf = async (q, { id, paymentId }) => {
  const payment = await findPayment(q, paymentId ?? id);
  const facts = payment && (await paymentFacts(q, payment));
  const givesBack = payment?.id === id ? payment : await settledPaymentOf(q, id);
  return {
    see: payment === null ? NONE : null,
    chargeback: facts === null ? NONE : PAYMENT_ACTIONS.chargeback.refuse(facts),
    reverse: facts === null ? NONE : PAYMENT_ACTIONS.reverse.refuse(facts),
    refund: givesBack?.terminalId === null ? refuseRefund(await paymentFacts(q, givesBack)) : 'books',
  };
};
