import { Badge } from '@hlid/ui/badge';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../../shell/room-address.ts';
import { useSite, useSiteFilter, useSiteNames, useTimeZones } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { FoldedFilters } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { dayText } from '../../ui/wall-text.ts';
import { LANGUAGE } from '../../words/words.ts';
import { MONEY } from '../money/money-words.ts';
import {
  COLLECTION,
  type ListedReminder,
  REMINDER,
  REMINDER_STATES,
  REMINDER_TONES,
  readAllReminders,
} from './claim-calls.ts';
import { SiteReminders } from './claims-tab.tsx';

const LIST = REMINDER.list;

/** Reminders, newest first, with the next step of their invoices or what stops it. */
export function RemindersTab() {
  const addressOf = useAddress();
  const site = useSite();
  const { filters, setFilters } = useFilters();
  const state = REMINDER_STATES.find((one) => one === filters['state']);
  const query = { ...useSiteFilter(), ...(state && { state }) };
  return (
    <>
      <div className="row-acts">
        <Link className="button plain" to={addressOf('money/collection')}>
          {COLLECTION.open}
        </Link>
        {site !== null && <SiteReminders siteId={site.id} name={site.name} />}
      </div>
      <FoldedFilters>
        <ChoiceField
          label={MONEY.status}
          value={state ?? ''}
          choices={[['', LIST.every], ...REMINDER_STATES.map((one) => [one, REMINDER.states[one]] as const)]}
          onChange={(one) => setFilters({ state: one })}
        />
      </FoldedFilters>
      <Reminders query={query} />
    </>
  );
}

function Reminders({ query }: { query: Parameters<typeof readAllReminders>[0] }) {
  const addressOf = useAddress();
  const siteName = useSiteNames();
  const zoneOf = useTimeZones();
  const list = useList<ListedReminder>(
    ['reminders', 'list', query],
    ({ id }) => id,
    (next) => readAllReminders({ ...query, ...(next !== undefined && { next }) }),
  );
  return (
    <>
      {list.rows.length > 0 && <Files query={query} />}
      <ListView
        list={list}
        label={LIST.label}
        idOf={({ id }) => id}
        linkOf={({ invoiceId }) => ({ to: addressOf(`money/invoices/${invoiceId}`) })}
        columns={[
          { id: 'invoice', title: MONEY.invoice, cell: ({ invoiceNumber }) => invoiceNumber ?? '–' },
          { id: 'payer', title: MONEY.payer, isWide: true, cell: (row) => <Payer {...row} /> },
          { id: 'step', title: LIST.step, cell: ({ step }) => REMINDER.steps[step] },
          {
            id: 'state',
            title: MONEY.status,
            cell: ({ state }) => <Badge tone={REMINDER_TONES[state]}>{REMINDER.states[state]}</Badge>,
          },
          { id: 'next', title: LIST.next, isWide: true, cell: nextText },
          {
            id: 'written',
            title: LIST.written,
            cell: ({ writtenOn, siteId }) => <Moment at={writtenOn} timeZone={zoneOf(siteId ?? '')} />,
          },
          {
            id: 'delivered',
            title: LIST.delivered,
            cell: ({ deliveredOn, siteId }) =>
              deliveredOn === null ? (
                <span className="quiet-text">–</span>
              ) : (
                <Moment at={deliveredOn} timeZone={zoneOf(siteId ?? '')} />
              ),
          },
          ...(query.siteId === undefined
            ? [
                {
                  id: 'site',
                  title: MONEY.site,
                  cell: ({ siteId }: ListedReminder) =>
                    siteId === null ? MONEY.severalSites : siteName(siteId),
                },
              ]
            : []),
        ]}
        empty={
          query.state === undefined ? (
            <Empty title={LIST.empty}>
              <p>{LIST.emptyHint}</p>
            </Empty>
          ) : (
            <Empty title={LIST.noneOfThese} />
          )
        }
      />
    </>
  );
}

function nextText({ next, stopped, collectableOn }: ListedReminder): string {
  if (next !== null) return REMINDER.next({ step: REMINDER.steps[next.step], day: dayText(next.on) });
  if (collectableOn !== null) return LIST.toCollector({ day: dayText(collectableOn) });
  return stopped === null ? '–' : REMINDER.stopped[stopped];
}

function Payer({ customer, payerName }: Pick<ListedReminder, 'customer' | 'payerName'>) {
  const addressOf = useAddress();
  const name = payerName ?? customer?.name ?? '–';
  return customer === null ? name : <Link to={addressOf(`customers/${customer.id}`)}>{name}</Link>;
}

function Files({ query }: { query: Record<string, string> }) {
  return (
    <div className="row-acts">
      {(['xlsx', 'csv'] as const).map((format) => (
        <DownloadButton
          key={format}
          label={LIST[format]}
          href={`/reminders/download?${new URLSearchParams({
            ...query,
            format,
            language: LANGUAGE,
            ...(LANGUAGE === 'en' && format === 'csv' && { separator: ',' }),
          })}`}
          fileName={`reminders.${format}`}
        />
      ))}
    </div>
  );
}
