import { formatMoney } from '@hlid/protocol/money';
import type { PayStay } from '@hlid/protocol/pay-api';
import type { PriceLine } from '@hlid/protocol/price-line';
import { priceLineText } from '@hlid/protocol/words/price-words';
import { useEffect, useState } from 'react';
import { usePay } from '../pay-context.ts';
import { Icon, type IconName } from './icon.tsx';

/** A plate as it looks on a car. */
export function PlateSign({ plate }: { plate: string }) {
  return <span className="plate">{plate}</span>;
}

/** How it went, in one sign. */
export function Sign({ icon, tone }: { icon: IconName; tone: 'good' | 'doubt' | 'plain' }) {
  return (
    <span className="sign" data-tone={tone}>
      <Icon name={icon} />
    </span>
  );
}

/** The lines of a price in plain words. */
export function PriceLines({ lines, currency }: { lines: readonly PriceLine[]; currency: string }) {
  const { words, language } = usePay();
  return (
    <ul className="price-lines" aria-label={words.due.what}>
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

/** The picture of the entry, which only the driver gets to see. */
export function EntryPicture({ stay }: { stay: PayStay }) {
  const { cloud, words } = usePay();
  const [url, setUrl] = useState<string | null>(null);
  const { key, hasPicture } = stay;
  useEffect(() => {
    if (!hasPicture) return;
    const ending = new AbortController();
    let shown: string | null = null;
    void cloud.picture(key, ending.signal).then((picture) => {
      if (picture === null || ending.signal.aborted) return;
      shown = URL.createObjectURL(picture);
      setUrl(shown);
    });
    return () => {
      ending.abort();
      if (shown !== null) URL.revokeObjectURL(shown);
    };
  }, [cloud, key, hasPicture]);
  if (!hasPicture) return null;
  if (url === null) return <div className="picture" aria-hidden="true" />;
  return <img className="picture" src={url} alt={words.due.picture} />;
}
