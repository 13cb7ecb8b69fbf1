import { BandsEditor } from './bands-editor.tsx';
import { CapsFields } from './caps-fields.tsx';
import { DayFields } from './day-fields.tsx';
import { FlatRatesEditor } from './flat-rates-editor.tsx';
import type { RatesDraft } from './tariff-draft.ts';

/** The prices of a tariff, or of one of its classes of vehicles. */
export function RatesFields<Rates extends RatesDraft>({
  rates,
  place,
  currency,
  onChange,
}: {
  rates: Rates;
  place: string;
  currency: string;
  onChange: (rates: Rates) => void;
}) {
  const { bands = [], day, caps, flatRates = [] } = rates;
  return (
    <>
      <BandsEditor
        bands={bands}
        place={`${place}.bands`}
        currency={currency}
        onChange={(changed) => onChange({ ...rates, bands: changed.length === 0 ? undefined : changed })}
      />
      <DayFields
        day={day}
        hasBands={bands.length > 0}
        place={`${place}.day`}
        currency={currency}
        onChange={(changed) => onChange({ ...rates, day: changed })}
      />
      <CapsFields
        caps={caps}
        place={`${place}.caps`}
        currency={currency}
        onChange={(changed) => onChange({ ...rates, caps: changed })}
      />
      <FlatRatesEditor
        rates={flatRates}
        place={`${place}.flatRates`}
        currency={currency}
        onChange={(changed) => onChange({ ...rates, flatRates: changed })}
      />
    </>
  );
}
