import type { Age } from '@hlid/cloud/books/bookkeeping/receivable';
import type { Aged, Owed, Receivables } from '@hlid/cloud/integration/reports/receivables-report';
import type { receivablesRoutes } from '@hlid/cloud/integration/reports/receivables-routes';
import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiOf, LONG_TIMEOUT_MS, read } from '../../../calls/api.ts';
import { useAddress } from '../../../shell/room-address.ts';
import { useSiteFilter, useTimeZone } from '../../../shell/site.ts';
import { useFilters } from '../../../shell/use-filters.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable, type TableColumn } from '../../../ui/data-table.tsx';
import { DownloadButton } from '../../../ui/download-button.tsx';
import { Money } from '../../../ui/money.tsx';
import { FoldedFilters } from '../../../ui/page.tsx';
import { DateField } from '../../../ui/period-field.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { Empty } from '../../../ui/states.tsx';
import { dayText } from '../../../ui/wall-text.ts';
import { LANGUAGE, roomWords } from '../../../words/words.ts';
import { MONEY } from '../money-words.ts';
import '../../../ui/plain-table.css';

const WORDS = roomWords('money').receivables;
const AGES = Object.keys(WORDS.ages) as Age[];
const api = apiOf<typeof receivablesRoutes>(LONG_TIMEOUT_MS);

/** What is shown: all who owe something, or the invoices behind a figure. */
interface Shown {
  asOf: string;
  site: { siteId?: string };
}

/** Who owes how much since when: by customer or owner and site, and the invoices behind each figure. */
export function ReceivablesTab() {
  const { filters, setFilters } = useFilters();
  const today = siteWall(new Date(), useTimeZone()).day;
  const { asOf = today, debtor, age } = filters;
  const site = useSiteFilter();
  const isOfInvoices = debtor !== undefined || age !== undefined;
  return (
    <>
      <FoldedFilters>
        <DateField
          label={WORDS.asOf}
          value={asOf}
          max={today}
          onChange={(day) => setFilters({ asOf: day === today ? null : day })}
        />
      </FoldedFilters>
      {isOfInvoices ? <OwedInvoices asOf={asOf} site={site} /> : <Debtors asOf={asOf} site={site} />}
    </>
  );
}

function Debtors({ asOf, site }: Shown) {
  const query = { asOf, ...site };
  const found = useQuery({
    // Each invoice, payment and credit note changes it.
    queryKey: ['invoices', 'receivables', query],
    queryFn: () => read(api.reports.receivables.$get({ query })),
  });
  return (
    <QueryView query={found} lines={10}>
      {({ rows, totals, hasMore }) =>
        rows.length === 0 ? (
          <Empty title={WORDS.nothing}>
            <p>{WORDS.nothingHint}</p>
          </Empty>
        ) : (
          <>
            <Totals totals={totals} />
            <Files query={query} />
            {hasMore && <p className="notice">{WORDS.more}</p>}
            <DataTable
              label={WORDS.debtors}
              rows={rows}
              idOf={({ debtor, site, currency }) => `${debtor} ${site?.id} ${currency}`}
              columns={debtorColumns(site.siteId === undefined)}
            />
          </>
        )
      }
    </QueryView>
  );
}

type Row = Receivables['rows'][number];

function debtorColumns(isOfAllSites: boolean): TableColumn<Row>[] {
  const ages = AGES.map(
    (age): TableColumn<Row> => ({
      id: age,
      title: WORDS.ages[age],
      isNumber: true,
      sortBy: (row) => row.ages[age],
      cell: (row) => <Figure row={row} age={age} amountMinor={row.ages[age]} />,
    }),
  );
  return [
    {
      id: 'name',
      title: WORDS.debtor,
      isWide: true,
      sortBy: ({ name }) => name,
      cell: (row) => <Debtor {...row} />,
    },
    ...(isOfAllSites
      ? [{ id: 'site', title: MONEY.site, cell: ({ site }: Row) => site?.name ?? MONEY.severalSites }]
      : []),
    {
      id: 'oldest',
      title: WORDS.oldest,
      sortBy: ({ oldestDueOn }) => oldestDueOn,
      cell: ({ oldestDueOn }) => (oldestDueOn === null ? '' : dayText(oldestDueOn)),
    },
    ...ages,
    {
      id: 'total',
      title: WORDS.total,
      isNumber: true,
      sortBy: ({ total }) => total,
      cell: (row) => <Figure row={row} amountMinor={row.total} />,
    },
  ];
}

/** The page of a customer; an owner has none. */
function Debtor({ customerId, name, ssn }: Pick<Row, 'customerId' | 'name' | 'ssn'>) {
  const addressOf = useAddress();
  const text = name ?? ssn ?? WORDS.unnamed;
  if (customerId === null) return ssn === null || name === null ? text : `${text} (${ssn})`;
  return <Link to={addressOf(`customers/${customerId}`)}>{text}</Link>;
}

/** An amount that leads to the invoices that make it. */
function Figure({ row, age, amountMinor }: { row: Row; age?: Age; amountMinor: number }) {
  const { filters } = useFilters();
  const { debtor, site, currency } = row;
  if (amountMinor === 0 && age !== undefined) return <span className="quiet-text">–</span>;
  const place = site === null ? {} : { at: site.id };
  return (
    <Link to="." search={{ ...filters, debtor, currency, ...place, ...(age !== undefined && { age }) }}>
      <Money amountMinor={amountMinor} currency={currency} />
    </Link>
  );
}

function Totals({ totals }: { totals: readonly Aged[] }) {
  const { filters } = useFilters();
  return (
    <div className="card">
      <table className="plain-table">
        <caption>{WORDS.totals}</caption>
        <tbody>
          {AGES.filter((age) => totals.some(({ ages }) => ages[age] !== 0)).map((age) => (
            <tr key={age}>
              <th scope="row">{WORDS.ages[age]}</th>
              {totals.map(({ currency, ages }) => (
                <td key={currency} className="number">
                  <Link to="." search={{ ...filters, age, currency }}>
                    <Money amountMinor={ages[age]} currency={currency} />
                  </Link>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{WORDS.total}</th>
            {totals.map(({ currency, total }) => (
              <td key={currency} className="number">
                <Money amountMinor={total} currency={currency} />
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function OwedInvoices({ asOf, site }: Shown) {
  const addressOf = useAddress();
  const { filters, setFilters } = useFilters();
  const { debtor, age, currency, at } = filters;
  const query = {
    asOf,
    ...site,
    ...(at !== undefined && { siteId: at }),
    ...(debtor !== undefined && { debtor }),
    ...(currency !== undefined && { currency }),
    ...(isAge(age) && { age }),
  };
  const found = useQuery({
    queryKey: ['invoices', 'receivables', 'invoices', query],
    queryFn: () => read(api.reports.receivables.invoices.$get({ query })),
  });
  return (
    <>
      <div className="row-acts">
        <Button onPress={() => setFilters({ debtor: null, age: null, currency: null, at: null })}>
          {WORDS.back}
        </Button>
        <Files query={{ ...query, rows: 'invoices' }} />
      </div>
      <QueryView query={found} lines={8}>
        {({ invoices, totals, hasMore }) => (
          <>
            {totals.length > 0 && <Totals totals={totals} />}
            {hasMore && <p className="notice">{WORDS.more}</p>}
            {invoices.length === 0 ? (
              <Empty title={WORDS.nothing} />
            ) : (
              <DataTable
                label={WORDS.invoices}
                rows={invoices}
                idOf={({ invoiceId, site: place }) => `${invoiceId} ${place?.id}`}
                columns={INVOICE_COLUMNS}
                linkOf={({ invoiceId }) => ({ to: addressOf(`money/invoices/${invoiceId}`) })}
              />
            )}
          </>
        )}
      </QueryView>
    </>
  );
}

function isAge(text: string | undefined): text is Age {
  return AGES.some((age) => age === text);
}

const INVOICE_COLUMNS: TableColumn<Owed>[] = [
  { id: 'number', title: MONEY.number, cell: ({ number }) => number },
  { id: 'name', title: WORDS.debtor, isWide: true, cell: ({ name, ssn }) => name ?? ssn ?? WORDS.unnamed },
  { id: 'site', title: MONEY.site, cell: ({ site }) => site?.name ?? MONEY.severalSites },
  { id: 'issued', title: WORDS.issued, cell: ({ issuedOn }) => dayText(issuedOn) },
  { id: 'due', title: WORDS.due, sortBy: ({ dueOn }) => dueOn, cell: ({ dueOn }) => dayText(dueOn) },
  {
    id: 'late',
    title: WORDS.late,
    isNumber: true,
    sortBy: ({ daysLate }) => daysLate,
    cell: ({ daysLate }) => (daysLate > 0 ? daysLate : <span className="quiet-text">–</span>),
  },
  {
    id: 'amount',
    title: MONEY.amount,
    isNumber: true,
    sortBy: ({ amount }) => amount,
    cell: ({ amount, currency }) => <Money amountMinor={amount} currency={currency} />,
  },
  {
    id: 'open',
    title: WORDS.open,
    isNumber: true,
    sortBy: ({ open }) => open,
    cell: ({ open, currency }) => <Money amountMinor={open} currency={currency} />,
  },
];

/** What is shown, as a spreadsheet and as CSV. */
function Files({ query }: { query: Record<string, string> }) {
  const href = (format: 'xlsx' | 'csv') =>
    `/reports/receivables/download?${new URLSearchParams({
      ...query,
      format,
      language: LANGUAGE,
      ...(LANGUAGE === 'en' && format === 'csv' && { separator: ',' }),
    })}`;
  return (
    <div className="row-acts">
      {(['xlsx', 'csv'] as const).map((format) => (
        <DownloadButton
          key={format}
          label={WORDS.files[format]}
          href={href(format)}
          fileName={`receivables-${query['asOf']}.${format}`}
        />
      ))}
    </div>
  );
}
