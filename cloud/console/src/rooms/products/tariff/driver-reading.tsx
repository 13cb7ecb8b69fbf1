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
  const reading = rules && product && rules.driverReading(product, { entryGraceMinutes, language });
  return (
    <section className="card reading">
      <h2>{READING.title}</h2>
      <ChoiceField
        label={READING.language}
        value={language}
        choices={LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]] as const)}
        onChange={setLanguage}
      />
      {reading ? (
        partsOf(reading).map(({ title, lines }) => (
          <section key={title}>
            <h3>{title}</h3>
            <ul lang={language}>
              {lines.map((line, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two bands may read alike
                <li key={place}>{line}</li>
              ))}
            </ul>
          </section>
        ))
      ) : (
        <p className="quiet-text">{READING.empty}</p>
      )}
    </section>
  );
}

type Reading = Record<'sign' | 'kiosk' | 'page', readonly string[]>;

/** One part where all read the same. */
function partsOf({ sign, kiosk, page }: Reading): { title: string; lines: readonly string[] }[] {
  const isSame = [kiosk, page].every((lines) => lines.join('\n') === sign.join('\n'));
  if (isSame) return [{ title: READING.together, lines: sign }];
  return [
    { title: READING.sign, lines: sign },
    { title: READING.kiosk, lines: kiosk },
    { title: READING.page, lines: page },
  ];
}
