import { type Mistake, mistake } from '../base/mistakes/mistake.ts';
import type { Tariff, TariffBand } from './tariff-shape.ts';
import { windowGaps, windowOverlaps } from './week-of-windows.ts';

/** What in a valid tariff may not be meant: bands that overlap in part, and times between bands, which are free. */
export function tariffWarnings({ bands, classes }: Tariff): Mistake[] {
  return [...inBands(bands, []), ...classes.flatMap((rates, at) => inBands(rates.bands, ['classes', at]))];
}

function inBands(bands: readonly TariffBand[], place: (string | number)[]): Mistake[] {
  const overlaps = windowOverlaps(bands).map(({ first, second, at }) =>
    mistake('windows-overlap', [...place, 'bands', second, 'window'], {
      first: first + 1,
      weekday: at.weekday,
      from: at.from,
      to: at.to,
    }),
  );
  const [gap, ...others] = windowGaps(bands);
  if (gap === undefined) return overlaps;
  const { weekday, from, to } = gap;
  return [
    ...overlaps,
    mistake('windows-gap', [...place, 'bands'], { weekday, from, to, more: others.length }),
  ];
}
