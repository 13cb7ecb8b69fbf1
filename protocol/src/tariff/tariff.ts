import { issueMessage } from '../base/mistakes/mistake.ts';
import { findContradictions } from './tariff-contradictions.ts';
import { TariffShapeSchema } from './tariff-shape.ts';

/** A tariff without contradictions between its parts. */
export const TariffSchema = TariffShapeSchema.superRefine((tariff, context) => {
  for (const found of findContradictions(tariff)) {
    context.addIssue({ code: 'custom', path: found.path, message: issueMessage(found) });
  }
}).meta({
  id: 'Tariff',
  description:
    'The price of a stay by the hour, the day and the calendar. Amounts are in the minor unit of the product’s currency.',
  example: {
    free: { minutes: 15 },
    bands: [{ steps: [{ kind: 'each', priceMinor: 350, everyMinutes: 60 }] }],
    day: { kind: 'rolling', prices: [{ fromDay: 1, priceMinor: 1750 }] },
  },
});
