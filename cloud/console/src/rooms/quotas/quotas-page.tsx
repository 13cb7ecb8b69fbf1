import { Plus } from 'lucide-react';
import { useState } from 'react';
import { CustomerPicker, type Picked } from '../../shell/pickers.tsx';
import { useAddress } from '../../shell/room-address.ts';
import { can, isOperator, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSites } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { moneyText } from '../../ui/money.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useList } from '../../ui/use-list.ts';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import {
  addQuota,
  buyDays,
  deleteQuota,
  listQuotas,
  type NewQuota,
  QUOTA_QUERIES,
  type Quota,
  type QuotaPurchase,
  useCustomerName,
  useQuotaProducts,
} from './quota-api.ts';
import { QUOTA } from './quota-words.ts';

export function QuotasPage() {
  const addressOf = useAddress();
  const session = useSession();
  const isOffice = isOperator(session);
  const { filters, setFilters, clear } = useFilters();
  const { customer } = filters;
  const query = customer ? { customer } : {};
  const [isAdding, setAdding] = useState(false);
  const mayAdd = can(session, 'new-quota');
  const mayBuy = !isOffice && can(session, 'buy-quota');
  const [isBuying, setBuying] = useState(false);
  useShortcut('n', QUOTA.add, mayAdd ? () => setAdding(true) : null);
  useShortcut('n', QUOTA.buy, mayBuy ? () => setBuying(true) : null);
  const list = useList<Quota>(
    ['quotas', query],
    ({ id }) => id,
    (next) => listQuotas({ ...query, ...(next !== undefined && { next }) }),
  );
  return (
    <Page
      title={QUOTA.title}
      actions={
        (mayAdd || mayBuy) && (
          <Button look="primary" onPress={() => (mayAdd ? setAdding(true) : setBuying(true))}>
            <Plus size={14} aria-hidden="true" /> {mayAdd ? QUOTA.add : QUOTA.buy}
          </Button>
        )
      }
      filters={
        isOffice && (
          <>
            <CustomerFilter id={customer} onChange={(id) => setFilters({ customer: id })} />
            <ClearFilters isAny={Boolean(customer)} onClear={clear} />
          </>
        )
      }
    >
      <ListView
        list={list}
        label={QUOTA.title}
        idOf={({ id }) => id}
        linkOf={({ id }) => ({ to: addressOf(`quotas/${id}`) })}
        columns={[
          { id: 'name', title: QUOTA.name, isWide: true, cell: ({ name }) => name },
          {
            id: 'customer',
            title: QUOTA.customer,
            cell: ({ customerId }) => <CustomerName id={customerId} />,
          },
          { id: 'used', title: QUOTA.used, isNumber: true, cell: ({ used }) => used },
          { id: 'free', title: QUOTA.free, isNumber: true, cell: ({ free }) => free },
          { id: 'total', title: QUOTA.total, isNumber: true, cell: ({ total }) => total },
          {
            id: 'visits',
            title: QUOTA.visits,
            isNumber: true,
            cell: ({ currentVisits }) => currentVisits.length,
          },
        ]}
        empty={
          <Empty title={QUOTA.empty}>
            <p>{isOffice ? QUOTA.emptyHint : QUOTA.mineHint}</p>
          </Empty>
        }
      />
      {isBuying && <BuyDialog onClose={() => setBuying(false)} />}
      {isAdding && <NewQuotaDialog onAdded={list.showNext} onClose={() => setAdding(false)} />}
    </Page>
  );
}

function CustomerName({ id }: { id: string }) {
  return useCustomerName(id);
}

function CustomerFilter({ id, onChange }: { id: string | undefined; onChange: (id: string) => void }) {
  const name = useCustomerName(id ?? '');
  const value = id ? { id, name: name ?? id } : null;
  return (
    <div className="field">
      <CustomerPicker
        label={QUOTA.customer}
        value={value}
        onChange={(picked) => onChange(picked?.id ?? '')}
      />
    </div>
  );
}

/** Days at their price, paid by card on the payment page. */
function BuyDialog({ onClose }: { onClose: () => void }) {
  const products = useQuotaProducts();
  const sites = useSites();
  const sold = products?.filter(({ price }) => price.amountMinor > 0) ?? [];
  const [chosen, setProduct] = useState('');
  const [quantity, setQuantity] = useState(Number.NaN);
  const [site, setSite] = useState('');
  const product = sold.find(({ id }) => id === chosen) ?? (sold.length === 1 ? sold[0] : undefined);
  const needsSite = product !== undefined && product.siteId === null && sites.length > 1;
  const units = Number.isNaN(quantity) ? 0 : quantity;
  const amount = product && { ...product.price, amountMinor: product.price.amountMinor * units };
  const buy = useSubmit((json: QuotaPurchase, headers) => buyDays(json, headers), {
    invalidates: QUOTA_QUERIES,
    onDone: (url) => location.assign(url),
  });
  return (
    <FormDialog
      title={QUOTA.buy}
      submit={amount && units > 0 ? QUOTA.buySubmit({ amount: moneyText(amount) }) : QUOTA.chooseFirst}
      error={buy.error}
      isBusy={buy.isPending}
      isReady={product !== undefined && units > 0 && (!needsSite || site !== '')}
      onSubmit={() =>
        buy.mutate({ product: product?.id ?? '', quantity: units, ...(needsSite && { siteId: site }) })
      }
      onClose={onClose}
    >
      <p>{QUOTA.buyHint}</p>
      <ChoiceField
        label={QUOTA.product}
        hint={product && QUOTA.price({ amount: moneyText(product.price) })}
        value={product?.id ?? ''}
        choices={[['', QUOTA.chooseProduct], ...sold.map(({ id, name }) => [id, name] as const)]}
        onChange={setProduct}
      />
      {needsSite && (
        <ChoiceField
          label={QUOTA.site}
          value={site}
          choices={[['', QUOTA.chooseProduct], ...sites.map(({ id, name }) => [id, name] as const)]}
          onChange={setSite}
        />
      )}
      <NumberField
        label={QUOTA.quantity}
        name="quantity"
        minValue={1}
        value={quantity}
        onChange={setQuantity}
      />
    </FormDialog>
  );
}

function NewQuotaDialog({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const toasts = useToasts();
  const reload = useReload();
  const products = useQuotaProducts();
  const [customer, setCustomer] = useState<Picked | null>(null);
  const [chosen, setProduct] = useState('');
  const [quantity, setQuantity] = useState(Number.NaN);
  const [name, setName] = useState('');
  const product = chosen || (products?.length === 1 ? (products[0]?.id ?? '') : '');
  const add = useSubmit((json: NewQuota, headers) => addQuota(json, headers), {
    invalidates: QUOTA_QUERIES,
    onDone: (made) => {
      onAdded();
      onClose();
      toasts.done(QUOTA.added({ name: made.name }), async () => {
        await deleteQuota(made.id);
        reload(QUOTA_QUERIES);
      });
    },
  });
  const units = Number.isNaN(quantity) ? 0 : quantity;
  return (
    <FormDialog
      title={QUOTA.add}
      submit={QUOTA.addSubmit({ units })}
      error={add.error}
      isBusy={add.isPending}
      isReady={customer !== null && product !== '' && units > 0}
      onSubmit={() =>
        add.mutate({
          customer: customer?.id ?? '',
          product,
          quantity: units,
          ...(name.trim() !== '' && { name: name.trim() }),
        })
      }
      onClose={onClose}
    >
      <CustomerPicker label={QUOTA.customer} value={customer} onChange={setCustomer} />
      <ChoiceField
        label={QUOTA.product}
        hint={products?.length === 0 ? QUOTA.noProducts : undefined}
        value={product}
        choices={[
          ['', QUOTA.chooseProduct],
          ...(products ?? []).map(({ id, name: called }) => [id, called] as const),
        ]}
        onChange={setProduct}
      />
      <div className="row">
        <NumberField
          label={QUOTA.quantity}
          name="quantity"
          minValue={1}
          value={quantity}
          onChange={setQuantity}
        />
        <TextField label={QUOTA.name} hint={QUOTA.nameHint} value={name} onChange={setName} />
      </div>
    </FormDialog>
  );
}
