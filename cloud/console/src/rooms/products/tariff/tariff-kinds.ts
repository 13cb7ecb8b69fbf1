import { byLanguage } from '@hlid/protocol/base/language';
import { minorUnitDigits } from '@hlid/protocol/base/money';
import { BOARD_WORDS } from '@hlid/protocol/words/board/board-words';
import type { FlatRateDraft, LabelDraft, TariffDraft } from './tariff-draft.ts';

/** Kinds of tariffs that car parks publish, to begin with. The manager changes the numbers. */
export const TARIFF_KINDS = [
  'hourly',
  'firstFree',
  'table',
  'dayTicket',
  'earlyBird',
  'night',
  'weekend',
  'dayAndNight',
  'weekdayHours',
  'longStay',
  'own',
] as const;
export type TariffKind = (typeof TARIFF_KINDS)[number];

/** Prices for a stay at certain times, which are added to any tariff. */
export const FLAT_RATE_KINDS = ['earlyBird', 'night', 'weekend', 'own'] as const;
export type FlatRateKind = (typeof FLAT_RATE_KINDS)[number];

/** An amount to begin with: of Icelandic krónur, and of a hundred times as much for a currency with cents, a hundredth. */
function example(krona: number, currency: string): number {
  return minorUnitDigits(currency) === 0 ? krona : Math.round(krona / 1.4);
}

/** The name of a part of a tariff for drivers, in each of their languages. */
function nameOf(name: 'dayRate' | 'nightRate' | 'earlyBird' | 'night' | 'weekend'): LabelDraft {
  return byLanguage((language) => BOARD_WORDS[language][name]);
}

export function tariffOfKind(kind: TariffKind, currency: string): TariffDraft {
  const money = (krona: number) => example(krona, currency);
  const hourly = { kind: 'each', priceMinor: money(350), everyMinutes: 60 } as const;
  const dayCap = { kind: 'rolling', prices: [{ fromDay: 1, priceMinor: money(1750) }] } as const;
  const day = { ...dayCap, prices: [...dayCap.prices] };
  switch (kind) {
    case 'hourly':
      return { free: { minutes: 15 }, bands: [{ steps: [hourly] }], day };
    case 'firstFree':
      return { free: { minutes: 60, when: 'always' }, bands: [{ steps: [hourly] }], day };
    case 'table':
      return {
        bands: [
          {
            steps: [
              { kind: 'up-to', minutes: 60, priceMinor: money(350) },
              { kind: 'up-to', minutes: 180, priceMinor: money(900) },
              { kind: 'up-to', minutes: 360, priceMinor: money(1400) },
            ],
          },
        ],
        day,
      };
    case 'dayTicket':
      return {
        free: { minutes: 15 },
        day: { kind: 'calendar', partial: 'full-day', prices: [{ fromDay: 1, priceMinor: money(1400) }] },
      };
    case 'earlyBird':
    case 'night':
    case 'weekend':
      return {
        free: { minutes: 15 },
        bands: [{ steps: [hourly] }],
        day,
        flatRates: [flatRateOfKind(kind, currency)],
      };
    case 'dayAndNight':
      return {
        free: { minutes: 15 },
        straddle: 'restart',
        bands: [
          {
            label: nameOf('dayRate'),
            window: { startTime: '08:00', endTime: '22:00' },
            steps: [hourly],
          },
          {
            label: nameOf('nightRate'),
            window: { startTime: '22:00', endTime: '08:00' },
            steps: [{ ...hourly, priceMinor: money(175) }],
            capMinor: money(1050),
          },
        ],
      };
    case 'weekdayHours':
      return {
        bands: [
          {
            window: { weekdays: [1, 2, 3, 4, 5], startTime: '09:00', endTime: '18:00' },
            steps: [hourly],
          },
        ],
      };
    case 'longStay':
      return {
        free: { minutes: 15 },
        bands: [{ steps: [hourly] }],
        day: {
          kind: 'rolling',
          prices: [
            { fromDay: 1, priceMinor: money(1750) },
            { fromDay: 8, priceMinor: money(1400) },
            { fromDay: 15, priceMinor: money(1050) },
          ],
        },
      };
    case 'own':
      return {};
    default:
      return kind satisfies never;
  }
}

export function flatRateOfKind(kind: FlatRateKind, currency: string): FlatRateDraft {
  const money = (krona: number) => example(krona, currency);
  switch (kind) {
    case 'earlyBird':
      return {
        label: nameOf('earlyBird'),
        entry: { weekdays: [1, 2, 3, 4, 5], startTime: '06:00', endTime: '09:00' },
        exit: { startTime: '15:00', endTime: '19:00' },
        within: 'day',
        priceMinor: money(1050),
      };
    case 'night':
      return {
        label: nameOf('night'),
        entry: { startTime: '18:00', endTime: '23:59' },
        untilNext: '08:00',
        priceMinor: money(700),
      };
    case 'weekend':
      return { label: nameOf('weekend'), within: 'weekend', priceMinor: money(1400) };
    case 'own':
      return { within: 'day', priceMinor: null };
    default:
      return kind satisfies never;
  }
}
