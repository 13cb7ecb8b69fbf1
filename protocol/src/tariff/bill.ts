import type { PriceLine } from './price-line.ts';

/** The lines of a price. Equal lines become one line with more units, so that a long stay has few lines. */
export interface Bill {
  add(line: PriceLine): void;
  lines(): PriceLine[];
}

export function createBill(first: readonly PriceLine[] = []): Bill {
  const lines = new Map<string, PriceLine>();

  function add(line: PriceLine): void {
    const { units, amountMinor, ...kind } = line;
    const key = JSON.stringify(kind);
    const known = lines.get(key);
    lines.set(
      key,
      known
        ? { ...known, units: known.units + units, amountMinor: known.amountMinor + amountMinor }
        : { ...line },
    );
  }

  for (const line of first) add(line);
  return { add, lines: () => [...lines.values()] };
}
