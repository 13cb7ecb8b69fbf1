import { z } from 'zod';

/** One line of a price: the rule that made it, and how often. */
export const PriceLineSchema = z
  .strictObject({
    /**
     * `unit`: a started unit of 24 hours. Of tariffs: `free` (units are minutes), `step` (a started step), `day` (a day
     * that has reached its price), `flat-rate`, `cap`, `late-fee`, `service-fee`. Taken off: `units-met` by payments or
     * a quota, `paid` in money, `invoiced`, `waived`.
     */
    rule: z.enum([
      'unit',
      'units-met',
      'waived',
      'free',
      'step',
      'day',
      'flat-rate',
      'cap',
      'paid',
      'invoiced',
      'late-fee',
      'service-fee',
    ]),
    units: z.int(),
    amountMinor: z.int().describe('Negative for deductions.'),
    unitMinor: z.int().optional().describe('The price of one unit, if all units cost the same.'),
    minutes: z.int().optional().describe('The length of a step.'),
    capOf: z
      .enum(['opening', 'week', 'visit'])
      .optional()
      .describe('What a cap applies to: an opening of a band’s window, seven days, the whole visit.'),
    label: z.record(z.string(), z.string()).optional().describe("The tariff's label, by language."),
  })
  .meta({ id: 'PriceLine' });
export type PriceLine = z.infer<typeof PriceLineSchema>;

/** The price of a stay by its lines, with all that has been paid or invoiced of it. */
export function costOf(lines: readonly Pick<PriceLine, 'rule' | 'amountMinor'>[]): number {
  return lines.reduce((sum, { rule, amountMinor }) => sum + (isMet(rule) ? 0 : amountMinor), 0);
}

/** Whether a line takes off an amount that was paid, or will be by an invoice: it makes a stay no cheaper. */
export function isMet(rule: PriceLine['rule']): boolean {
  return rule === 'units-met' || rule === 'paid' || rule === 'invoiced';
}

/**
 * Units of 24 hours that a price asks for, less those that are met: what a settlement of it counts for. None where a
 * tariff made the price: that is met in money.
 */
export function unitsDue(lines: readonly PriceLine[]): number {
  if (!lines.some(({ rule }) => rule === 'unit')) return 0;
  const counted = lines.filter(({ rule }) => rule === 'unit' || rule === 'units-met' || rule === 'waived');
  return Math.max(
    0,
    counted.reduce((sum, { units }) => sum + units, 0),
  );
}
