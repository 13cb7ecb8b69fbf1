import { Badge } from '@hlid/ui/badge';
import { read } from '../../calls/api.ts';
import { useSiteFilter, useSites, useTimeZone } from '../../shell/site.ts';
import { ListView } from '../../ui/list-view.tsx';
import { Money } from '../../ui/money.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { roomWords } from '../../words/words.ts';
import { terminalDayApi } from './money-calls.ts';
import { MONEY } from './money-words.ts';

const WORDS = roomWords('money').terminalDaysTab;

type Sums = readonly { type: string; amount: number }[];

/** The ends of the days of card terminals, each beside the books. */
export function TerminalDaysTab() {
  const site = useSiteFilter();
  const sites = useSites();
  const timeZone = useTimeZone();
  const zoneOf = (siteId: string) => sites.find(({ id }) => id === siteId)?.timeZone ?? timeZone;
  const list = useList(
    ['payments', 'terminal-days', site],
    ({ id }) => id,
    () => read(terminalDayApi.payments['terminal-days'].$get({ query: site })),
  );
  return (
    <ListView
      list={list}
      label={MONEY.tabs.days}
      idOf={({ id }) => id}
      columns={[
        {
          id: 'ended',
          title: WORDS.ended,
          cell: ({ endedOn, siteId }) => <Moment at={endedOn} timeZone={zoneOf(siteId)} />,
        },
        { id: 'terminal', title: WORDS.terminal, cell: ({ terminalId }) => terminalId },
        {
          id: 'site',
          title: MONEY.site,
          cell: ({ siteId }) => sites.find(({ id }) => id === siteId)?.name ?? siteId,
        },
        {
          id: 'byTerminal',
          title: WORDS.byTerminal,
          isNumber: true,
          cell: ({ terminal, currency }) => <Money amountMinor={sumOf(terminal)} currency={currency} />,
        },
        {
          id: 'byBooks',
          title: WORDS.byBooks,
          isNumber: true,
          cell: ({ books, currency }) => <Money amountMinor={sumOf(books)} currency={currency} />,
        },
        {
          id: 'agrees',
          title: MONEY.status,
          cell: ({ agrees }) => (
            <Badge tone={agrees ? 'positive' : 'negative'}>{agrees ? WORDS.agrees : WORDS.differs}</Badge>
          ),
        },
      ]}
      empty={
        <Empty title={WORDS.empty}>
          <p>{WORDS.emptyHint}</p>
        </Empty>
      }
    />
  );
}

/** A terminal reports all its cards together, or each brand. */
function sumOf(sums: Sums): number {
  const all = sums.find(({ type }) => type === 'all');
  return all?.amount ?? sums.reduce((sum, { amount }) => sum + amount, 0);
}
