import { currencyNumber } from '@hlid/protocol/base/currency-number';
import type { ReverseOutcome } from '@hlid/protocol/rules/payment-transitions';
import type { TerminalTransaction } from '../terminal.ts';
import type { CommandRunner } from './dialogue.ts';
import { isPassing, RESULT } from './result-codes.ts';
import { runZvtCommand, type ZvtCommandResult } from './run-zvt-command.ts';
import { receiptOf, type StatusFacts } from './status-information.ts';
import { reversal } from './zvt-commands.ts';
import type { ZvtOptions } from './zvt-options.ts';

/** Takes a sale back (06 30) that the terminal has in its turnover store: until its end of day. */
export async function reverseSale(
  dialogues: CommandRunner,
  sale: TerminalTransaction,
  known: { terminalId: string | null },
  options: Pick<ZvtOptions, 'charset' | 'password'>,
): Promise<ReverseOutcome> {
  const receiptNumber = receiptOf(sale);
  const currency = currencyNumber(sale.currency);
  const { amountMinor, terminalId } = sale;
  const isAnothers = known.terminalId !== null && terminalId !== '' && terminalId !== known.terminalId;
  if (receiptNumber === null || currency === null || isAnothers) return 'not-possible';
  const command = reversal({ password: options.password, receiptNumber, amountMinor, currency });
  const result = await runZvtCommand(dialogues, command, options, (facts) =>
    isOf(sale, facts) ? 'accept' : 'refuse',
  );
  const { end, facts } = result;
  const isAnother = facts?.resultCode === RESULT.ok && !isOf(sale, facts);
  // Refused by us, and given up by the terminal: nothing was taken back.
  if (isAnother) return end.kind === 'aborted' ? 'not-possible' : 'unknown';
  return reverseOutcome(result);
}

/** The reversal must be of the ordered amount and currency, as far as the terminal reports them. */
function isOf(sale: TerminalTransaction, { amountMinor, currency }: StatusFacts): boolean {
  return (
    (amountMinor ?? sale.amountMinor) === sale.amountMinor && (currency ?? sale.currency) === sale.currency
  );
}

function reverseOutcome({ end, facts }: ZvtCommandResult): ReverseOutcome {
  const resultCode = facts?.resultCode ?? null;
  switch (end.kind) {
    case 'completed':
      if (resultCode === RESULT.alreadyReversed) return 'already-reversed';
      if (resultCode === RESULT.ok) return end.code ? 'unknown' : 'reversed';
      return resultCode === null ? 'unknown' : refusal(resultCode);
    case 'aborted':
    case 'refused':
      if (resultCode === RESULT.alreadyReversed) return 'already-reversed';
      // The terminal had reported success before it gave up.
      return resultCode === RESULT.ok ? 'unknown' : refusal(end.code);
    case 'lost':
      return 'unknown';
    case 'not-sent':
      return 'not-begun';
    default:
      return end satisfies never;
  }
}

/** The reason for which nothing was taken back. A passing one may be tried again. */
function refusal(code: number): ReverseOutcome {
  if (code === RESULT.alreadyReversed) return 'already-reversed';
  return isPassing(code) ? 'not-begun' : 'not-possible';
}
