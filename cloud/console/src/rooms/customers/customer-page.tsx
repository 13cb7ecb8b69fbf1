import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { useAddress, useId } from '../../shell/room-address.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { EditDialog, type Edited } from '../../ui/edit-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useEdit } from '../../ui/use-edit.ts';
import { useReload } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import {
  CUSTOMER_QUERIES,
  type Customer,
  changeCustomer,
  readCustomer,
  type ShownCustomer,
} from './customer-api.ts';
import {
  billingRows,
  type CustomerDraft,
  CustomerFields,
  contactRows,
  customerRows,
  draftOf,
  editOf,
} from './customer-form.tsx';
import { CustomerAccounts, CustomerPermits, CustomerQuotas, CustomerVehicles } from './customer-things.tsx';
import { CUSTOMER } from './customer-words.ts';

export function CustomerPage() {
  const id = useId();
  const { data, error, refetch } = useQuery({ queryKey: ['customer', id], queryFn: () => readCustomer(id) });
  if (data) return <OneCustomer customer={data.body} />;
  return error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />;
}

function OneCustomer({ customer }: { customer: ShownCustomer }) {
  const addressOf = useAddress();
  const [isEdited, setEdited] = useState(false);
  const mayEdit = customer.actions.includes('edit');
  useShortcut('e', COMMON.edit, mayEdit ? () => setEdited(true) : null);
  const { id } = customer;
  const tabs = [
    { id: 'details', title: CUSTOMER.details, content: () => <CustomerDetails customer={customer} /> },
    { id: 'vehicles', title: CUSTOMER.vehicles, content: () => <CustomerVehicles customerId={id} /> },
    { id: 'permits', title: CUSTOMER.permits, content: () => <CustomerPermits customerId={id} /> },
    { id: 'quotas', title: CUSTOMER.quotas, content: () => <CustomerQuotas customerId={id} /> },
    { id: 'accounts', title: CUSTOMER.accounts, content: () => <CustomerAccounts customerId={id} /> },
  ];
  return (
    <Page
      title={customer.name ?? CUSTOMER.nameless}
      actions={
        <>
          <Link className="button plain" to={addressOf(`visits?customerId=${id}`)}>
            {CUSTOMER.visits}
          </Link>
          <Link className="button plain" to={addressOf(`money/invoices?customer=${id}`)}>
            {CUSTOMER.invoices}
          </Link>
          {mayEdit && (
            <Button look="primary" onPress={() => setEdited(true)}>
              <Pencil size={14} aria-hidden="true" /> {COMMON.edit}
            </Button>
          )}
        </>
      }
    >
      <Tabs label={customer.name ?? CUSTOMER.nameless} tabs={tabs} />
      {isEdited && <EditCustomer customer={customer} onClose={() => setEdited(false)} />}
    </Page>
  );
}

function CustomerDetails({ customer }: { customer: Customer }) {
  const timeZone = useTimeZone();
  const draft = draftOf(customer);
  const { quota } = customer;
  return (
    <div className="cards">
      <section className="card">
        <h2>{CUSTOMER.contact}</h2>
        <Details
          rows={[
            ...contactRows(draft),
            [CUSTOMER.created, <Moment key="created" at={customer.createdOn} timeZone={timeZone} isExact />],
          ]}
        />
      </section>
      <section className="card">
        <h2>{CUSTOMER.billing}</h2>
        <Details
          rows={[
            ...billingRows(draft),
            [
              CUSTOMER.quota,
              quota.total > 0 ? CUSTOMER.quotaText({ free: quota.free, total: quota.total }) : null,
            ],
          ]}
        />
      </section>
    </div>
  );
}

function EditCustomer({ customer: { id, name }, onClose }: { customer: Customer; onClose: () => void }) {
  const toasts = useToasts();
  const reload = useReload();
  const read = async () => {
    const { body, etag } = await readCustomer(id);
    return { body: draftOf(body), etag };
  };
  const edit = useEdit(
    ['customer', id, 'edit'],
    read,
    ({ changes }: Edited<CustomerDraft>, headers) => changeCustomer(id, editOf(changes), headers),
    {
      invalidates: CUSTOMER_QUERIES,
      onDone: (_, { undo }) => {
        onClose();
        toasts.done(CUSTOMER.saved({ name: name ?? CUSTOMER.nameless }), async () => {
          await changeCustomer(id, editOf(undo));
          reload(CUSTOMER_QUERIES);
        });
      },
    },
  );
  return (
    <EditDialog
      title={CUSTOMER.edit}
      edit={edit}
      draftOf={(draft) => draft}
      rowsOf={customerRows}
      onClose={onClose}
    >
      {(draft, set) => <CustomerFields draft={draft} set={set} />}
    </EditDialog>
  );
}
