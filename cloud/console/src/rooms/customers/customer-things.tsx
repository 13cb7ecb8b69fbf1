import type { quotaRoutes } from '@hlid/cloud/money/quotas/quota-routes';
import type { accountRoutes } from '@hlid/cloud/people/accounts/account-routes';
import type { custodianRoutes } from '@hlid/cloud/vehicles/vehicles/custody/custodian-routes';
import type { entryRoutes } from '@hlid/cloud/vehicles/whitelist/entry-routes';
import { PlateSign } from '@hlid/ui/plate-sign';
import { apiOf, read } from '../../calls/api.ts';
import { useAddress } from '../../shell/room-address.ts';
import { isOperator, useSession } from '../../shell/session.ts';
import { useTimeZone } from '../../shell/site.ts';
import { ListView } from '../../ui/list-view.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { CUSTOMER } from './customer-words.ts';

const custodianApi = apiOf<typeof custodianRoutes>();
const entryApi = apiOf<typeof entryRoutes>().visit.whitelist;
const quotaApi = apiOf<typeof quotaRoutes>();
const accountApi = apiOf<typeof accountRoutes>();

interface Props {
  customerId: string;
}

const page = (next: string | undefined) => (next === undefined ? {} : { next });

/** The vehicles, permits and other records of a customer, each row a way to its own room. */
export function CustomerVehicles({ customerId: customer }: Props) {
  const addressOf = useAddress();
  const timeZone = useTimeZone();
  const readPage = (next?: string) =>
    read(custodianApi.custodians.$get({ query: { customer, include: 'vehicle', ...page(next) } }));
  const list = useList(['custodians', { customer }], ({ id }: { id: string }) => id, readPage);
  return (
    <ListView
      list={list}
      label={CUSTOMER.vehicles}
      idOf={({ id }) => id}
      linkOf={({ vehicle, vehicleId }) => ({ to: addressOf(`vehicles/${vehicle?.regno ?? vehicleId}`) })}
      columns={[
        {
          id: 'plate',
          title: CUSTOMER.plate,
          cell: ({ vehicle }) => <PlateSign plate={vehicle?.regno ?? null} />,
        },
        {
          id: 'make',
          title: CUSTOMER.vehicles,
          isWide: true,
          cell: ({ vehicle }) => [vehicle?.make, vehicle?.model, vehicle?.color].filter(Boolean).join(' '),
        },
        {
          id: 'from',
          title: CUSTOMER.since,
          cell: ({ dateFrom }) => <Moment at={dateFrom} timeZone={timeZone} />,
        },
        {
          id: 'to',
          title: CUSTOMER.until,
          cell: ({ dateTo }) => (dateTo ? <Moment at={dateTo} timeZone={timeZone} /> : CUSTOMER.open),
        },
      ]}
      empty={<Empty title={CUSTOMER.noVehicles} />}
    />
  );
}

export function CustomerPermits({ customerId: customer }: Props) {
  const addressOf = useAddress();
  const timeZone = useTimeZone();
  const readPage = (next?: string) => read(entryApi.$get({ query: { customer, ...page(next) } }));
  const list = useList(['permits', { customer }], ({ id }: { id: string }) => id, readPage);
  return (
    <ListView
      list={list}
      label={CUSTOMER.permits}
      idOf={({ id }) => id}
      linkOf={({ id }) => ({ to: addressOf(`permits/${id}`) })}
      columns={[
        { id: 'plate', title: CUSTOMER.plate, cell: ({ plate }) => <PlateSign plate={plate} /> },
        { id: 'reason', title: CUSTOMER.reason, isWide: true, cell: ({ reason }) => reason },
        {
          id: 'until',
          title: CUSTOMER.until,
          cell: ({ expireOn }) => (expireOn ? <Moment at={expireOn} timeZone={timeZone} /> : CUSTOMER.open),
        },
      ]}
      empty={<Empty title={CUSTOMER.noPermits} />}
    />
  );
}

export function CustomerQuotas({ customerId: customer }: Props) {
  const addressOf = useAddress();
  const readPage = (next?: string) => read(quotaApi.quotas.$get({ query: { customer, ...page(next) } }));
  const list = useList(['quotas', { customer }], ({ id }: { id: string }) => id, readPage);
  return (
    <ListView
      list={list}
      label={CUSTOMER.quotas}
      idOf={({ id }) => id}
      linkOf={({ id }) => ({ to: addressOf(`quotas/${id}`) })}
      columns={[
        { id: 'name', title: CUSTOMER.name, isWide: true, cell: ({ name }) => name },
        { id: 'used', title: CUSTOMER.used, isNumber: true, cell: ({ used }) => used },
        { id: 'free', title: CUSTOMER.quota, isNumber: true, cell: ({ free }) => free },
        { id: 'total', title: CUSTOMER.total, isNumber: true, cell: ({ total }) => total },
      ]}
      empty={<Empty title={CUSTOMER.noQuotas} />}
    />
  );
}

export function CustomerAccounts({ customerId: customer }: Props) {
  const addressOf = useAddress();
  const timeZone = useTimeZone();
  const isOffice = isOperator(useSession());
  const readPage = (next?: string) =>
    read(accountApi.accounts.$get({ query: { customer, order: 'name', ...page(next) } }));
  const list = useList(['accounts', { customer }], ({ id }: { id: string }) => id, readPage);
  return (
    <ListView
      list={list}
      label={CUSTOMER.accounts}
      idOf={({ id }) => id}
      linkOf={isOffice ? ({ id }) => ({ to: addressOf(`accounts/${id}`) }) : undefined}
      columns={[
        { id: 'name', title: CUSTOMER.name, isWide: true, cell: ({ name }) => name },
        {
          id: 'since',
          title: CUSTOMER.since,
          cell: ({ createdOn }) => <Moment at={createdOn} timeZone={timeZone} />,
        },
      ]}
      empty={<Empty title={CUSTOMER.noAccounts} />}
    />
  );
}
