import { LANGUAGE_NAMES, LANGUAGES, type Language, NUMBER_LOCALES } from '@hlid/protocol/base/language';
import { Link } from '@tanstack/react-router';
import { Printer } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { can, useSession } from '../../shell/session.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { CheckField } from '../../ui/field.tsx';
import { Loading } from '../../ui/states.tsx';
import { vatText } from '../../ui/vat-fields.tsx';
import { LANGUAGE, loadRoomWords } from '../../words/words.ts';
import { MayNot } from './may-not.tsx';
import { type StepProps, useOpeningAgain } from './opening-api.ts';
import { WORDS } from './opening-words.ts';

const PERCENT = new Intl.NumberFormat(NUMBER_LOCALES[LANGUAGE], {
  style: 'percent',
  maximumFractionDigits: 2,
});

/** Loaded when it is opened: the rules of prices are large. */
const FirstTariff = lazy(async () => {
  await loadRoomWords(['products', 'tariff']);
  return { default: (await import('../products/first-tariff/first-tariff.tsx')).FirstTariff };
});

/** The prices that hold at the site, with their VAT, which a person confirms, and a new one from a template. */
export function TariffStep({ siteId, opening }: StepProps) {
  const { products } = opening.facts;
  const mayEdit = can(useSession(), 'new-product');
  const again = useOpeningAgain();
  const [isNew, setNew] = useState(mayEdit && products.length === 0);
  return (
    <>
      {products.length > 0 && (
        <DataTable
          label={WORDS.steps.tariff.title}
          rows={products}
          idOf={({ id }) => id}
          linkOf={({ id }) => ({ to: `/${siteId}/products/${id}` })}
          columns={[
            {
              id: 'product',
              title: WORDS.tariff.product,
              isWide: true,
              cell: ({ name, id }) => name[LANGUAGE] ?? Object.values(name)[0] ?? id,
            },
            {
              id: 'vat',
              title: WORDS.tariff.vat,
              cell: ({ vatRate, vatCategory, vatReason, isFeeVatOpen }) => {
                const rate = PERCENT.format(vatRate / 100);
                const ofPrice = vatText({ category: vatCategory, rate, reason: vatReason });
                return isFeeVatOpen ? `${ofPrice} · ${WORDS.tariff.feeVatOpen}` : ofPrice;
              },
            },
            {
              id: 'where',
              title: WORDS.tariff.where,
              cell: ({ isOwn }) => (isOwn ? WORDS.tariff.here : WORDS.tariff.everywhere),
            },
          ]}
        />
      )}
      <p className="hint">{WORDS.tariff.vatHint}</p>
      <p className="row-acts">
        {mayEdit && !isNew && <Button onPress={() => setNew(true)}>{WORDS.tariff.add}</Button>}
        <Link to={`/${siteId}/products`}>{WORDS.tariff.all}</Link>
      </p>
      {isNew && (
        <Suspense fallback={<Loading lines={6} />}>
          <FirstTariff
            siteId={siteId}
            onPublished={() => {
              again();
              setNew(false);
            }}
          />
        </Suspense>
      )}
      {!mayEdit && <MayNot permission="tariffs" />}
    </>
  );
}

/** The sign as it will be printed, in the languages that are chosen. */
export function SignsStep({ siteId }: StepProps) {
  const [languages, setLanguages] = useState<readonly Language[]>(['is', 'en']);
  const address = `/sites/${encodeURIComponent(siteId)}/pay-sign?languages=${languages.join(',')}`;
  const toggle = (language: Language, isChosen: boolean) => {
    const chosen = isChosen ? [...languages, language] : languages.filter((one) => one !== language);
    if (chosen.length > 0) setLanguages(chosen);
  };
  return (
    <div className="opening-sign">
      <div className="form">
        <fieldset className="field several">
          <legend className="label">{WORDS.signs.languages}</legend>
          {LANGUAGES.map((language) => (
            <CheckField
              key={language}
              label={LANGUAGE_NAMES[language]}
              isSelected={languages.includes(language)}
              onChange={(isChosen) => toggle(language, isChosen)}
            />
          ))}
        </fieldset>
        <p>
          <a className="button plain" href={address} target="_blank" rel="noreferrer">
            <Printer size={14} aria-hidden="true" /> {WORDS.signs.open}
          </a>
        </p>
      </div>
      <img src={address} alt={WORDS.signs.alt} />
    </div>
  );
}
