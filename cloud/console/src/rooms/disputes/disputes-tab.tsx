import { Badge } from '@hlid/ui/badge';
import { useQuery } from '@tanstack/react-query';
import { openDisputesQuery } from '../../shell/badges.ts';
import { useAddress } from '../../shell/room-address.ts';
import { useSiteFilter, useTimeZones } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { ChoiceField } from '../../ui/field.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { FoldedFilters } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment, OWN_ZONE } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { type Dispute, listDisputes } from './dispute-api.ts';
import { aboutText, DISPUTE_TONES, fromText } from './dispute-card.tsx';
import { DISPUTE } from './dispute-words.ts';

const STATES = ['open', 'upheld', 'rejected', 'withdrawn'] as const;

/** The contested visits and invoices, newest first; each leads to the page where it is answered. */
export function DisputesTab() {
  const addressOf = useAddress();
  const { filters, setFilters } = useFilters();
  const zoneOf = useTimeZones();
  const site = useSiteFilter();
  const state = STATES.find((one) => one === filters['state']);
  const query = { ...site, ...(state && { state }), ...(state === 'open' && { order: 'deadline' as const }) };
  const list = useList<Dispute>(
    ['disputes', 'list', query],
    ({ id }) => id,
    (next) => listDisputes({ ...query, ...(next !== undefined && { next }) }),
  );
  return (
    <>
      <FoldedFilters>
        <ChoiceField
          label={DISPUTE.state}
          value={state ?? ''}
          choices={[['', DISPUTE.every], ...STATES.map((one) => [one, DISPUTE.states[one]] as const)]}
          onChange={(one) => setFilters({ state: one })}
        />
      </FoldedFilters>
      <ListView
        list={list}
        label={DISPUTE.title}
        idOf={({ id }) => id}
        linkOf={({ visitId, invoiceId }) => ({
          to: addressOf(visitId === null ? `money/invoices/${invoiceId}` : `visits/${visitId}`),
        })}
        columns={[
          { id: 'what', title: DISPUTE.what, cell: aboutText },
          {
            id: 'state',
            title: DISPUTE.state,
            cell: ({ state: one }) => <Badge tone={DISPUTE_TONES[one]}>{DISPUTE.states[one]}</Badge>,
          },
          {
            id: 'text',
            title: DISPUTE.text,
            isWide: true,
            cell: ({ text }) => <span className="one-line">{text}</span>,
          },
          { id: 'who', title: DISPUTE.who, cell: fromText },
          {
            id: 'answerBy',
            title: DISPUTE.answerBy,
            sortBy: ({ answerBy }) => answerBy,
            cell: ({ answerBy, siteId, state: one }) =>
              one === 'open' && (
                <Moment at={answerBy} timeZone={siteId === null ? OWN_ZONE : zoneOf(siteId)} />
              ),
          },
          {
            id: 'on',
            title: DISPUTE.when,
            sortBy: ({ openedOn }) => openedOn,
            cell: ({ openedOn, siteId }) => (
              <Moment at={openedOn} timeZone={siteId === null ? OWN_ZONE : zoneOf(siteId)} />
            ),
          },
        ]}
        empty={
          <Empty title={DISPUTE.empty}>
            <p>{DISPUTE.emptyHint}</p>
          </Empty>
        }
      />
    </>
  );
}

/** The title of the tab, with how many wait for an answer. */
export function DisputesTitle() {
  const { data } = useQuery(openDisputesQuery(useSiteFilter()));
  if (data === undefined || data.total === 0) return DISPUTE.title;
  return DISPUTE.tab({ open: data.extra.totalIs === 'exact' ? String(data.total) : `${data.total}+` });
}
