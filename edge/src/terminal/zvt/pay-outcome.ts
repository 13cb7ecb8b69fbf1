import type { PayOutcome, TerminalTransaction } from '../terminal.ts';
import type { DialogueEnd } from './dialogue.ts';
import { codeText, declineReason, RESULT } from './result-codes.ts';

/** Why an approval was refused: its order was cancelled, or it differs from the order. */
type Refusal = 'unwanted' | 'amount' | 'currency' | 'terminal';

/** The newest status-information of a payment: the last one counts. */
export type PayStatus =
  | { kind: 'approved'; transaction: TerminalTransaction; answer: 'none' | 'accepted' | 'refused' }
  | { kind: 'refused'; reason: Refusal }
  | { kind: 'declined'; code: number }
  /** It reported no amount, or refused to store the sale: only its journal shows which. */
  | { kind: 'doubtful' };

const DOUBTFUL: PayOutcome = { kind: 'unknown', problem: 'the terminal has not said clearly how it ended' };

/**
 * The outcome of an authorisation. The terminal stores a sale once its approval has been answered with 80 00
 * 00 (PA00P015, 2.2.8). It reverses the sale after any other answer, or none. So only an end that reports one
 * of the two is an outcome.
 */
export function payOutcome(
  end: DialogueEnd,
  status: PayStatus | null,
  receipt: readonly string[],
): PayOutcome {
  switch (end.kind) {
    case 'not-sent':
      return { kind: 'not-sent', problem: end.problem };
    case 'refused':
      return refusedAtOnce(end.code);
    case 'lost':
      return { kind: 'unknown', problem: end.problem };
    case 'completed':
      return afterCompletion(end.code, status, receipt);
    case 'aborted':
      return afterAbort(end.code, status, receipt);
    default:
      return end satisfies never;
  }
}

function refusedAtOnce(code: number): PayOutcome {
  if (code === RESULT.busy) return { kind: 'not-sent', problem: 'the terminal is busy' };
  if (code === RESULT.notRegistered) return { kind: 'not-sent', problem: 'the terminal does not know us' };
  return declined(code, []);
}

function afterCompletion(
  code: number | null,
  status: PayStatus | null,
  receipt: readonly string[],
): PayOutcome {
  if (status?.kind === 'declined') return ofCode(status.code, receipt);
  if (status?.kind === 'doubtful') return DOUBTFUL;
  if (code !== null && code !== RESULT.ok) {
    return { kind: 'unknown', problem: `the terminal has completed with ${codeText(code)}` };
  }
  if (status === null) return { kind: 'unknown', problem: 'the terminal has not said how it ended' };
  if (status.kind === 'approved' && status.answer === 'accepted') {
    return { kind: 'approved', transaction: status.transaction, receipt };
  }
  return { kind: 'unknown', problem: 'the terminal has completed what was refused' };
}

function afterAbort(code: number, status: PayStatus | null, receipt: readonly string[]): PayOutcome {
  if (status === null) return ofCode(code, receipt);
  switch (status.kind) {
    case 'declined':
      return ofCode(status.code, receipt);
    case 'doubtful':
      return DOUBTFUL;
    case 'refused':
      return refusal(status.reason, code, receipt);
    case 'approved':
      return status.answer === 'refused'
        ? refusal('unwanted', code, receipt)
        : { kind: 'unknown', problem: `the terminal has given up (${codeText(code)}) what it had approved` };
    default:
      return status satisfies never;
  }
}

function refusal(reason: Refusal, code: number, receipt: readonly string[]): PayOutcome {
  if (reason === 'unwanted') return { kind: 'cancelled', code: codeText(code) };
  return { kind: 'declined', reason, code: codeText(code), receipt };
}

function ofCode(code: number, receipt: readonly string[]): PayOutcome {
  return code === RESULT.cancelled ? { kind: 'cancelled', code: codeText(code) } : declined(code, receipt);
}

function declined(code: number, receipt: readonly string[]): PayOutcome {
  return { kind: 'declined', reason: declineReason(code), code: codeText(code), receipt };
}
