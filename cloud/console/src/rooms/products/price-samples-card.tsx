import { momentAtWall, siteWall } from '@hlid/protocol/site-link/site-wall';
import { useEffect, useState } from 'react';
import { useSite, useSites, useTimeZone } from '../../shell/site.ts';
import { Money } from '../../ui/money.tsx';
import { DateField } from '../../ui/period-field.tsx';
import { durationText } from '../../ui/time.tsx';
import { TimeField } from '../../ui/time-field.tsx';
import { inputOf, type ProductForm } from './product-form.ts';
import { PRODUCT } from './product-words.ts';

type PriceRules = typeof import('./price-samples.ts');

/** What stays of usual lengths cost with what is typed, by the rules of the gate. */
export function PriceSamples({ form }: { form: ProductForm }) {
  const timeZone = useTimeZone(form.siteId || null);
  const sites = useSites();
  const shown = useSite();
  const site = sites.find(({ id }) => id === form.siteId) ?? shown ?? sites[0];
  const graceMinutes = site?.settings.entryGraceMinutes ?? 0;
  const [rules, setRules] = useState<PriceRules | null>(null);
  const [day, setDay] = useState(() => siteWall(new Date(), timeZone).day);
  const [time, setTime] = useState('10:00');
  useEffect(() => {
    void import('./price-samples.ts').then(setRules);
  }, []);
  const input = inputOf(form);
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  const startedAt = day === '' ? null : momentAtWall(day, hours * 60 + minutes, timeZone);
  const samples =
    rules && input && startedAt
      ? rules.priceSamples(
          {
            type: input.type,
            priceMinor: input.price,
            currency: input.currency,
            vehicleCategory: input.vehicleCategory,
            config: { ...input.window, ...(input.tariff && { tariff: input.tariff }) },
          },
          startedAt,
          { timeZone, graceMinutes },
        )
      : null;
  return (
    <section className="card samples">
      <h2>{PRODUCT.samples}</h2>
      <p className="quiet-text">{form.type === 'quota' ? PRODUCT.quotaSamples : PRODUCT.samplesHint}</p>
      {form.type !== 'quota' && (
        <>
          <div className="filters">
            <DateField label={PRODUCT.start} value={day} onChange={setDay} />
            <TimeField label={PRODUCT.at} value={time} onChange={setTime} />
          </div>
          {rules && samples === null && <p className="notice caution">{PRODUCT.cannotPrice}</p>}
          {samples && (
            <table className="plain-table">
              <caption className="unseen">{PRODUCT.samples}</caption>
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
                      <Money amountMinor={amountMinor} currency={form.currency} />
                    </td>
                    <td>{made}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
        </>
      )}
    </section>
  );
}
