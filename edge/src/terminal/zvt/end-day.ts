import type { DayTotals } from '../terminal.ts';
import type { CommandRunner } from './dialogue.ts';
import { isDone, problemOfCommand, runZvtCommand } from './run-zvt-command.ts';
import { endOfDay } from './zvt-commands.ts';
import type { ZvtOptions } from './zvt-options.ts';

/** Closes the terminal's day (06 50), with the sums that it reports (field 60). */
export async function endDay(
  dialogues: CommandRunner,
  currency: string,
  options: Pick<ZvtOptions, 'charset' | 'password'>,
): Promise<{ totals: DayTotals | null; problem: string | null }> {
  let cards: DayTotals['cards'] = [];
  let reportedCurrency: string | null = null;
  const result = await runZvtCommand(dialogues, endOfDay(options), options, (facts) => {
    if (facts.totals.length > 0) cards = facts.totals;
    reportedCurrency = facts.currency ?? reportedCurrency;
    return 'accept';
  });
  if (!isDone(result)) return { totals: null, problem: problemOfCommand(result) };
  if (reportedCurrency !== null && reportedCurrency !== currency) {
    return {
      totals: null,
      problem: `the terminal has closed a day of ${reportedCurrency}, not of ${currency}`,
    };
  }
  return { totals: { cards, currency, receipt: result.receipt }, problem: null };
}
