import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '../../../shell/room-address.ts';
import { useSite } from '../../../shell/site.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField, TextField } from '../../../ui/field.tsx';
import { Mistakes, MoreMistakes } from '../../../ui/mistakes.tsx';
import { RefusedNotice } from '../../../ui/states.tsx';
import { useToasts } from '../../../ui/toasts.tsx';
import { useUnsaved } from '../../../ui/unsaved.tsx';
import { VatFields } from '../../../ui/vat-fields.tsx';
import { UsualStaysOf } from '../price-samples-card.tsx';
import { inputOf, isVatAnswered, NEW_PRODUCT, type ProductForm } from '../product-form.ts';
import { PRODUCT } from '../product-words.ts';
import { FindingsList } from '../tariff/findings-list.tsx';
import { WarningsContext } from '../tariff/place-note.tsx';
import type { TariffDraft } from '../tariff/tariff-draft.ts';
import { TARIFF_KINDS, type TariffKind, tariffOfKind } from '../tariff/tariff-kinds.ts';
import { EDITOR } from '../tariff/tariff-words.ts';
import { byPlace, useTariffCheck } from '../tariff/use-tariff-check.ts';
import { useCreateProduct } from '../use-create-product.ts';
import { FIRST_TARIFF } from './first-tariff-words.ts';
import { KindNumbers } from './kind-numbers.tsx';
import '../../../ui/plain-table.css';
import '../products.css';
import '../tariff/tariff-editor.css';

const PLACE = 'config.tariff';
/** The editor has the others. */
const KINDS: readonly TariffKind[] = TARIFF_KINDS.filter((kind) => kind !== 'own');

/** A price for a site from a kind of tariff, by its few numbers alone. */
export function FirstTariff({ siteId, onPublished }: { siteId: string; onPublished: () => void }) {
  const site = useSite();
  const addressOf = useAddress();
  const toasts = useToasts();
  const currency = site?.currency ?? NEW_PRODUCT.currency;
  const [kind, setKind] = useState<TariffKind>('hourly');
  const [draft, setDraft] = useState<TariffDraft>(() => tariffOfKind(kind, currency));
  const [typed, setForm] = useState<ProductForm>(() => ({
    ...NEW_PRODUCT,
    ...FIRST_TARIFF.names,
    siteId,
    currency,
  }));
  const [isDirty, setDirty] = useState(false);
  const findings = useTariffCheck(draft, PLACE, currency);
  const submit = useCreateProduct(() => {
    toasts.done(PRODUCT.created);
    onPublished();
  });
  const leaving = useUnsaved({ isDirty, isBusy: submit.isPending || submit.isSuccess });
  const form = { ...typed, tariff: JSON.stringify(draft) };
  const input = inputOf(form);
  const isReady =
    input !== null && input.productCode !== '' && isVatAnswered(form) && findings.mistakes.length === 0;
  return (
    <form
      className="form tariff-editor"
      onInput={() => setDirty(true)}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !submit.isPending) submit.mutate(input);
      }}
    >
      {leaving}
      <ChoiceField
        label={EDITOR.start}
        hint={EDITOR.kindHints[kind]}
        value={kind}
        choices={KINDS.map((one) => [one, EDITOR.kinds[one]] as const)}
        onChange={(chosen) => {
          setKind(chosen);
          setDraft(tariffOfKind(chosen, currency));
        }}
      />
      <Mistakes error={submit.error}>
        <MoreMistakes sentences={byPlace(findings.mistakes)}>
          <WarningsContext value={byPlace(findings.warnings)}>
            <KindNumbers draft={draft} place={PLACE} currency={currency} onChange={setDraft} />
            <FindingsList findings={findings} />
          </WarningsContext>
        </MoreMistakes>
        <VatFields
          label={PRODUCT.vat}
          places={{ category: 'vatCategory', rate: 'vatRate', reason: 'vatReason' }}
          value={{ category: typed.vatCategory, rate: typed.vatRate, reason: typed.vatReason }}
          canFollowSite
          onChange={({ category: vatCategory, rate: vatRate, reason: vatReason }) =>
            setForm({ ...typed, vatCategory, vatRate, vatReason })
          }
        />
        <div className="row">
          <TextField
            label={PRODUCT.nameIn.is}
            name="name.is"
            value={typed.nameIs}
            onChange={(nameIs) => setForm({ ...typed, nameIs })}
          />
          <TextField
            label={PRODUCT.nameIn.en}
            name="name.en"
            value={typed.nameEn}
            onChange={(nameEn) => setForm({ ...typed, nameEn })}
          />
          <TextField
            label={PRODUCT.code}
            hint={PRODUCT.codeHint}
            name="productCode"
            isRequired
            value={typed.productCode}
            onChange={(productCode) => setForm({ ...typed, productCode })}
          />
        </div>
      </Mistakes>
      <UsualStaysOf form={form} />
      <RefusedNotice error={submit.error} />
      <p className="row-acts">
        <Button type="submit" look="primary" isDisabled={!isReady} isPending={submit.isPending}>
          {FIRST_TARIFF.publish}
        </Button>
        <Link to={addressOf('products/new')}>{FIRST_TARIFF.richer}</Link>
      </p>
    </form>
  );
}
