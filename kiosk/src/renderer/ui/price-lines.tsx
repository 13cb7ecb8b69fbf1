import { formatMoney } from '@hlid/protocol/money';
import type { PriceLine } from '@hlid/protocol/price-line';
import { priceLineText } from '@hlid/protocol/words/price-words';
import { useKiosk } from '../kiosk-context.ts';

const MAX_WITHOUT_SCROLLING = 4;

/** What a price is made of, in plain words. */
export function PriceLines({ lines, currency }: { lines: readonly PriceLine[]; currency: string }) {
  const { words, language } = useKiosk();
  /** What one of several costs, and always what a day does; null: the amount says it. */
  const rateOf = ({ rule, units, unitMinor }: PriceLine): string | null => {
    if (unitMinor === undefined || units < 1) return null;
    const amount = formatMoney({ amountMinor: unitMinor, currency }, language);
    if (rule === 'unit') return words.due.perDay(amount);
    return units > 1 ? words.due.each(amount) : null;
  };
  return (
    <ul
      className="price-lines"
      aria-label={words.due.what}
      // A long list is scrolled, with keys too.
      tabIndex={lines.length > MAX_WITHOUT_SCROLLING ? 0 : undefined}
    >
      {lines.map((line, at) => {
        const { what, detail } = priceLineText(line, language);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place.
          <li key={at}>
            <span className="what">
              {what}
              {detail !== null && <small>{detail}</small>}
              {rateOf(line) !== null && <small>{rateOf(line)}</small>}
            </span>
            <span className="amount">
              {formatMoney({ amountMinor: line.amountMinor, currency }, language)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
