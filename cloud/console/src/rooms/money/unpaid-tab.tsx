import type { visitRoutes } from '@hlid/cloud/stays/visits/list/visit-routes';
import type { VisitView } from '@hlid/cloud/stays/visits/list/visit-view';
import { Badge } from '@hlid/ui/badge';
import { PlateSign } from '@hlid/ui/plate-sign';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiOf, read } from '../../calls/api.ts';
import { useAddress } from '../../shell/room-address.ts';
import { isOperator, useSession } from '../../shell/session.ts';
import { useSiteFilter, useSites, useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { BulkDialog } from '../../ui/bulk-dialog.tsx';
import { onePage } from '../../ui/bulk-run.ts';
import { Button } from '../../ui/button.tsx';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import type { TableColumn } from '../../ui/data-table.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Money, moneyText } from '../../ui/money.tsx';
import { FoldedFilters } from '../../ui/page.tsx';
import { PeriodField } from '../../ui/period-field.tsx';
import { type Settlement, settlementEdit } from '../../ui/settle-fields.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { MONEY_QUERIES, moneyOf, visitCommandApi } from './money-calls.ts';
import { MONEY } from './money-words.ts';
import { SettleDialog } from './settle-dialog.tsx';
import { UNPAID } from './unpaid-words.ts';

const api = apiOf<typeof visitRoutes>();

/** Visits that owe something, with their total. Operators settle many of them at once. */
export function UnpaidTab() {
  const session = useSession();
  const queries = useQueryClient();
  const addressOf = useAddress();
  const columns = useColumnsOfVisits();
  const filters = useUnpaidFilters();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const [settling, setSettling] = useState<{ visits: VisitView[]; how: Settlement } | null>(null);
  const list = useList(
    ['visits', 'unpaid', filters.query],
    ({ id }) => id,
    (next: string | undefined) =>
      read(api.visits.$get({ query: { ...filters.query, ...(next !== undefined && { next }) } })),
  );
  const visits = list.rows.filter(({ id }) => chosen.has(id));
  const close = () => {
    setSettling(null);
    setChosen(new Set());
    for (const queryKey of MONEY_QUERIES) void queries.invalidateQueries({ queryKey });
  };
  return (
    <>
      <FoldedFilters>{filters.fields}</FoldedFilters>
      <Totals query={filters.query} />
      {visits.length > 0 && (
        <div className="row-acts">
          <Button look="primary" onPress={() => setAsking(true)}>
            {UNPAID.settle({ count: visits.length })}
          </Button>
          <span className="quiet-text">{sumsText(visits)}</span>
        </div>
      )}
      <ListView
        list={list}
        label={MONEY.tabs.unpaid}
        idOf={({ id }) => id}
        columns={columns}
        {...(isOperator(session) && {
          selection: { ids: chosen, onChange: setChosen },
        })}
        linkOf={({ id }) => ({ to: addressOf(`visits/${id}`) })}
        empty={
          <Empty title={UNPAID.empty}>
            <p>{filters.isAny ? UNPAID.emptyFiltered : UNPAID.emptyHint}</p>
          </Empty>
        }
      />
      {isAsking && (
        <SettleDialog
          count={visits.length}
          sums={sumsText(visits)}
          onClose={() => setAsking(false)}
          onChosen={(how) => {
            setAsking(false);
            setSettling({ visits, how });
          }}
        />
      )}
      {settling && (
        <BulkDialog
          title={UNPAID.settle({ count: settling.visits.length })}
          pages={() => onePage(settling.visits)}
          total={settling.visits.length}
          act={(visit) => settle(visit, settling.how)}
          nameOf={({ plate, id }) => plate ?? id}
          onClose={close}
        />
      )}
    </>
  );
}

async function settle({ id }: VisitView, settlement: Settlement): Promise<void> {
  const json = settlementEdit(settlement);
  await read(visitCommandApi.visit[':id'].$put({ param: { id }, json }));
}

function useUnpaidFilters() {
  const site = useSiteFilter();
  const timeZone = useTimeZone();
  const { filters, setFilters } = useFilters();
  const { plate = '', from = '', to = '', left = '' } = filters;
  const query = {
    collection: 'unpaid' as const,
    ...site,
    ...(plate && { plate }),
    ...(from && { 'date.from': from }),
    ...(to && { 'date.to': to }),
    ...(left && { status: 'closed' as const }),
  };
  const isAny = Boolean(plate || from || to || left);
  const fields = (
    <>
      <FilterText label={MONEY.plate} value={plate} onChange={(text) => setFilters({ plate: text })} />
      <ChoiceField
        label={UNPAID.which}
        value={left === '' ? '' : 'yes'}
        choices={[
          ['', UNPAID.all],
          ['yes', UNPAID.left],
        ]}
        onChange={(value) => setFilters({ left: value })}
      />
      <PeriodField from={from} to={to} timeZone={timeZone} onChange={(period) => setFilters(period)} />
      <ClearFilters isAny={isAny} onClear={() => setFilters({ plate: '', from: '', to: '', left: '' })} />
    </>
  );
  return { query, fields, isAny };
}

type UnpaidQuery = ReturnType<typeof useUnpaidFilters>['query'];

/** The totals of all visits that match the filters, not only of those on the page. */
function Totals({ query }: { query: UnpaidQuery }) {
  const { data } = useQuery({
    queryKey: ['visits', 'counts', query],
    queryFn: () => read(api.visits.counts.$get({ query })),
  });
  if (!data) return null;
  return (
    <p className="totals" role="status">
      <span>
        {UNPAID.count} <strong>{data.count}</strong>
      </span>
      {Object.entries(data.due).map(([currency, amountMinor]) => (
        <span key={currency}>
          {UNPAID.total}{' '}
          <strong>
            <Money amountMinor={amountMinor} currency={currency} />
          </strong>
        </span>
      ))}
      {data.summed < data.count && (
        <span className="quiet-text">{UNPAID.summed({ count: data.summed })}</span>
      )}
    </p>
  );
}

/** Amounts due by currency, which are never added together. */
function sumsText(visits: readonly VisitView[]): string {
  const sums = new Map<string, number>();
  for (const { due } of visits) {
    if (due) sums.set(due.currency, (sums.get(due.currency) ?? 0) + due.amount);
  }
  return [...sums].map(([currency, amountMinor]) => moneyText({ amountMinor, currency })).join(' + ');
}

function useColumnsOfVisits(): TableColumn<VisitView>[] {
  const sites = useSites();
  const fallback = useTimeZone();
  const zoneOf = (siteId: string) => sites.find(({ id }) => id === siteId)?.timeZone ?? fallback;
  return [
    {
      id: 'plate',
      title: MONEY.plate,
      cell: ({ plate, vehicle }) => (
        <PlateSign plate={plate} country={vehicle?.country} unread={MONEY.noPlate} />
      ),
    },
    {
      id: 'due',
      title: UNPAID.due,
      isNumber: true,
      cell: ({ due }) => due && <Money {...moneyOf(due)} />,
    },
    {
      id: 'entered',
      title: UNPAID.entered,
      cell: ({ startedOn, siteId }) => <Moment at={startedOn} timeZone={zoneOf(siteId)} />,
    },
    {
      id: 'left',
      title: UNPAID.leftOn,
      cell: ({ endedOn, siteId }) =>
        endedOn === null ? (
          <Badge tone="accent">{UNPAID.inside}</Badge>
        ) : (
          <Moment at={endedOn} timeZone={zoneOf(siteId)} />
        ),
    },
    ...(sites.length > 1
      ? [
          {
            id: 'site',
            title: MONEY.site,
            cell: ({ siteId }: VisitView) => sites.find(({ id }) => id === siteId)?.name ?? siteId,
          },
        ]
      : []),
    {
      id: 'customer',
      title: MONEY.customer,
      isWide: true,
      cell: ({ customer }) => customer?.name ?? '',
    },
  ];
}
