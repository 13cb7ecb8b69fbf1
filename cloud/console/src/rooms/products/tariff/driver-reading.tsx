import { LANGUAGE_NAMES, LANGUAGES, type Language } from '@hlid/protocol/base/language';
import { useState } from 'react';
import { ChoiceField } from '../../../ui/field.tsx';
import { LANGUAGE } from '../../../words/words.ts';
import type { SampledProduct } from '../price-samples.ts';
import { READING } from './tariff-words.ts';
import { useTariffRules } from './use-tariff-rules.ts';

/** The tariff as sign, kiosk and payment page show it, in each language of drivers. */
export function DriverReading({
  product,
  entryGraceMinutes,
}: {
  product: SampledProduct | null;
  entryGraceMinutes: number;
}) {
  const rules = useTariffRules();
  const [language, setLanguage] = useState<Language>(LANGUAGE);
  const lines = (rules && product && rules.driverLines(product, { entryGraceMinutes, language })) ?? [];
  return (
    <section className="card reading">
      <h2>{READING.title}</h2>
      <ChoiceField
        label={READING.language}
        value={language}
        choices={LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]] as const)}
        onChange={setLanguage}
      />
      {lines.length === 0 ? (
        <p className="quiet-text">{READING.empty}</p>
      ) : (
        <ul lang={language}>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
