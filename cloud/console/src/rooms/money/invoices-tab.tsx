import type { Invoice } from '@hlid/cloud/money/invoices/invoice';
import type { customerRoutes } from '@hlid/cloud/people/customer-routes/customer-routes';
import { Badge, type Tone } from '@hlid/ui/badge';
import { useQuery } from '@tanstack/react-query';
import { apiOf, read } from '../../calls/api.ts';
import { CustomerPicker } from '../../shell/pickers.tsx';
import { useAddress } from '../../shell/room-address.ts';
import { can, isOperator, useSession } from '../../shell/session.ts';
import { useSiteFilter, useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import type { TableColumn } from '../../ui/data-table.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Money } from '../../ui/money.tsx';
import { FoldedFilters } from '../../ui/page.tsx';
import { PeriodField } from '../../ui/period-field.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { STATUS } from '../../words/codes.ts';
import { INVOICE } from './invoice-words.ts';
import { invoiceApi, moneyOf } from './money-calls.ts';
import { MONEY } from './money-words.ts';

const customerApi = apiOf<typeof customerRoutes>();

const STATUSES = ['draft', 'paid', 'refunded', 'incomplete', 'failed'] as const;
const NO_FILTERS = {
  status: '',
  remote: '',
  sent: '',
  plate: '',
  number: '',
  customer: '',
  from: '',
  to: '',
};
const ORDERS = ['newest', 'oldest', '-amount', 'amount'] as const;
const REMOTE = ['draft', 'completed', 'failed'] as const;

export const INVOICE_TONES: Record<Invoice['status'], Tone> = {
  draft: 'caution',
  paid: 'positive',
  refunded: 'neutral',
  incomplete: 'caution',
  failed: 'negative',
};

/** Invoices, with filters in the address. */
export function InvoicesTab() {
  const addressOf = useAddress();
  const session = useSession();
  const timeZone = useTimeZone();
  const { query, fields, isAny, order } = useInvoiceFilters();
  const list = useList(
    ['invoices', 'list', query],
    ({ id }) => id,
    (next: string | undefined) =>
      read(invoiceApi.invoices.$get({ query: { ...query, ...(next !== undefined && { next }) } })),
  );
  return (
    <>
      <FoldedFilters>{fields}</FoldedFilters>
      <ListView
        list={list}
        label={MONEY.tabs.invoices}
        keptAs="invoices"
        order={order}
        idOf={({ id }) => id}
        columns={columnsOf(timeZone, isOperator(session))}
        linkOf={({ id }) => ({ to: addressOf(`money/invoices/${id}`) })}
        empty={
          <Empty title={INVOICE.empty}>
            <p>{isAny ? INVOICE.emptyFiltered : INVOICE.emptyHint}</p>
          </Empty>
        }
      />
    </>
  );
}

function columnsOf(timeZone: string, isForOperator: boolean): TableColumn<Invoice>[] {
  return [
    {
      id: 'number',
      title: MONEY.number,
      cell: ({ number }) => number ?? <span className="quiet-text">{INVOICE.notIssued}</span>,
    },
    {
      id: 'price',
      title: MONEY.amount,
      isNumber: true,
      orders: { ascending: 'amount', descending: '-amount' },
      cell: ({ price }) => <Money {...moneyOf(price)} />,
    },
    {
      id: 'status',
      title: MONEY.status,
      cell: ({ status }) => <Badge tone={INVOICE_TONES[status]}>{STATUS.invoice[status]}</Badge>,
    },
    {
      id: 'payer',
      title: MONEY.payer,
      isWide: true,
      cell: ({ payer, customer }) => payer?.name ?? customer?.name ?? payer?.ssn ?? '',
    },
    { id: 'type', title: INVOICE.paidBy, cell: ({ paymentType }) => MONEY.paymentTypes[paymentType] },
    ...(isForOperator
      ? [
          {
            id: 'remote',
            title: INVOICE.remote,
            cell: ({ remoteStatus, issuedOn }: Invoice) =>
              issuedOn === null ? '' : STATUS.accounting[remoteStatus],
          },
        ]
      : []),
    { id: 'due', title: INVOICE.due, cell: ({ dueOn }) => dueOn ?? '' },
    {
      id: 'created',
      title: MONEY.created,
      orders: { ascending: 'oldest', descending: 'newest' },
      cell: ({ createdOn }) => <Moment at={createdOn} timeZone={timeZone} />,
    },
  ];
}

function useInvoiceFilters() {
  const session = useSession();
  const site = useSiteFilter();
  const timeZone = useTimeZone();
  const { filters, setFilters } = useFilters();
  const { status = '', remote = '', sent = '', plate = '', number = '' } = filters;
  const { customer = '', from = '', to = '' } = filters;
  const known = STATUSES.find((one) => one === status);
  const knownRemote = REMOTE.find((one) => one === remote);
  const knownSent = REMOTE.find((one) => one === sent);
  const knownOrder = ORDERS.find((one) => one === filters['order']);
  const isNumber = /^\d+$/.test(number);
  const query = {
    ...(isOperator(session) && site),
    ...(status === 'waiting' && { collection: 'waiting' as const }),
    ...(knownOrder && { order: knownOrder }),
    ...(known && { status: known }),
    ...(knownRemote && { remoteStatus: knownRemote }),
    ...(knownSent && { publishStatus: knownSent }),
    ...(plate && { plate }),
    ...(isNumber && { number }),
    ...(customer && { customer }),
    ...(from && { 'date.from': from }),
    ...(to && { 'date.to': to }),
  };
  const isAny = Object.keys(NO_FILTERS).some((name) => filters[name]);
  const fields = (
    <>
      <FilterText label={MONEY.number} value={number} onChange={(text) => setFilters({ number: text })} />
      <FilterText label={MONEY.plate} value={plate} onChange={(text) => setFilters({ plate: text })} />
      <ChoiceField
        label={MONEY.status}
        value={status === 'waiting' ? status : (known ?? '')}
        choices={[
          ['', INVOICE.allStatuses],
          ...STATUSES.map((one) => [one, STATUS.invoice[one]] as const),
          ...(isOperator(session) ? [['waiting', INVOICE.waiting] as const] : []),
        ]}
        onChange={(value) => setFilters({ status: value })}
      />
      {isOperator(session) && (
        <ChoiceField
          label={INVOICE.remote}
          value={knownRemote ?? ''}
          choices={[
            ['', INVOICE.allStatuses],
            ...REMOTE.map((one) => [one, STATUS.accounting[one]] as const),
          ]}
          onChange={(value) => setFilters({ remote: value })}
        />
      )}
      {isOperator(session) && (
        <ChoiceField
          label={INVOICE.electronic.title}
          value={knownSent ?? ''}
          choices={[
            ['', INVOICE.allStatuses],
            ...REMOTE.map((one) => [one, INVOICE.electronic.sums[one]] as const),
          ]}
          onChange={(value) => setFilters({ sent: value })}
        />
      )}
      {isOperator(session) && can(session, 'see-customers') && (
        <CustomerFilter id={customer} onChange={(id) => setFilters({ customer: id })} />
      )}
      <PeriodField from={from} to={to} timeZone={timeZone} onChange={(period) => setFilters(period)} />
      <ClearFilters isAny={isAny} onClear={() => setFilters(NO_FILTERS)} />
    </>
  );
  const order = { value: knownOrder ?? 'newest', onChange: (one: string) => setFilters({ order: one }) };
  return { query, fields, isAny, order };
}

/** The address has the customer's id; the field shows the name. */
function CustomerFilter({ id, onChange }: { id: string; onChange: (id: string | null) => void }) {
  const { data } = useQuery({
    queryKey: ['customers', id],
    queryFn: () => read(customerApi.customer[':id'].$get({ param: { id } })),
    enabled: id !== '',
  });
  return (
    <CustomerPicker
      label={MONEY.customer}
      value={id === '' ? null : { id, name: data?.name ?? data?.ssn ?? id }}
      onChange={(picked) => onChange(picked?.id ?? null)}
    />
  );
}
