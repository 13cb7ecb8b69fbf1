import type { Payment } from '@hlid/protocol/records/payment';
import {
  DRIVER_GONE,
  flag,
  mismatch,
  NOT_DUE,
  type PaidVisit,
  type PaymentEffect,
  type PaymentInput,
  paymentTransition,
} from '@hlid/protocol/rules/payment-transitions';
import type { LastResult, TerminalTransaction } from '../terminal/terminal.ts';
import type { TerminalPaymentUpdate } from './payment-journal.ts';

/** Reason why a payment needs a person: its terminal is not in the configuration any more. */
export const NO_SUCH_TERMINAL = 'no-such-terminal';

/** The inputs of a payment at a terminal. */
export type TerminalPaymentInput =
  | PaymentInput<TerminalTransaction>
  /** The order goes to the terminal next. `baseline`: what the terminal has booked last until then. */
  | { kind: 'send'; baseline: LastResult }
  /** The terminal requests a decision on its approval. */
  | { kind: 'approval'; transaction: TerminalTransaction; driverGone: boolean }
  /** The terminal of a payment that needs a person can be asked again. */
  | { kind: 'terminal-back' }
  /** The outcome is unknown for longer than a driver can be kept waiting. */
  | { kind: 'waited-too-long' };

export type TerminalPaymentEffect =
  | PaymentEffect<TerminalTransaction>
  | { kind: 'move'; to: 'sent'; update: TerminalPaymentUpdate }
  /** The approval does not stand. */
  | { kind: 'refuse'; reason: string };

/** The state machine of a payment at a terminal: the rules of all payments, and what only a terminal does. */
export function terminalPaymentTransition(
  payment: Payment,
  input: TerminalPaymentInput,
  visit: PaidVisit,
): TerminalPaymentEffect[] {
  switch (input.kind) {
    case 'send':
      return [{ kind: 'move', to: 'sent', update: { baseline: input.baseline } }];
    case 'approval':
      return approved(payment, input, visit);
    case 'terminal-back':
      return [{ kind: 'amend', update: { needsPerson: false } }];
    case 'waited-too-long':
      return flag(visit, true);
    default:
      return paymentTransition(payment, input, visit);
  }
}

/** An approval may be repeated. Once it stands, it stands. */
function approved(
  payment: Payment,
  { transaction, driverGone }: Extract<TerminalPaymentInput, { kind: 'approval' }>,
  visit: PaidVisit,
): TerminalPaymentEffect[] {
  const reason = driverGone ? DRIVER_GONE : mismatch(payment, transaction, visit.takesTips);
  if (reason !== null) return [{ kind: 'refuse', reason }];
  if (payment.state === 'approved') return [];
  if (!visit.isDue()) return [{ kind: 'refuse', reason: NOT_DUE }];
  return [{ kind: 'move', to: 'approved', update: { booking: transaction } }];
}
