import { DAY_MINUTES, DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import type { Language } from '@hlid/protocol/base/language';
import type { AnyMistake } from '@hlid/protocol/base/mistakes/any-mistake';
import { createBandTimeline } from '@hlid/protocol/tariff/band-timeline';
import { findContradictions } from '@hlid/protocol/tariff/tariff-contradictions';
import type { TariffBand } from '@hlid/protocol/tariff/tariff-shape';
import { tariffWarnings } from '@hlid/protocol/tariff/tariff-warnings';
import { priceBoard } from '@hlid/protocol/words/price-board';
import { priceSample, priceSamples, productOf, type SampledProduct } from '../price-samples.ts';
import { withDefaults } from '../tariff-defaults.ts';
import { isComplete, type TariffDraft } from './tariff-draft.ts';

/** Part of a day of the week in which the same band counts, in minutes of the day; `to` is not included. */
export interface WeekStretch {
  /** 1 Monday to 7 Sunday */
  weekday: number;
  from: number;
  to: number;
  /** The place of the band from 0; null: no band counts. */
  band: number | null;
}

// 1 January 2024 was a Monday.
const MONDAY = Date.UTC(2024, 0, 1);

/** The band that counts at each time of a week without holidays, as at the gate. */
function weekStretches(bands: readonly TariffBand[]): WeekStretch[] {
  const everyDate = bands.map((band) =>
    band.window === undefined ? band : { ...band, window: { ...band.window, dates: undefined } },
  ) as TariffBand[];
  const end = MONDAY + 7 * DAY_MS;
  const timeline = createBandTimeline(everyDate, MONDAY, end, { timeZone: 'UTC', holidays: [] });
  const found: WeekStretch[] = [];
  for (let at = MONDAY; at < end; ) {
    const midnight = Math.floor((at - MONDAY) / DAY_MS);
    const { band, to } = timeline.at(at);
    const until = Math.min(to, MONDAY + (midnight + 1) * DAY_MS);
    const place = band === null ? null : everyDate.indexOf(band);
    const from = (at - MONDAY) / MINUTE_MS - midnight * DAY_MINUTES;
    const last = found.at(-1);
    if (last && last.weekday === midnight + 1 && last.band === place)
      last.to = from + (until - at) / MINUTE_MS;
    else found.push({ weekday: midnight + 1, from, to: from + (until - at) / MINUTE_MS, band: place });
    at = until;
  }
  return found;
}

interface TariffCheck {
  /** The mistakes for which the cloud would refuse it. */
  mistakes: readonly AnyMistake[];
  /** Settings that may be a mistake. */
  warnings: readonly AnyMistake[];
}

/** The mistakes and warnings of a tariff; null while a field is empty. */
function checkTariff(draft: TariffDraft): TariffCheck | null {
  if (!isComplete(draft)) return null;
  try {
    const tariff = withDefaults({ ...draft });
    return { mistakes: findContradictions(tariff), warnings: tariffWarnings(tariff) };
  } catch {
    return null;
  }
}

/**
 * The text of a product for drivers on signs, at the kiosk and on the payment page; null: the form's values
 * have no price.
 */
function driverReading(
  product: SampledProduct,
  { entryGraceMinutes, language }: { entryGraceMinutes: number; language: Language },
): Record<'sign' | 'kiosk' | 'page', readonly string[]> | null {
  try {
    const { currency } = product;
    // A product for heavy vehicles alone is read as it would be where it prices every vehicle.
    const products = [productOf({ ...product, vehicleCategory: 'light' })];
    const terms = { currency, entryGraceMinutes };
    const sign = priceBoard(products, terms)?.[language];
    const kiosk = priceBoard(products, { ...terms, channel: 'kiosk' })?.[language];
    const page = priceBoard(products, { ...terms, channel: 'online' })?.[language];
    return sign && kiosk && page ? { sign, kiosk, page } : null;
  } catch {
    return null;
  }
}

/** Loaded by itself: the rules of prices and the calendar are larger than the rest of the room. */
export const TARIFF_RULES = { priceSample, priceSamples, weekStretches, checkTariff, driverReading };
