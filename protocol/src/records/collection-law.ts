/**
 * What Icelandic law lets a creditor charge for collecting a debt, before legal collection.
 *
 * Act 95/2008, article 7: one written warning after the last day to pay in time, then ten days from its sending before
 * anything more is done. Regulation 37/2009, article 6, as regulation 133/2010 has it: the highest charges, before VAT,
 * in krónur. The text was read on 2026-11-28; look for amendments before a new row is added here.
 */

/** The steps that may be charged, in their order: the warning, the letter of collection and its two repetitions. */
export const REMINDER_STEPS = ['warning', 'letter', 'second-letter', 'third-letter'] as const;
export type ReminderStep = (typeof REMINDER_STEPS)[number];

/** The letters after the warning, at most. */
export const MAX_LETTERS = REMINDER_STEPS.length - 1;
/** The whole days between a warning and the first step after it. */
export const DAYS_AFTER_WARNING = 10;

interface HighestCharges {
  /** The first day on which they hold, `YYYY-MM-DD`. */
  from: string;
  source: string;
  warning: number;
  /** By the principal: up to and with `upTo`; the last row has no end. */
  letter: readonly { upTo: number | null; charge: number }[];
}

/** The newest last. */
const HIGHEST_CHARGES: readonly HighestCharges[] = [
  {
    from: '2010-02-19',
    source: 'Regulation 37/2009, article 6, with regulation 133/2010',
    warning: 950,
    letter: [
      { upTo: 2_999, charge: 1_300 },
      { upTo: 10_499, charge: 2_100 },
      { upTo: 84_999, charge: 3_700 },
      { upTo: null, charge: 5_900 },
    ],
  },
];

/** The highest charge for a warning, whatever the principal. */
export const MAX_WARNING_CHARGE = 950;
/** The highest charge for a letter, of any principal. */
export const MAX_LETTER_CHARGE = 5_900;

/**
 * The highest charge for a step, in krónur before VAT; 0 where nothing is open.
 *
 * @param principal what is open of the debt, without costs and interest
 * @param day `YYYY-MM-DD`
 */
export function highestCharge(step: ReminderStep, principal: number, day: string): number {
  const charges = HIGHEST_CHARGES.findLast(({ from }) => from <= day);
  if (charges === undefined || principal <= 0) return 0;
  if (step === 'warning') return charges.warning;
  return charges.letter.find(({ upTo }) => upTo === null || principal <= upTo)?.charge ?? 0;
}
