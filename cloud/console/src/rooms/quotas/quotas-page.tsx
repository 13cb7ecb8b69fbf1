import { Plus } from 'lucide-react';
import { useState } from 'react';
import { CustomerPicker, type Picked } from '../../shell/pickers.tsx';
import { useAddress } from '../../shell/room-address.ts';
import { isOperator, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { ChoiceField, NumberField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useList } from '../../ui/use-list.ts';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import {
  addQuota,
  deleteQuota,
  listQuotas,
  type NewQuota,
  OLD_QUOTAS,
  type Quota,
  useCustomerName,
  useQuotaProducts,
} from './quota-api.ts';
import { QUOTA } from './quota-words.ts';

export function QuotasPage() {
  const addressOf = useAddress();
  const isOffice = isOperator(useSession());
  const { filters, setFilters, clear } = useFilters();
  const { customer } = filters;
  const query = customer ? { customer } : {};
  const [isAdding, setAdding] = useState(false);
  useShortcut('n', QUOTA.add, isOffice ? () => setAdding(true) : null);
  const list = useList<Quota>(
    ['quotas', query],
    ({ id }) => id,
    (next) => listQuotas({ ...query, ...(next !== undefined && { next }) }),
  );
  return (
    <Page
      title={QUOTA.title}
      actions={
        isOffice && (
          <Button look="primary" onPress={() => setAdding(true)}>
            <Plus size={14} aria-hidden="true" /> {QUOTA.add}
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
    old: OLD_QUOTAS,
    onDone: (made) => {
      onAdded();
      onClose();
      toasts.done(QUOTA.added(made.name), async () => {
        await deleteQuota(made.id);
        reload(OLD_QUOTAS);
      });
    },
  });
  const units = Number.isNaN(quantity) ? 0 : quantity;
  return (
    <FormDialog
      title={QUOTA.add}
      submit={QUOTA.addSubmit(units)}
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
