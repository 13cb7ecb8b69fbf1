import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAddress } from '../../shell/room-address.ts';
import { can, isOperator, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSiteFilter, useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { shownColumns } from '../../ui/columns.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Money } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { periodOf } from '../../ui/period.ts';
import { Empty } from '../../ui/states.tsx';
import { useList } from '../../ui/use-list.ts';
import { LANGUAGE } from '../../words/words.ts';
import { BulkBar } from './bulk-bar.tsx';
import { NewVisitDialog } from './new-visit-dialog.tsx';
import { SavedViews } from './saved-views.tsx';
import { countVisits, listVisits, moneyOf, type Visit, type VisitQuery } from './visit-api.ts';
import { FILE_COLUMNS, useVisitColumns } from './visit-columns.tsx';
import { VisitFilterBar } from './visit-filter-bar.tsx';
import { filtersOf, listKey, queryOf } from './visit-query.ts';
import { VISIT } from './visit-words.ts';
import './visits.css';

const KEPT_AS = 'visits';

/** Visits by what stands in the address, with their totals; operators act on many of them at once. */
export function VisitsPage() {
  const session = useSession();
  const addressOf = useAddress();
  const { filters, setFilters } = useFilters();
  const query = queryOf(filters, useSiteFilter());
  const columns = useVisitColumns();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAdding, setAdding] = useState(false);
  const mayAdd = can(session, 'new-visit');
  useShortcut('n', VISIT.add, mayAdd ? () => setAdding(true) : null);
  const list = useList<Visit>(
    listKey(query),
    ({ id }) => id,
    (next) => listVisits(query, next),
  );
  const fileOf = (format: 'csv' | 'xlsx') => () => fileAddress(query, format, shownColumns(KEPT_AS, columns));
  return (
    <Page
      title={VISIT.title}
      actions={
        <>
          <DownloadButton label={VISIT.downloadCsv} href={fileOf('csv')} fileName="visits.csv" />
          <DownloadButton label={VISIT.downloadXlsx} href={fileOf('xlsx')} fileName="visits.xlsx" />
          {mayAdd && (
            <Button look="primary" onPress={() => setAdding(true)}>
              <Plus size={14} aria-hidden="true" /> {VISIT.add}
            </Button>
          )}
        </>
      }
      filters={<VisitFilterBar />}
    >
      <SavedViews />
      {isOperator(session) ? null : <MonthSoFar />}
      <Totals query={query} />
      {chosen.size > 0 && <BulkBar list={list} query={query} chosen={chosen} onChosen={setChosen} />}
      <ListView
        list={list}
        label={VISIT.title}
        columns={columns}
        idOf={({ id }) => id}
        keptAs={KEPT_AS}
        order={{
          value: filters['order'] ?? 'newest',
          onChange: (order) => setFilters({ order: order === 'newest' ? null : order }),
        }}
        {...(isOperator(session) && { selection: { ids: chosen, onChange: setChosen } })}
        linkOf={({ id }) => ({ to: addressOf(`visits/${id}`), search: filtersOf(filters) })}
        empty={
          <Empty title={VISIT.empty}>
            <p>{Object.keys(filtersOf(filters)).length === 0 ? VISIT.emptyHint : VISIT.emptyFiltered}</p>
          </Empty>
        }
      />
      {isAdding && <NewVisitDialog onAdded={list.showNext} onClose={() => setAdding(false)} />}
    </Page>
  );
}

/** The file of what is shown. Excel in Icelandic reads files with semicolons only. */
function fileAddress(query: VisitQuery, format: 'csv' | 'xlsx', shown: readonly string[]): string {
  const { order: _, ...filters } = query;
  const columns = [...new Set(shown.flatMap((id) => FILE_COLUMNS[id] ?? []))];
  const form = {
    format,
    language: LANGUAGE,
    ...(LANGUAGE === 'en' && format === 'csv' && { separator: ',' }),
  };
  const texts = Object.entries({ ...filters, ...form, columns: columns.join(',') });
  return `/visits/download?${new URLSearchParams(texts.map(([name, value]) => [name, String(value)]))}`;
}

/** The amount that a customer has paid or will be billed for the visits that began this month. */
function MonthSoFar() {
  const timeZone = useTimeZone();
  const { from } = periodOf('month', siteWall(new Date(), timeZone).day);
  return (
    <section className="card" aria-label={VISIT.monthSoFar}>
      <h2>{VISIT.monthSoFar}</h2>
      <Totals query={{ 'date.from': from }} />
    </section>
  );
}

/** The totals of all visits that match the filters, not only of those on the page. */
function Totals({ query }: { query: VisitQuery }) {
  const { order: _, ...filters } = query;
  const { data } = useQuery({
    queryKey: ['visits', 'counts', filters],
    queryFn: () => countVisits(filters),
  });
  if (!data) return null;
  const { count, due, paid, summed } = data;
  return (
    <p className="totals" role="status">
      <span>
        {VISIT.totals.count} <strong>{count}</strong>
      </span>
      <Sums name={VISIT.totals.due} sums={due} />
      <Sums name={VISIT.totals.paid} sums={paid} />
      {summed < count && <span className="quiet-text">{VISIT.summed({ count: summed })}</span>}
    </p>
  );
}

/** Amounts by currency, which are never added together. */
function Sums({ name, sums }: { name: string; sums: Readonly<Record<string, number>> }) {
  return Object.entries(sums).map(([currency, amount]) => (
    <span key={currency}>
      {name}{' '}
      <strong>
        <Money {...moneyOf({ amount, currency })} />
      </strong>
    </span>
  ));
}
