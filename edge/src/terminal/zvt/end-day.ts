import type { DayTotals } from '../terminal.ts';
import type { Dialogues } from './dialogue.ts';
import { isDone, problemOfErrand, runErrand } from './errand.ts';
import { endOfDay } from './zvt-commands.ts';
import type { ZvtOptions } from './zvt-options.ts';

/** Closes the terminal's day (06 50), with the sums that it tells (field 60). */
export async function endDay(
  dialogues: Dialogues,
  currency: string,
  options: Pick<ZvtOptions, 'charset' | 'password'>,
): Promise<{ totals: DayTotals | null; problem: string | null }> {
  let cards: DayTotals['cards'] = [];
  let said: string | null = null;
  const errand = await runErrand(dialogues, endOfDay(options), options, (facts) => {
    if (facts.totals.length > 0) cards = facts.totals;
    said = facts.currency ?? said;
    return 'accept';
  });
  if (!isDone(errand)) return { totals: null, problem: problemOfErrand(errand) };
  if (said !== null && said !== currency) {
    return { totals: null, problem: `the terminal has closed a day of ${said}, not of ${currency}` };
  }
  return { totals: { cards, currency, receipt: errand.receipt }, problem: null };
}
