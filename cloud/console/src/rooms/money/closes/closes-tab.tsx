import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { siteWall } from '@hlid/protocol/site-link/site-wall';
import { Badge } from '@hlid/ui/badge';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { read } from '../../../calls/api.ts';
import { useAddress } from '../../../shell/room-address.ts';
import {
  useSite,
  useSiteFilter,
  useSiteId,
  useSiteNames,
  useSites,
  useTimeZone,
} from '../../../shell/site.ts';
import { Button } from '../../../ui/button.tsx';
import { DayField } from '../../../ui/day-field.tsx';
import { CheckField, ChoiceField } from '../../../ui/field.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { Empty, RefusedNotice } from '../../../ui/states.tsx';
import { useList } from '../../../ui/use-list.ts';
import { useSubmit } from '../../../ui/use-submit.ts';
import { dayText } from '../../../ui/wall-text.ts';
import { MONEY } from '../money-words.ts';
import { CLOSE, CLOSE_QUERIES, closeApi, type DayClose, readCloses } from './close-calls.ts';

/** The closes of days, and a form that makes the next one. */
export function ClosesTab() {
  const site = useSite();
  return (
    <>
      <NewClose key={site?.id ?? 'all'} />
      {site !== null && <ClosesItself siteId={site.id} />}
      <Closes />
    </>
  );
}

/** What belongs to several sites, as a choice. */
const SEVERAL = 'several';

function NewClose() {
  const sites = useSites();
  const shown = useSiteId();
  const [siteId, setSiteId] = useState(shown ?? sites[0]?.id ?? SEVERAL);
  const timeZone = useTimeZone(siteId === SEVERAL ? null : siteId);
  const today = siteWall(new Date(), timeZone).day;
  const [day, setDay] = useState(dayAfter(today, -1));
  const navigate = useNavigate();
  const addressOf = useAddress();
  const make = useSubmit(
    (json: { siteId: string | null; day: string }, headers) =>
      read(closeApi['day-closes'].$post({ json }, { headers })),
    {
      invalidates: CLOSE_QUERIES,
      onDone: ({ id }) => void navigate({ to: addressOf(`money/closes/${id}`) }),
    },
  );
  return (
    <form
      className="row-acts close-form"
      aria-label={CLOSE.make}
      onSubmit={(event) => {
        event.preventDefault();
        if (day !== '' && !make.isPending) make.mutate({ siteId: siteId === SEVERAL ? null : siteId, day });
      }}
    >
      {shown === null && (
        <ChoiceField
          label={MONEY.site}
          name="siteId"
          value={siteId}
          choices={[...sites.map(({ id, name }) => [id, name] as const), [SEVERAL, CLOSE.ofSeveral] as const]}
          onChange={setSiteId}
        />
      )}
      <DayField label={CLOSE.day} name="day" isRequired value={day} today={today} onChange={setDay} />
      <Button type="submit" look="primary" isDisabled={day === ''} isPending={make.isPending}>
        {CLOSE.make}
      </Button>
      <RefusedNotice error={make.error} />
    </form>
  );
}

function ClosesItself({ siteId }: { siteId: string }) {
  const key = ['day-closes', 'closing', siteId];
  const query = useQuery({
    queryKey: key,
    queryFn: () => read(closeApi.sites[':id'].closing.$get({ param: { id: siteId } })),
  });
  const change = useSubmit(
    (closesItself: boolean, headers) =>
      read(
        closeApi.sites[':id'].closing.$post({ param: { id: siteId }, json: { closesItself } }, { headers }),
      ),
    { invalidates: [key] },
  );
  if (query.data === undefined) return null;
  return (
    <>
      <CheckField
        label={CLOSE.closesItself}
        isSelected={change.isPending ? change.variables : query.data.closesItself}
        isDisabled={change.isPending}
        onChange={(isSelected) => change.mutate(isSelected)}
      />
      <RefusedNotice error={change.error} />
    </>
  );
}

function Closes() {
  const site = useSiteFilter();
  const siteName = useSiteNames();
  const addressOf = useAddress();
  const list = useList(
    ['day-closes', 'list', site],
    ({ id }) => id,
    (next: string | undefined) => readCloses({ ...site, ...(next !== undefined && { next }) }),
  );
  return (
    <ListView
      list={list}
      label={MONEY.tabs.closes}
      idOf={({ id }) => id}
      linkOf={({ id }) => ({ to: addressOf(`money/closes/${id}`) })}
      columns={[
        { id: 'day', title: CLOSE.day, cell: ({ day }) => dayText(day) },
        {
          id: 'site',
          title: MONEY.site,
          isWide: true,
          cell: ({ siteId }) => (siteId === null ? CLOSE.ofSeveral : siteName(siteId)),
        },
        { id: 'visits', title: CLOSE.sides.visits, isNumber: true, cell: sumOf('visits') },
        { id: 'payments', title: CLOSE.sides.payments, isNumber: true, cell: sumOf('payments') },
        { id: 'bank', title: CLOSE.sides.bank, isNumber: true, cell: sumOf('bank') },
        { id: 'state', title: MONEY.status, cell: (close) => <CloseState close={close} /> },
      ]}
      empty={
        <Empty title={CLOSE.empty}>
          <p>{CLOSE.emptyHint}</p>
        </Empty>
      }
    />
  );
}

function sumOf(side: DayClose['columns'][number]['side']) {
  return ({ columns }: DayClose) =>
    columns
      .filter((column) => column.side === side)
      .map(({ amount, currency }) => <Money key={currency} amountMinor={amount} currency={currency} />);
}

export function CloseState({ close: { state, open } }: { close: Pick<DayClose, 'state' | 'open'> }) {
  if (state === 'signed') return <Badge tone="positive">{CLOSE.signed}</Badge>;
  return open === 0 ? (
    <Badge tone="neutral">{CLOSE.ready}</Badge>
  ) : (
    <Badge tone="caution">{CLOSE.openDifferences({ count: open })}</Badge>
  );
}
