import { Navigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAddress, useGo } from '../../shell/room-address.ts';
import { can, isOperator, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { type Filters, useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useList } from '../../ui/use-list.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import {
  addCustomer,
  CUSTOMER_QUERIES,
  type Customer,
  type CustomerQuery,
  listCustomers,
  type NewCustomer,
} from './customer-api.ts';
import { CustomerFields, EMPTY_CUSTOMER, editOf } from './customer-form.tsx';
import { CUSTOMER } from './customer-words.ts';

const ORDERS = ['oldest', 'name', '-name', 'email', '-email'] as const;

function queryOf({ name, ssn, email, collection, order }: Filters): CustomerQuery {
  const known = ORDERS.find((one) => one === order);
  return {
    ...(known && { order: known }),
    ...(name && { name }),
    ...(ssn && { ssn }),
    ...(email && { email }),
    ...(collection === 'want-monthly-billing' && { collection }),
  };
}

/** All customers; to an account of one, its own. */
export function CustomersPage() {
  const session = useSession();
  const addressOf = useAddress();
  const own = session.account.customer;
  if (isOperator(session)) return <CustomerList />;
  if (own) return <Navigate to={addressOf(`customers/${own.id}`)} replace />;
  return (
    <Page title={CUSTOMER.mine}>
      <Empty title={COMMON.none} />
    </Page>
  );
}

function CustomerList() {
  const addressOf = useAddress();
  const { filters, setFilters, clear } = useFilters();
  const query = queryOf(filters);
  const [isAdding, setAdding] = useState(false);
  const mayAdd = can(useSession(), 'new-customer');
  useShortcut('n', CUSTOMER.add, mayAdd ? () => setAdding(true) : null);
  const list = useList<Customer>(
    ['customers', query],
    ({ id }) => id,
    (next) => listCustomers({ ...query, ...(next !== undefined && { next }) }),
  );
  const text = (name: 'name' | 'ssn' | 'email') => ({
    label: CUSTOMER[name],
    value: filters[name],
    onChange: (value: string) => setFilters({ [name]: value }),
  });
  return (
    <Page
      title={CUSTOMER.title}
      actions={
        mayAdd && (
          <Button look="primary" onPress={() => setAdding(true)}>
            <Plus size={14} aria-hidden="true" /> {CUSTOMER.add}
          </Button>
        )
      }
      filters={
        <>
          <FilterText {...text('name')} />
          <FilterText {...text('ssn')} />
          <FilterText {...text('email')} />
          <ChoiceField
            label={CUSTOMER.billing}
            value={filters['collection'] ?? ''}
            choices={[
              ['', CUSTOMER.billingFilter.all],
              ['want-monthly-billing', CUSTOMER.billingFilter['want-monthly-billing']],
            ]}
            onChange={(collection) => setFilters({ collection })}
          />
          <ClearFilters isAny={Object.keys(filters).length > 0} onClear={clear} />
        </>
      }
    >
      <ListView
        list={list}
        label={CUSTOMER.title}
        keptAs="customers"
        order={{ value: filters['order'] ?? '', onChange: (order) => setFilters({ order }) }}
        idOf={({ id }) => id}
        linkOf={({ id }) => ({ to: addressOf(`customers/${id}`) })}
        columns={[
          {
            id: 'name',
            title: CUSTOMER.name,
            isWide: true,
            orders: { ascending: 'name', descending: '-name' },
            cell: ({ name }) => name ?? CUSTOMER.nameless,
          },
          { id: 'ssn', title: CUSTOMER.ssn, cell: ({ ssn }) => ssn },
          {
            id: 'email',
            title: CUSTOMER.email,
            orders: { ascending: 'email', descending: '-email' },
            cell: ({ email }) => email,
          },
          { id: 'phone', title: CUSTOMER.phone, isHidden: true, cell: ({ phone }) => phone },
          {
            id: 'billing',
            title: CUSTOMER.billing,
            cell: ({ options: { billingMethod } }) => billingMethod && CUSTOMER.billingMethods[billingMethod],
          },
          {
            id: 'quota',
            title: CUSTOMER.quota,
            isNumber: true,
            cell: ({ quota }) =>
              quota.total > 0 && CUSTOMER.quotaText({ free: quota.free, total: quota.total }),
          },
        ]}
        empty={
          <Empty title={CUSTOMER.empty}>
            <p>{CUSTOMER.emptyHint}</p>
          </Empty>
        }
      />
      {isAdding && <NewCustomerDialog onAdded={list.showNext} onClose={() => setAdding(false)} />}
    </Page>
  );
}

function NewCustomerDialog({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const toasts = useToasts();
  const go = useGo();
  const [draft, setDraft] = useState(EMPTY_CUSTOMER);
  const add = useSubmit((json: NewCustomer, headers) => addCustomer(json, headers), {
    invalidates: CUSTOMER_QUERIES,
    onDone: ({ id, name }) => {
      onAdded();
      onClose();
      toasts.done(CUSTOMER.added({ name: name ?? CUSTOMER.nameless }));
      go(`customers/${id}`);
    },
  });
  const name = draft.name?.trim() ?? '';
  return (
    <FormDialog
      title={CUSTOMER.add}
      submit={CUSTOMER.addSubmit({ name })}
      error={add.error}
      isBusy={add.isPending}
      isReady={name !== ''}
      onSubmit={() => add.mutate({ customer: { ...editOf(draft), language: draft.language } })}
      onClose={onClose}
    >
      <CustomerFields draft={draft} set={(changes) => setDraft({ ...draft, ...changes })} />
    </FormDialog>
  );
}
