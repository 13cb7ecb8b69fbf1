import { useState } from 'react';
import { useSites } from '../../shell/site.ts';
import { parseAmount } from '../../ui/amount.ts';
import { AmountField } from '../../ui/amount-field.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { moneyText } from '../../ui/money.tsx';
import { TimeField } from '../../ui/time-field.tsx';
import { VatFields } from '../../ui/vat-fields.tsx';
import { LANGUAGE } from '../../words/words.ts';
import { needsPrice, type ProductForm, readTariff } from './product-form.ts';
import { PRODUCT } from './product-words.ts';
import { draftOf, isComplete } from './tariff/tariff-draft.ts';
import { TariffEditor } from './tariff/tariff-editor.tsx';
import { EDITOR } from './tariff/tariff-words.ts';
import { withDefaults } from './tariff-defaults.ts';
import { tariffText } from './tariff-text.ts';

const TYPES = ['default', 'visit', 'quota'] as const;
const VEHICLES = ['light', 'heavy'] as const;

export function ProductFields({
  form,
  isReadOnly,
  onChange,
}: {
  form: ProductForm;
  isReadOnly: boolean;
  onChange: (form: ProductForm) => void;
}) {
  const sites = useSites();
  const set =
    <Name extends keyof ProductForm>(name: Name) =>
    (value: ProductForm[Name]) =>
      onChange({ ...form, [name]: value });
  const text = (name: 'nameIs' | 'nameEn' | 'productCode' | 'category' | 'currency') => ({
    value: form[name],
    onChange: set(name),
    isReadOnly,
  });
  const isPrice = form.price.trim() === '' || parseAmount(form.price, form.currency, LANGUAGE) !== null;
  const choose = (siteId: string) => {
    const site = sites.find(({ id }) => id === siteId);
    onChange({ ...form, siteId, ...(site && { currency: site.currency }) });
  };
  return (
    <fieldset className="form" disabled={isReadOnly}>
      <div className="row">
        <TextField label={PRODUCT.nameIn.is} {...text('nameIs')} />
        <TextField label={PRODUCT.nameIn.en} {...text('nameEn')} />
      </div>
      <div className="row">
        <TextField label={PRODUCT.code} hint={PRODUCT.codeHint} isRequired {...text('productCode')} />
        <TextField label={PRODUCT.category} hint={PRODUCT.categoryHint} {...text('category')} />
      </div>
      <div className="row">
        <ChoiceField
          label={PRODUCT.type}
          hint={PRODUCT.typeHint}
          value={form.type}
          choices={TYPES.map((one) => [one, PRODUCT.types[one]] as const)}
          onChange={set('type')}
        />
        <ChoiceField
          label={PRODUCT.vehicle}
          value={form.vehicleCategory}
          choices={VEHICLES.map((one) => [one, PRODUCT.vehicles[one]] as const)}
          onChange={set('vehicleCategory')}
        />
        <ChoiceField
          label={PRODUCT.site}
          value={form.siteId}
          choices={[['', PRODUCT.everySite], ...sites.map(({ id, name }) => [id, name] as const)]}
          onChange={choose}
        />
      </div>
      <div className="row">
        <AmountField
          label={PRODUCT.price}
          hint={needsPrice(form) ? PRODUCT.priceHint : PRODUCT.priceOptional}
          isRequired={needsPrice(form)}
          currency={form.currency}
          value={form.price}
          mistake={isPrice ? undefined : PRODUCT.notAmount}
          onChange={({ text: price }) => onChange({ ...form, price })}
        />
        <TextField label={PRODUCT.currency} isRequired {...text('currency')} />
      </div>
      <VatFields
        label={PRODUCT.vat}
        places={{ category: 'vatCategory', rate: 'vatRate', reason: 'vatReason' }}
        value={{ category: form.vatCategory, rate: form.vatRate, reason: form.vatReason }}
        canFollowSite
        isReadOnly={isReadOnly}
        onChange={({ category: vatCategory, rate: vatRate, reason: vatReason }) =>
          onChange({ ...form, vatCategory, vatRate, vatReason })
        }
      />
      <div className="row">
        <TimeField
          label={PRODUCT.from}
          hint={PRODUCT.windowHint}
          value={form.startTime}
          isReadOnly={isReadOnly}
          onChange={set('startTime')}
        />
        <TimeField
          label={PRODUCT.to}
          value={form.endTime}
          isReadOnly={isReadOnly}
          onChange={set('endTime')}
        />
      </div>
      <TariffFields form={form} isReadOnly={isReadOnly} onChange={set('tariff')} />
    </fieldset>
  );
}

function TariffFields({
  form,
  isReadOnly,
  onChange,
}: {
  form: ProductForm;
  isReadOnly: boolean;
  onChange: (tariff: string) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const read = readTariff(form.tariff);
  const draft = read.ok && read.tariff !== null ? draftOf(read.tariff) : null;
  const sentences = draft && isComplete(draft) ? sentencesOf({ ...draft }, form.currency) : null;
  const isEditable = read.ok && (read.tariff === null || draft !== null);
  return (
    <>
      <h2>{PRODUCT.tariff}</h2>
      {isReadOnly && read.ok && read.tariff === null && <p>{PRODUCT.noTariff}</p>}
      {isEditable && !isReadOnly && (
        <TariffEditor
          draft={draft}
          currency={form.currency}
          onChange={(next) => onChange(next === null ? '' : JSON.stringify(next, null, 2))}
        />
      )}
      {sentences && (
        <section className="card" aria-label={PRODUCT.tariffText}>
          <h3>{PRODUCT.tariffText}</h3>
          <ul className="tariff-text">
            {sentences.map((sentence, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two parts of a tariff may say the same
              <li key={place}>{sentence}</li>
            ))}
          </ul>
        </section>
      )}
      {read.ok && !isEditable && <p className="notice caution">{EDITOR.cannotShow}</p>}
      <details open={isOpen || !read.ok} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{PRODUCT.tariffJson}</summary>
        <TextField
          label={PRODUCT.tariffJson}
          hint={PRODUCT.tariffHint}
          rows={16}
          value={form.tariff}
          mistake={read.ok ? undefined : read.mistake}
          isReadOnly={isReadOnly}
          onChange={onChange}
        />
      </details>
    </>
  );
}

/** Null: it is no tariff yet. */
function sentencesOf(tariff: Record<string, unknown>, currency: string): string[] | null {
  try {
    return tariffText(withDefaults(tariff), (amountMinor) => {
      if (!Number.isSafeInteger(amountMinor)) throw new TypeError('not an amount');
      return moneyText({ amountMinor, currency });
    });
  } catch {
    return null;
  }
}
