import type { ShownProduct as Product } from '@hlid/cloud/money/products/product';
import { type ReactNode, useState } from 'react';
import { answered, read, readTagged } from '../../calls/api.ts';
import { sentencesOf } from '../../calls/refusal-words.ts';
import { useAddress, useGo, useId } from '../../shell/room-address.ts';
import { can, useSession } from '../../shell/session.ts';
import { useSite, useSites } from '../../shell/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Conflict, type ConflictField } from '../../ui/conflict.tsx';
import { FinalDialog } from '../../ui/final-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading, RefusedNotice } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useUnsaved } from '../../ui/unsaved.tsx';
import { useEdit } from '../../ui/use-edit.ts';
import { COMMON } from '../../words/common.ts';
import { DryRunPanel } from './dry-run/dry-run-panel.tsx';
import { PriceSamples } from './price-samples-card.tsx';
import { ProductFields } from './product-fields.tsx';
import {
  formOf,
  inputOf,
  isVatAnswered,
  NEW_PRODUCT,
  nameOf,
  type ProductForm,
  type ProductInput,
} from './product-form.ts';
import { PRODUCT } from './product-words.ts';
import { productApi } from './products-page.tsx';
import { SaveBar } from './save-bar.tsx';
import { useCreateProduct } from './use-create-product.ts';
import { PlannedAfter } from './versions/planned-after.tsx';
import { ValidFromField } from './versions/valid-from-field.tsx';
import { VersionsPanel } from './versions/versions-panel.tsx';
import '../../ui/plain-table.css';
import './products.css';

const OLD = [['products']] as const;

export function NewProductPage() {
  const go = useGo();
  const site = useSite();
  const toasts = useToasts();
  const [first] = useState<ProductForm>({
    ...NEW_PRODUCT,
    ...(site && { siteId: site.id, currency: site.currency }),
  });
  const [form, setForm] = useState(first);
  const submit = useCreateProduct(({ id }) => {
    toasts.done(PRODUCT.created);
    go(`products/${id}`);
  });
  return (
    <ProductPageFrame
      {...{ form, setForm }}
      title={PRODUCT.add}
      submit={PRODUCT.create}
      error={submit.error}
      isBusy={submit.isPending}
      isDirty={form !== first}
      conflict={null}
      onSubmit={submit.mutate}
    />
  );
}

export function ProductPage() {
  const id = useId();
  return <Editor key={id} id={id} />;
}

function Editor({ id }: { id: string }) {
  const toasts = useToasts();
  const param = { id };
  // Another editor starts from what was saved, with its version.
  const [round, setRound] = useState(0);
  return (
    <LoadedEditor
      key={round}
      param={param}
      onSaved={() => {
        toasts.done(COMMON.saved);
        setRound(round + 1);
      }}
    />
  );
}

function LoadedEditor({ param, onSaved }: { param: { id: string }; onSaved: () => void }) {
  const [typed, setForm] = useState<ProductForm | null>(null);
  const [validFrom, setValidFrom] = useState('');
  const edit = useEdit(
    ['products', 'one', param.id],
    () => readTagged(productApi.products[':id'].$get({ param })),
    ({ names, window, tariff, validFrom: day, ...json }: ProductInput & { validFrom: string }, headers) => {
      const from = day === '' ? {} : { validFrom: day };
      const body = { ...json, ...from, name: names, config: { ...window, tariff } };
      return read(productApi.products[':id'].$put({ param, json: body }, { headers }));
    },
    { invalidates: OLD, onDone: onSaved },
  );
  const { before, theirs } = edit;
  if (before === null) {
    return (
      <Page title={PRODUCT.title} isWide={false}>
        {edit.loadError ? <Failed error={edit.loadError} retry={edit.retry} /> : <Loading lines={8} />}
      </Page>
    );
  }
  const form = typed ?? formOf(before);
  const continueFromStored = () =>
    void edit.continueFromStored((was, is) => JSON.stringify(formOf(was)) === JSON.stringify(formOf(is)));
  return (
    <ProductPageFrame
      form={form}
      setForm={setForm}
      title={nameOf(before)}
      submit={PRODUCT.save}
      error={edit.error}
      isBusy={edit.isBusy}
      isDirty={typed !== null}
      conflict={theirs && conflictOf(formOf(before), formOf(theirs), form)}
      product={before}
      planning={<ValidFromField product={before} value={validFrom} onChange={setValidFrom} />}
      ahead={<PlannedAfter product={before} day={validFrom} onWithdrawn={continueFromStored} />}
      below={(input, mayEdit) => (
        <>
          <VersionsPanel
            product={before}
            mayEdit={mayEdit}
            onWithdrawn={continueFromStored}
            onEdit={(version) => {
              setForm(formOf({ ...before, ...version }));
              setValidFrom(version.validFrom ?? '');
            }}
          />
          {mayEdit && before.type !== 'quota' && <DryRunPanel product={before} input={input} />}
        </>
      )}
      onSubmit={(input) => edit.save({ ...input, validFrom })}
    />
  );
}

const FIELD_NAMES: readonly (readonly [field: keyof ProductForm, name: string])[] = [
  ['nameIs', PRODUCT.nameIn.is],
  ['nameEn', PRODUCT.nameIn.en],
  ['productCode', PRODUCT.code],
  ['type', PRODUCT.type],
  ['vehicleCategory', PRODUCT.vehicle],
  ['category', PRODUCT.category],
  ['price', PRODUCT.price],
  ['currency', PRODUCT.currency],
  ['vatCategory', PRODUCT.vat],
  ['vatRate', PRODUCT.vatRate],
  ['vatReason', PRODUCT.vatReason],
  ['startTime', PRODUCT.from],
  ['endTime', PRODUCT.to],
  ['siteId', PRODUCT.site],
  ['tariff', PRODUCT.tariffJson],
];

/** The fields that the other person changed, beside this one's values. */
function conflictOf(before: ProductForm, theirs: ProductForm, yours: ProductForm): ConflictField[] {
  return FIELD_NAMES.filter(([field]) => before[field] !== theirs[field]).map(([field, name]) => ({
    name,
    before: before[field],
    theirs: theirs[field],
    yours: yours[field],
  }));
}

function ProductPageFrame({
  form,
  setForm,
  title,
  submit,
  error,
  isBusy,
  isDirty,
  conflict,
  product,
  planning,
  ahead,
  below,
  onSubmit,
}: {
  form: ProductForm;
  setForm: (form: ProductForm) => void;
  title: string;
  submit: string;
  error: unknown;
  isBusy: boolean;
  isDirty: boolean;
  conflict: ConflictField[] | null;
  product?: Product;
  /** The fields of when it holds. */
  planning?: ReactNode;
  /** The planned version that will replace it. */
  ahead?: ReactNode;
  /** The content below the form. */
  below?: (input: ProductInput | null, mayEdit: boolean) => ReactNode;
  onSubmit: (input: ProductInput) => void;
}) {
  const session = useSession();
  const addressOf = useAddress();
  const mayEdit = product ? product.actions.includes('edit') : can(session, 'new-product');
  const leaving = useUnsaved({ isDirty, isBusy });
  const input = inputOf(form);
  const isReady = input !== null && input.productCode !== '' && isVatAnswered(form) && !isBusy;
  return (
    <Page
      title={title}
      {...(product?.actions.includes('delete') && { actions: <DeleteButton product={product} /> })}
    >
      {leaving}
      <BackLink to={addressOf('products')}>{PRODUCT.back}</BackLink>
      {!mayEdit && <p className="notice">{PRODUCT.read}</p>}
      <div className="product">
        <form
          className="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (isReady) onSubmit(input);
          }}
        >
          {product && !mayEdit && <Warnings product={product} />}
          <ProductFields form={form} isReadOnly={!mayEdit} onChange={setForm} />
          {mayEdit && planning}
          {mayEdit && (
            <SaveBar {...{ form, isDirty, isReady, isBusy }} label={submit}>
              {conflict && <Conflict fields={conflict} />}
              <RefusedNotice error={error} />
              {ahead}
            </SaveBar>
          )}
        </form>
        <PriceSamples form={form} />
      </div>
      {below?.(input, mayEdit)}
    </Page>
  );
}

/** The warnings about the tariff as it was saved. The editor shows them while the tariff is typed. */
function Warnings({ product: { warnings } }: { product: Product }) {
  if (warnings.length === 0) return null;
  return (
    <div className="notice" role="status">
      <strong>{PRODUCT.warnings}</strong>
      <ul>
        {sentencesOf({ codes: warnings, messages: warnings.map(({ message }) => message) }).map(
          (sentence) => (
            <li key={sentence}>{sentence}</li>
          ),
        )}
      </ul>
    </div>
  );
}

function DeleteButton({ product }: { product: Product }) {
  const go = useGo();
  const sites = useSites();
  const [isAsking, setAsking] = useState(false);
  const name = nameOf(product);
  const param = { id: product.id };
  const site = sites.find(({ id }) => id === product.siteId)?.name ?? PRODUCT.everySite;
  return (
    <>
      <Button onPress={() => setAsking(true)}>{PRODUCT.delete}</Button>
      {isAsking && (
        <FinalDialog
          title={PRODUCT.delete}
          submit={`${COMMON.delete}: ${name}`}
          send={(headers) => answered(productApi.products[':id'].$delete({ param }, { headers }))}
          invalidates={OLD}
          done={PRODUCT.deleted({ name })}
          onDone={() => go('products')}
          onClose={() => setAsking(false)}
        >
          <p>
            <strong>{name}</strong>, {site}. {PRODUCT.deleteHint}
          </p>
        </FinalDialog>
      )}
    </>
  );
}
