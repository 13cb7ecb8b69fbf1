import type { Payment } from '@hlid/protocol/payment';
import { z } from 'zod';
import type { PaymentService } from '../payment/payment-service.ts';
import type { CallAnswer } from './technician-call.ts';

/** What a technician wants of payments that wait for a person: the body of `POST /api/payments`. */
export const PaymentCallSchema = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('list') }),
  z.strictObject({
    action: z.literal('found'),
    payment: z.string().min(1),
    finding: z.enum(['booked', 'not-booked', 'given-back']),
  }),
]);

/** A payment that waits for a person, with all by which it is found in the terminal's own list. */
export type WaitingPayment = Pick<
  Payment,
  'id' | 'terminalId' | 'state' | 'reason' | 'amountMinor' | 'currency' | 'createdAt' | 'transaction'
>;

export async function callPayments(
  payments: Pick<PaymentService, 'forPerson' | 'recordFinding'>,
  call: z.infer<typeof PaymentCallSchema>,
): Promise<CallAnswer> {
  if (call.action === 'list') return { status: 200, body: { payments: payments.forPerson().map(shown) } };
  const { payment, finding } = call;
  if (await payments.recordFinding(payment, finding, 'technician'))
    return { status: 200, body: { payment, finding } };
  return { status: 404, message: `No payment ${payment} waits for somebody to say that it is ${finding}.` };
}

function shown({
  id,
  terminalId,
  state,
  reason,
  amountMinor,
  currency,
  createdAt,
  transaction,
}: Payment): WaitingPayment {
  return { id, terminalId, state, reason, amountMinor, currency, createdAt, transaction };
}
