import { formatMoney } from '@hlid/protocol/money';
import type { PriceLine } from '@hlid/protocol/price-line';
import { priceLineText } from '@hlid/protocol/words/price-words';
import { useKiosk } from '../kiosk-context.ts';

const MAX_WITHOUT_SCROLLING = 4;

/** What a price is made of, in plain words. */
export function PriceLines({ lines, currency }: { lines: readonly PriceLine[]; currency: string }) {
  const { words, language } = useKiosk();
  return (
    <ul
      className="price-lines"
      aria-label={words.due.what}
      // A long list is scrolled, with keys too.
      tabIndex={lines.length > MAX_WITHOUT_SCROLLING ? 0 : undefined}
    >
      {lines.map((line, at) => {
        const { what, detail, rate } = priceLineText(line, currency, language);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place.
          <li key={at}>
            <span className="what">
              {what} {detail !== null && <small>{detail}</small>} {rate !== null && <small>{rate}</small>}
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
