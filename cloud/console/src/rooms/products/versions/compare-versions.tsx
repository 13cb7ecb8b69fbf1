import { formatRate } from '@hlid/protocol/base/money';
import { useState } from 'react';
import { ChoiceField } from '../../../ui/field.tsx';
import { moneyText } from '../../../ui/money.tsx';
import { vatText } from '../../../ui/vat-fields.tsx';
import { LANGUAGE } from '../../../words/words.ts';
import { PRODUCT } from '../product-words.ts';
import { withDefaults } from '../tariff-defaults.ts';
import { tariffText } from '../tariff-text.ts';
import type { ProductVersion } from './product-versions.ts';
import { VERSION } from './version-words.ts';
import '../../../ui/plain-table.css';

/** The differences between two versions, by default the newest two. */
export function CompareVersions({ versions }: { versions: readonly ProductVersion[] }) {
  const [newest, second] = versions.map(({ version }) => String(version));
  const [one, setOne] = useState(second ?? '');
  const [other, setOther] = useState(newest ?? '');
  const choices = versions.map(
    ({ version, state }) => [String(version), `${version} (${VERSION.states[state]})`] as const,
  );
  const find = (number: string) => versions.find(({ version }) => String(version) === number);
  const [before, after] = [find(one), find(other)];
  const rows = before && after ? differences(before, after) : [];
  return (
    <>
      <h3>{VERSION.compare}</h3>
      <div className="row">
        <ChoiceField label={VERSION.compareOne} value={one} choices={choices} onChange={setOne} />
        <ChoiceField label={VERSION.compareOther} value={other} choices={choices} onChange={setOther} />
      </div>
      {rows.length === 0 ? (
        <p>{VERSION.alike}</p>
      ) : (
        <table className="plain-table" aria-label={VERSION.compare}>
          <thead>
            <tr>
              <th scope="col">{VERSION.field}</th>
              <th scope="col">{one}</th>
              <th scope="col">{other}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, before, after }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{before}</td>
                <td>{after}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

interface Difference {
  name: string;
  before: string;
  after: string;
}

function differences(before: ProductVersion, after: ProductVersion): Difference[] {
  const texts = [before, after].map(textsOf);
  const [old, present] = texts;
  if (old === undefined || present === undefined) return [];
  return old.flatMap(([name, text], place) => {
    const next = present[place]?.[1] ?? '';
    return text === next ? [] : [{ name, before: text, after: next }];
  });
}

function textsOf({
  name,
  productCode,
  category,
  price,
  currency,
  vatRate,
  vatCategory,
  vatReason,
  config,
}: ProductVersion): [name: string, text: string][] {
  const money = (amountMinor: number) => moneyText({ amountMinor, currency });
  const { tariff, startTime, endTime } = config;
  const sentences =
    tariff === undefined ? [PRODUCT.noTariff] : tariffText(withDefaults({ ...tariff }), money);
  return [
    [PRODUCT.nameIn.is, name['is'] ?? ''],
    [PRODUCT.nameIn.en, name['en'] ?? ''],
    [PRODUCT.code, productCode],
    [PRODUCT.category, category ?? ''],
    [PRODUCT.price, money(price)],
    [PRODUCT.vat, vatText({ category: vatCategory, rate: formatRate(vatRate, LANGUAGE), reason: vatReason })],
    [PRODUCT.hours, `${startTime}–${endTime}`],
    [PRODUCT.tariff, sentences.filter((sentence) => sentence !== '').join(' ')],
  ];
}
