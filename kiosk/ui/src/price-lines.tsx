import type { Language } from '@hlid/protocol/base/language';
import { formatMoney } from '@hlid/protocol/base/money';
import type { PriceLine } from '@hlid/protocol/tariff/price-line';
import type { PriceTexts } from '@hlid/protocol/words/price/price-texts';
import { priceLineText } from '@hlid/protocol/words/price-words';
import './price-lines.css';

interface PriceLinesProps {
  /** The name of the list, for screen readers. */
  label: string;
  lines: readonly PriceLine[];
  currency: string;
  language: Language;
  /** The texts of a price's lines in that language. */
  words: PriceTexts;
  /** A longer list is scrolled, with keys too. */
  maxWithoutScrolling?: number;
}

/** The lines of a price, in plain words. */
export function PriceLines(props: PriceLinesProps) {
  const { label, lines, currency, language, words, maxWithoutScrolling = Number.POSITIVE_INFINITY } = props;
  return (
    <ul
      className="price-lines"
      aria-label={label}
      tabIndex={lines.length > maxWithoutScrolling ? 0 : undefined}
    >
      {lines.map((line, at) => {
        const { what, detail, rate } = priceLineText(line, currency, { language, words });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines have no name but their place.
          <li key={at}>
            <span className="what">
              {what} {detail !== null && <small>{detail}</small>} {rate !== null && <small>{rate}</small>}
            </span>
            <span className="amount" translate="no">
              {formatMoney({ amountMinor: line.amountMinor, currency }, language)}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
