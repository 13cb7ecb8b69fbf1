import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { wordsOf } from '../words/words.ts';
import { Button } from './button.tsx';
import { DateField } from './period-field.tsx';
import { readSiteVat, type TypedSiteVat, writeSiteVat } from './site-vat.ts';
import { OWN_ZONE } from './time.tsx';
import { type TypedVat, VatFields } from './vat-fields.tsx';

const WORDS = wordsOf('vatFields');

const ASKED: TypedVat = { category: '', rate: 0, reason: '' };

/** The VAT of a site, from one day on and from later ones: of its fees, and of prices that do not have their own. */
export function SiteVatField({
  label,
  name,
  value,
  onChange,
}: {
  label: string;
  name: string;
  /** The value, in the form of `writeSiteVat`. */
  value: string;
  onChange: (value: string) => void;
}) {
  const periods = readSiteVat(value);
  const set = (next: readonly TypedSiteVat[]) => onChange(writeSiteVat(next));
  const today = siteWall(new Date(), OWN_ZONE).day;
  return (
    <fieldset className="field several">
      <legend className="label">{label}</legend>
      {periods.map((period, place) => {
        const change = (part: Partial<TypedSiteVat>) =>
          set(periods.map((one, n) => (n === place ? { ...one, ...part } : one)));
        const placesOf = (what: 'prices' | 'fees') => ({
          category: `${name}.${place}.${what}.category`,
          rate: `${name}.${place}.${what}.rate`,
          reason: `${name}.${place}.${what}.reason`,
        });
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: a period has no name but its place
          <div key={place} className="form">
            <DateField label={WORDS.from} value={period.from} onChange={(from) => change({ from })} />
            <VatFields
              label={WORDS.prices}
              places={placesOf('prices')}
              value={period.prices}
              onChange={(prices) => change({ prices })}
            />
            <VatFields
              label={WORDS.fees}
              places={placesOf('fees')}
              value={period.fees}
              onChange={(fees) => change({ fees })}
            />
            <div>
              <Button onPress={() => set(periods.filter((_, n) => n !== place))}>{WORDS.remove}</Button>
            </div>
          </div>
        );
      })}
      <div>
        <Button onPress={() => set([...periods, { from: today, prices: ASKED, fees: ASKED }])}>
          {WORDS.add}
        </Button>
      </div>
    </fieldset>
  );
}
