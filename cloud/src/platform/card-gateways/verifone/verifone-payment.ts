import type { ChargeOutcome, GatewayOrder, StoredToken } from '../gateway.ts';
import { writeStoredCard } from './stored-card.ts';
import type { PaymentResult } from './verifone-answers.ts';
import { meaningOfPayment, readRefusal } from './verifone-outcome.ts';

/**
 * Reads the outcome of a payment from its answer.
 *
 * @param wasProved the bank had authenticated the driver
 */
export function readPayment(order: GatewayOrder, payment: PaymentResult, wasProved: boolean): ChargeOutcome {
  const { status, code, merchant_reference: reference } = payment;
  if (reference !== null && reference !== order.id)
    return { kind: 'unknown', problem: 'the answer is of another payment' };
  if (payment.reversal_status === 'REQUIRED')
    return { kind: 'unknown', problem: `the payment is ${status}, and a reversal is required` };
  const meaning = meaningOfPayment(status);
  switch (meaning) {
    case 'booked':
      return {
        kind: 'approved',
        transaction: {
          transactionId: payment.id,
          authorizationId: payment.authorization_code,
          amountMinor: payment.amount,
          currency: order.currency,
          card: payment.card,
          state: { arn: payment.arn, rrn: payment.rrn },
        },
        ...storedToken(payment),
      };
    case 'not-booked':
    case 'reversed': {
      const hasFailed = status !== 'DECLINED';
      const refusal = readRefusal(code, { wasProved, isBlocked: payment.blocked === true, hasFailed });
      if (refusal.kind === 'authenticate-again') return { kind: 'authenticate-again', code: code ?? status };
      if (refusal.kind === 'transient')
        return { kind: 'unavailable', problem: `the bank did not decide: ${code ?? status}` };
      return { ...refusal, code: code ?? status };
    }
    case 'open':
    case 'broken':
      return { kind: 'unknown', problem: `the payment is ${status}` };
    default:
      return meaning satisfies never;
  }
}

function storedToken({ token_details: details, ...payment }: PaymentResult): { token?: StoredToken } {
  if (!details?.reuse_token) return {};
  const { expiry_month: month, expiry_year: year } = details;
  const expires = month && year ? `${year}-${String(month).padStart(2, '0')}` : null;
  const token = writeStoredCard({
    reuseToken: details.reuse_token,
    reference: payment.stored_credential?.reference ?? null,
    schemeReference: payment.stored_credential?.scheme_reference ?? payment.scheme_reference,
  });
  return { token: { token, card: payment.card, expires } };
}
