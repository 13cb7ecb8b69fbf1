import { mayBeRefunded } from '@hlid/protocol/rules/payment-transitions';
import type { WaitingPayment } from './money-calls.ts';

/** Whether it is uncertain if the money has been returned. */
export function isInDoubt({
  state,
  reason,
  problem,
}: Pick<WaitingPayment, 'state' | 'reason' | 'problem'>): boolean {
  const needsPerson = problem === 'terminal' || problem === 'provider';
  return mayBeRefunded({ state, reason, needsPerson });
}
