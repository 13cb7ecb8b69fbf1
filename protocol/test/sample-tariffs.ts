import fc from 'fast-check';
import { TariffSchema } from '../src/tariff/tariff.ts';
import type { Tariff } from '../src/tariff/tariff-shape.ts';

const amount = fc.integer({ min: 0, max: 1500 });
const dayAmount = fc.integer({ min: 1000, max: 5000 });
const minutes = fc.constantFrom(7, 10, 15, 30, 45, 60, 90, 120, 180, 240);
const time = fc.integer({ min: 0, max: 95 }).map((quarter) => {
  const pad = (number: number) => String(number).padStart(2, '0');
  return `${pad(Math.floor(quarter / 4))}:${pad((quarter % 4) * 15)}`;
});

const anyWindow = fc.record(
  {
    weekdays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
    startTime: time,
    endTime: time,
    holidays: fc.constantFrom('only' as const, 'never' as const),
  },
  { requiredKeys: [] },
);

const steps = fc
  .tuple(
    fc.array(fc.record({ kind: fc.constant('flat' as const), priceMinor: amount, minutes }), {
      maxLength: 2,
    }),
    fc.oneof(
      fc.record({ kind: fc.constant('each' as const), priceMinor: amount, everyMinutes: minutes }),
      fc.record({ kind: fc.constant('flat' as const), priceMinor: amount }),
    ),
  )
  .map(([first, last]) => [...first, last]);

const bands = fc
  .tuple(
    fc.array(fc.record({ window: anyWindow, steps, capMinor: fc.option(amount, { nil: undefined }) }), {
      maxLength: 2,
    }),
    fc.record({ steps }),
  )
  .map(([some, last]) => [...some, last]);

const day = fc.record({
  kind: fc.constantFrom('rolling' as const, 'calendar' as const),
  prices: fc.tuple(dayAmount, dayAmount, dayAmount).map(([one, eight, fifteen]) => [
    { fromDay: 1, priceMinor: one },
    { fromDay: 8, priceMinor: eight },
    { fromDay: 15, priceMinor: fifteen },
  ]),
  partial: fc.constantFrom('hours' as const, 'full-day' as const, 'free' as const),
  stepsRestart: fc.boolean(),
});

const free = fc.record({ minutes, when: fc.constantFrom('fits' as const, 'always' as const) });

/** Tariffs of all kinds, without flat rates: those may make a longer stay cheaper. */
export const anyTariff: fc.Arbitrary<Tariff> = fc
  .record(
    {
      bands,
      day,
      free,
      caps: fc.record(
        {
          visitMinor: fc.integer({ min: 3000, max: 30_000 }),
          weekMinor: fc.integer({ min: 2000, max: 15_000 }),
        },
        { requiredKeys: [] },
      ),
      straddle: fc.constantFrom('rate-at-start' as const, 'pro-rata' as const, 'restart' as const),
      boundary: fc.constantFrom('lower' as const, 'upper' as const),
    },
    { requiredKeys: ['bands'] },
  )
  .chain((tariff) => fc.boolean().map((endsEarly) => (endsEarly ? withoutLastSteps(tariff) : tariff)))
  // Some contradict themselves: those are refused.
  .map((tariff) => TariffSchema.safeParse({ holidays: ['01-01', '12-25', '2026-03-29'], ...tariff }).data)
  .filter((tariff) => tariff !== undefined);

/** A day's price allows that the steps end before a longer stay does. */
function withoutLastSteps<
  T extends { day?: unknown; bands: { steps: { kind: string; minutes?: number }[] }[] },
>(tariff: T): T {
  if (tariff.day === undefined) return tariff;
  const bands = tariff.bands.map((band) => {
    const steps = band.steps.filter(({ kind, minutes: length }) => kind === 'flat' && length !== undefined);
    return steps.length === 0 ? band : { ...band, steps };
  });
  return { ...tariff, bands };
}
