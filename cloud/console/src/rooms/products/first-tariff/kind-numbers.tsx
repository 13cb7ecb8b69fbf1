import { LANGUAGE } from '../../../words/words.ts';
import { LengthField } from '../tariff/length-field.tsx';
import { MinorField } from '../tariff/minor-field.tsx';
import type { BandDraft, LabelDraft, StepDraft, TariffDraft } from '../tariff/tariff-draft.ts';
import { EDITOR } from '../tariff/tariff-words.ts';
import { FIRST_TARIFF } from './first-tariff-words.ts';

interface NumbersProps<Part> {
  draft: Part;
  place: string;
  currency: string;
  onChange: (draft: Part) => void;
}

/** The numbers of a tariff that began as one of the usual kinds. Its times and rules stay as the kind has them. */
export function KindNumbers({ draft, place, currency, onChange }: NumbersProps<TariffDraft>) {
  const { free, bands = [], day, flatRates = [] } = draft;
  return (
    <div className="row">
      {bands.map((band, at) => (
        <BandNumbers
          // biome-ignore lint/suspicious/noArrayIndexKey: a kind has fixed bands
          key={at}
          draft={band}
          place={`${place}.bands.${at}`}
          currency={currency}
          onChange={(changed) => onChange({ ...draft, bands: bands.with(at, changed) })}
        />
      ))}
      {flatRates.map((rate, at) => (
        <MinorField
          // biome-ignore lint/suspicious/noArrayIndexKey: a kind has fixed flat rates
          key={at}
          label={nameOf(rate.label) ?? EDITOR.price}
          name={`${place}.flatRates.${at}.priceMinor`}
          currency={currency}
          value={rate.priceMinor}
          onChange={(priceMinor) =>
            onChange({ ...draft, flatRates: flatRates.with(at, { ...rate, priceMinor }) })
          }
        />
      ))}
      {day?.prices.map((price, at) => (
        <MinorField
          // biome-ignore lint/suspicious/noArrayIndexKey: a kind has fixed prices
          key={at}
          label={at === 0 ? EDITOR.aDay : FIRST_TARIFF.aDayFrom({ day: price.fromDay ?? 1 })}
          name={`${place}.day.prices.${at}.priceMinor`}
          currency={currency}
          value={price.priceMinor}
          onChange={(priceMinor) =>
            onChange({ ...draft, day: { ...day, prices: day.prices.with(at, { ...price, priceMinor }) } })
          }
        />
      ))}
      {free && (
        <LengthField
          label={EDITOR.freeLength}
          name={`${place}.free.minutes`}
          value={free.minutes}
          onChange={(minutes) => onChange({ ...draft, free: { ...free, minutes } })}
        />
      )}
    </div>
  );
}

function BandNumbers({ draft: band, place, currency, onChange }: NumbersProps<BandDraft>) {
  return (
    <>
      {band.steps.map((step, at) => (
        <StepNumbers
          // biome-ignore lint/suspicious/noArrayIndexKey: a kind has fixed steps
          key={at}
          draft={step}
          name={nameOf(band.label)}
          place={`${place}.steps.${at}`}
          currency={currency}
          onChange={(changed) => onChange({ ...band, steps: band.steps.with(at, changed) })}
        />
      ))}
      {band.capMinor !== undefined && (
        <MinorField
          label={FIRST_TARIFF.atMost({ name: nameOf(band.label) ?? EDITOR.price })}
          name={`${place}.capMinor`}
          currency={currency}
          value={band.capMinor}
          onChange={(capMinor) => onChange({ ...band, capMinor })}
        />
      )}
    </>
  );
}

function StepNumbers({
  draft: step,
  name,
  place,
  currency,
  onChange,
}: NumbersProps<StepDraft> & { name: string | null }) {
  const price = (label: string) => (
    <MinorField
      label={label}
      name={`${place}.priceMinor`}
      currency={currency}
      value={step.priceMinor}
      onChange={(priceMinor) => onChange({ ...step, priceMinor })}
    />
  );
  if (step.kind !== 'up-to') {
    return price(name === null ? FIRST_TARIFF.hour : FIRST_TARIFF.hourOf({ name }));
  }
  const n = Number(place.split('.').at(-1)) + 1;
  return (
    <>
      <LengthField
        label={FIRST_TARIFF.upTo({ n })}
        name={`${place}.minutes`}
        value={step.minutes}
        onChange={(minutes) => onChange({ ...step, minutes })}
      />
      {price(FIRST_TARIFF.upToPrice({ n }))}
    </>
  );
}

function nameOf(label: LabelDraft | undefined): string | null {
  return label?.[LANGUAGE] ?? null;
}
