import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAddress } from '../../../shell/room-address.ts';
import { useSiteFilter, useSiteId, useSiteNames, useTimeZone } from '../../../shell/site.ts';
import { useFilters } from '../../../shell/use-filters.ts';
import { Button } from '../../../ui/button.tsx';
import { DownloadButton } from '../../../ui/download-button.tsx';
import { ChoiceField } from '../../../ui/field.tsx';
import { Money } from '../../../ui/money.tsx';
import { FoldedFilters } from '../../../ui/page.tsx';
import { DateField } from '../../../ui/period-field.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { Empty } from '../../../ui/states.tsx';
import { dayText } from '../../../ui/wall-text.ts';
import { LANGUAGE } from '../../../words/words.ts';
import { MONEY } from '../money-words.ts';
import { BookAccounts } from './book-accounts.tsx';
import { BOOK, bookedText, type PlanLine, readBalance, type TrialBalance } from './book-calls.ts';
import '../../../ui/plain-table.css';

const MONTHS = 13;

/** The books of a month or a day: the sums by account, what has no account, and the files. */
export function BookkeepingTab() {
  const { filters, setFilters } = useFilters();
  const today = siteWall(new Date(), useTimeZone()).day;
  const months = lastMonths(today);
  const day = filters['day'] ?? '';
  const month = months.find((one) => one === filters['month']) ?? months[1] ?? today.slice(0, 7);
  const period = day === '' ? month : day;
  const site = useSiteFilter();
  const siteId = useSiteId();
  const [added, setAdded] = useState<Pick<PlanLine, 'role' | 'detail'> | null>(null);
  const balance = useQuery({
    // Each invoice and refund changes it.
    queryKey: ['invoices', 'bookkeeping', period, site],
    queryFn: () => readBalance(period, site),
  });
  return (
    <>
      <FoldedFilters>
        <ChoiceField
          label={BOOK.month}
          value={month}
          choices={months.map((one) => [one, one] as const)}
          onChange={(one) => setFilters({ month: one, day: null })}
        />
        <DateField label={BOOK.day} value={day} onChange={(one) => setFilters({ day: one })} max={today} />
      </FoldedFilters>
      <QueryView query={balance} lines={10}>
        {(found) => (
          <>
            <Missing balance={found} onSet={setAdded} />
            <Sums balance={found} />
            <OpenDays balance={found} />
            <Files balance={found} query={site} />
          </>
        )}
      </QueryView>
      <BookAccounts key={siteId ?? ''} siteId={siteId} added={added} onAdded={() => setAdded(null)} />
    </>
  );
}

function lastMonths(today: string): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return Array.from({ length: MONTHS }, (_, n) =>
    new Date(Date.UTC(year, month - 1 - n, 1)).toISOString().slice(0, 7),
  );
}

function Missing({
  balance: { missing },
  onSet,
}: {
  balance: TrialBalance;
  onSet: (line: Pick<PlanLine, 'role' | 'detail'>) => void;
}) {
  const nameOf = useSiteNames();
  if (missing.length === 0) return null;
  return (
    <section className="notice caution" aria-label={BOOK.missing}>
      <strong>{BOOK.missing}</strong>
      <ul>
        {missing.map((one) => (
          <li key={`${one.siteId} ${one.role} ${one.detail}`} className="row-acts">
            <span>
              {bookedText(one)}
              {one.siteId !== null && `, ${nameOf(one.siteId)}`}
            </span>
            <Button
              onPress={() => onSet({ role: one.role, detail: one.detail })}
              aria-label={BOOK.setFor({ what: bookedText(one) })}
            >
              {BOOK.setAccount}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Sums({ balance: { sums, entries, isOver } }: { balance: TrialBalance }) {
  if (entries === 0) return <Empty title={BOOK.nothing} />;
  return (
    <>
      {!isOver && <p className="notice">{BOOK.open}</p>}
      <div className="table-frame">
        <table className="plain-table">
          <caption>{BOOK.sums}</caption>
          <thead>
            <tr>
              <th scope="col">{BOOK.account}</th>
              <th scope="col">{BOOK.what}</th>
              <th scope="col" className="number">
                {BOOK.debit}
              </th>
              <th scope="col" className="number">
                {BOOK.credit}
              </th>
            </tr>
          </thead>
          <tbody>
            {sums.map((sum) => (
              <tr key={`${sum.account} ${sum.role} ${sum.detail} ${sum.currency}`}>
                <th scope="row">{sum.account ?? BOOK.none}</th>
                <td>{bookedText(sum)}</td>
                <td className="number">
                  {sum.debit !== 0 && <Money amountMinor={sum.debit} currency={sum.currency} />}
                </td>
                <td className="number">
                  {sum.credit !== 0 && <Money amountMinor={sum.credit} currency={sum.currency} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** The days that may still change, by site, and where they are closed. */
function OpenDays({ balance: { openDays } }: { balance: TrialBalance }) {
  const nameOf = useSiteNames();
  const addressOf = useAddress();
  if (openDays.length === 0) return null;
  const days = new Set(openDays.map(({ day }) => day));
  return (
    <details className="notice">
      <summary>{BOOK.openDays({ count: days.size })}</summary>
      <ul>
        {openDays.map(({ day, siteId }) => (
          <li key={`${day} ${siteId}`}>
            {dayText(day)}, {siteId === null ? MONEY.severalSites : nameOf(siteId)}
          </li>
        ))}
      </ul>
      <Link to={addressOf('money')} search={{ tab: 'closes' }}>
        {BOOK.toCloses}
      </Link>
    </details>
  );
}

function Files({
  balance: { period, isOver, missing },
  query,
}: {
  balance: TrialBalance;
  query: { siteId?: string };
}) {
  if (missing.length > 0) return <p className="hint">{BOOK.filesLater}</p>;
  const href = (as: 'csv' | 'datev') =>
    `/bookkeeping/${period}?${new URLSearchParams({ as, language: LANGUAGE, ...query, ...(!isOver && { open: 'true' }) })}`;
  return (
    <div className="row-acts">
      <DownloadButton label={BOOK.csv} href={href('csv')} fileName={`bookkeeping-${period}.csv`} />
      <DownloadButton
        label={BOOK.closedCsv}
        href={`/bookkeeping/${period}?${new URLSearchParams({ as: 'csv', closed: 'true', language: LANGUAGE, ...query })}`}
        fileName={`bookkeeping-${period}-closed.csv`}
      />
      <DownloadButton
        label={BOOK.datev}
        href={href('datev')}
        fileName={`EXTF_Buchungsstapel_${period}.csv`}
      />
    </div>
  );
}
