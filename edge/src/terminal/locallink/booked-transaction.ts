import { tipOf } from '@hlid/protocol/rules/payment-transitions';
import type { TerminalTransaction } from '../terminal.ts';
import type { TerminalAmount } from '../terminal-amount.ts';
import type { SaleResult } from './locallink-answers.ts';
import { receiptContradicts } from './receipt-text.ts';

export interface Ordered {
  amountMinor: number;
  currency: string;
  terminalId: string;
  takesTips?: boolean;
}

/** An approved sale, in the words of every terminal; null where its amount or currency is not known here. */
export function bookedTransaction(result: SaleResult, amounts: TerminalAmount): TerminalTransaction | null {
  const { uti, terminalId, currency, authorisation, card, at, messageId } = result;
  const amountMinor = amounts.fromTerminal(result.totalAmount);
  if (amountMinor === null || currency === null) return null;
  return {
    reference: uti,
    terminalId,
    amountMinor,
    currency,
    authorisation,
    card,
    at,
    marks: messageId ? { message: messageId } : {},
  };
}

/** The difference between an approval and its order; null: there is none. */
export function differenceOf(
  result: SaleResult,
  amounts: TerminalAmount,
  ordered: Ordered,
): 'currency' | 'amount' | 'terminal' | null {
  if (result.currency !== ordered.currency) return 'currency';
  const amountMinor = amounts.fromTerminal(result.totalAmount);
  const booking = amountMinor === null ? null : { amountMinor, currency: ordered.currency };
  if (booking === null || tipOf(ordered, booking, ordered.takesTips ?? false) === null) return 'amount';
  if (receiptContradicts(result.receipt, booking)) return 'amount';
  return result.terminalId === ordered.terminalId ? null : 'terminal';
}
