import { momentAtWall, siteWall } from '@hlid/protocol/site-link/site-wall';
import { useState } from 'react';
import { useSite, useSites, useTimeZone } from '../../shell/site.ts';
import { Money } from '../../ui/money.tsx';
import { DateField } from '../../ui/period-field.tsx';
import { durationText } from '../../ui/time.tsx';
import { TimeField } from '../../ui/time-field.tsx';
import type { PricedSample, SampledProduct, SampleTerms } from './price-samples.ts';
import { inputOf, type ProductForm } from './product-form.ts';
import { PRODUCT } from './product-words.ts';
import { DriverReading } from './tariff/driver-reading.tsx';
import { READING } from './tariff/tariff-words.ts';
import { useTariffRules } from './tariff/use-tariff-rules.ts';

/** The prices of sample stays by the form's values and the rules of the gate, and the texts for drivers. */
export function PriceSamples({ form }: { form: ProductForm }) {
  const terms = useTerms(form);
  const product = sampledOf(form);
  if (form.type === 'quota') {
    return (
      <section className="card samples">
        <h2>{PRODUCT.samples}</h2>
        <p className="quiet-text">{PRODUCT.quotaSamples}</p>
      </section>
    );
  }
  return (
    <div className="samples">
      <UsualStays product={product} terms={terms} />
      <AnyStay product={product} terms={terms} />
      <DriverReading product={product} entryGraceMinutes={terms.graceMinutes} />
    </div>
  );
}

/** The prices of the usual stays alone. */
export function UsualStaysOf({ form }: { form: ProductForm }) {
  return <UsualStays product={sampledOf(form)} terms={useTerms(form)} />;
}

/** The clock and the grace period of the site for which a product is meant. */
function useTerms({ siteId }: ProductForm): SampleTerms {
  const timeZone = useTimeZone(siteId || null);
  const sites = useSites();
  const shown = useSite();
  const site = sites.find(({ id }) => id === siteId) ?? shown ?? sites[0];
  return { timeZone, graceMinutes: site?.settings.entryGraceMinutes ?? 0 };
}

/** Null: something that was typed is no product. */
function sampledOf(form: ProductForm): SampledProduct | null {
  const input = inputOf(form);
  if (input === null) return null;
  return {
    type: input.type,
    priceMinor: input.price,
    currency: input.currency,
    vehicleCategory: input.vehicleCategory,
    config: { ...input.window, ...(input.tariff && { tariff: input.tariff }) },
  };
}

interface CardProps {
  product: SampledProduct | null;
  terms: SampleTerms;
}

/** Stays of twelve usual lengths that begin at one moment. */
function UsualStays({ product, terms }: CardProps) {
  const rules = useTariffRules();
  const start = useMoment('10:00', terms.timeZone);
  const samples = rules && product && start.moment ? rules.priceSamples(product, start.moment, terms) : null;
  return (
    <section className="card">
      <h2>{PRODUCT.samples}</h2>
      <p className="quiet-text">{PRODUCT.samplesHint}</p>
      <MomentFields label={PRODUCT.start} at={PRODUCT.at} moment={start} />
      {rules && samples === null && <p className="notice caution">{PRODUCT.cannotPrice}</p>}
      {samples && (
        <SampleTable caption={PRODUCT.samples} samples={samples} currency={product?.currency ?? ''} />
      )}
    </section>
  );
}

/** One stay from any moment to any other. */
function AnyStay({ product, terms }: CardProps) {
  const rules = useTariffRules();
  const entry = useMoment('08:00', terms.timeZone);
  const exit = useMoment('17:00', terms.timeZone);
  const times = entry.moment !== null && exit.moment !== null;
  const start = Date.parse(entry.moment ?? '');
  const lengthMs = Date.parse(exit.moment ?? '') - start;
  const sample =
    rules && product && times && lengthMs > 0 ? rules.priceSample(product, { start, lengthMs }, terms) : null;
  return (
    <section className="card">
      <h2>{READING.stay}</h2>
      <MomentFields label={READING.entry} at={READING.at} moment={entry} />
      <MomentFields label={READING.exit} at={READING.at} moment={exit} />
      {times && lengthMs <= 0 && <p className="notice caution">{READING.notAfter}</p>}
      {sample && <SampleTable caption={READING.stay} samples={[sample]} currency={product?.currency ?? ''} />}
    </section>
  );
}

interface TypedMoment {
  day: string;
  time: string;
  setDay: (day: string) => void;
  setTime: (time: string) => void;
  /** Null: it is not typed yet. */
  moment: string | null;
}

/** A moment of today on the clock of the site, until the person types another one. */
function useMoment(first: string, timeZone: string): TypedMoment {
  const [day, setDay] = useState(() => siteWall(new Date(), timeZone).day);
  const [time, setTime] = useState(first);
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const isTyped = day !== '' && time !== '';
  const moment = isTyped ? momentAtWall(day, hours * 60 + minutes, timeZone) : null;
  return { day, time, setDay, setTime, moment };
}

function MomentFields({ label, at, moment }: { label: string; at: string; moment: TypedMoment }) {
  return (
    <div className="filters">
      <DateField label={label} value={moment.day} onChange={moment.setDay} />
      <TimeField label={at} value={moment.time} onChange={moment.setTime} />
    </div>
  );
}

function SampleTable({
  caption,
  samples,
  currency,
}: {
  caption: string;
  samples: readonly PricedSample[];
  currency: string;
}) {
  return (
    <table className="plain-table">
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{PRODUCT.stay}</th>
          <th scope="col" className="number">
            {PRODUCT.amount}
          </th>
          <th scope="col">{PRODUCT.made}</th>
        </tr>
      </thead>
      <tbody>
        {samples.map(({ lengthMs, amountMinor, made }) => (
          <tr key={lengthMs}>
            <th scope="row">{durationText(lengthMs)}</th>
            <td className="number">
              <Money amountMinor={amountMinor} currency={currency} />
            </td>
            <td>{made}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
