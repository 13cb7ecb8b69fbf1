import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { momentOf } from '../base/moment.ts';
import { TimeZoneSchema } from '../base/site-time.ts';
import { millis, utcTime } from '../base/utc-time.ts';
import { priceTariff, type TariffQuestion } from './price-tariff.ts';
import { TariffSchema } from './tariff.ts';

const FOLDER = new URL('../../../tests/fixtures/tariffs/', import.meta.url);
const START = '2026-11-20T08:00:00.000Z';

const AmountsSchema = z.record(z.string(), z.int());
const PublishedSchema = z.strictObject({
  name: z.string(),
  source: z.string(),
  currency: z.string().default('ISK'),
  timeZone: TimeZoneSchema.default('Atlantic/Reykjavik'),
  tariff: TariffSchema,
  cases: AmountsSchema.default({}),
  stays: z.array(z.strictObject({ from: z.string(), to: z.string(), amount: z.int() })).default([]),
  permitted: AmountsSchema.default({}),
  /** A permit that covers a part of the stay, from and to after its start. */
  inside: z.array(z.strictObject({ permit: z.string(), stay: z.string(), amount: z.int() })).default([]),
  seats: z.strictObject({ stay: z.string(), cases: AmountsSchema }).optional(),
  second: z.strictObject({ earlier: z.string(), cases: AmountsSchema }).optional(),
  late: z.strictObject({ stay: z.string(), cases: AmountsSchema }).optional(),
});

const published = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.yaml'))
  .flatMap((name) =>
    z.array(PublishedSchema).parse(parse(readFileSync(new URL(name, FOLDER), 'utf8'), { merge: true })),
  );

/** `15m`, `24h`, `24h01`, `7d` */
function length(text: string): number {
  const [, days, hours, minutes, alone] = /^(?:(\d+)d)?(?:(\d+)h(\d+)?)?(?:(\d+)m)?$/.exec(text) ?? [];
  const all = Number(days ?? 0) * 24 * HOUR_MS + Number(hours ?? 0) * HOUR_MS;
  return all + Number(minutes ?? alone ?? 0) * MINUTE_MS;
}

describe.each(published)(
  '$name',
  ({ timeZone, tariff, cases, stays, permitted, inside, seats, second, late }) => {
    const wall = (text: string) => momentOf(text, timeZone) ?? text;
    const after = (ms: number, from = START) => utcTime(millis(from) + ms);
    const price = (question: Partial<TariffQuestion>) => {
      const { amountMinor, lines } = priceTariff(tariff, {
        startedAt: START,
        until: START,
        timeZone,
        ...question,
      });
      expect(lines.reduce((sum, line) => sum + line.amountMinor, 0)).toBe(amountMinor);
      return amountMinor;
    };

    it.each(Object.entries(cases))('%s costs %d', (stay, amount) => {
      expect(price({ until: after(length(stay)) })).toBe(amount);
    });

    it.each(stays)('$from to $to costs $amount', ({ from, to, amount }) => {
      expect(price({ startedAt: wall(from), until: wall(to) })).toBe(amount);
    });

    it.each(Object.entries(permitted))('%s with a permit costs %d', (stay, amount) => {
      const until = after(length(stay));
      expect(price({ until, covered: [{ from: START, to: until }] })).toBe(amount);
    });

    it.each(inside)('$stay with a permit at $permit costs $amount', ({ permit, stay, amount }) => {
      const [from = '', to = ''] = permit.split('-').map((text) => after(length(text)));
      expect(price({ until: after(length(stay)), covered: [{ from, to }] })).toBe(amount);
    });

    it.each(Object.entries(seats?.cases ?? {}))('a vehicle of %s seats pays %d', (number, amount) => {
      expect(price({ until: after(length(seats?.stay ?? '')), vehicle: { seats: Number(number) } })).toBe(
        amount,
      );
    });

    it.each(Object.entries(second?.cases ?? {}))('a second stay of %s costs %d', (stay, amount) => {
      const earlier = { from: START, to: after(length(second?.earlier ?? '')) };
      const startedAt = after(2 * HOUR_MS);
      expect(price({ startedAt, until: after(length(stay), startedAt), earlierStays: [earlier] })).toBe(
        amount,
      );
    });

    it.each(Object.entries(late?.cases ?? {}))('paid %s after the exit costs %d', (delay, amount) => {
      const until = after(length(late?.stay ?? ''));
      expect(price({ until, payment: { at: after(length(delay), until), channel: 'online' } })).toBe(amount);
    });
  },
);

it('takes every example of the page about tariffs', () => {
  const page = readFileSync(new URL('../../../deploy/TARIFFS.md', import.meta.url), 'utf8');
  const examples = [...page.matchAll(/^```yaml\n(.*?)^```/gms)].map(([, yaml = '']) => parse(yaml));
  expect(examples.length).toBeGreaterThan(3);
  for (const { tariff, config } of examples) {
    expect(TariffSchema.safeParse(tariff ?? config.tariff).error).toBeUndefined();
  }
});
