import { useAddress } from '../../shell/room-address.ts';
import { can, useSession } from '../../shell/session.ts';
import { useSite, useSiteFilter, useTimeZones } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { ChoiceField } from '../../ui/field.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { FoldedFilters, Page } from '../../ui/page.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment, OWN_ZONE } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { type Approval, listApprovals } from './approval-api.ts';
import { ApprovalAmount, ApprovalState, subjectText, whoText } from './approval-shown.tsx';
import { APPROVAL } from './approval-words.ts';
import { LimitsCard } from './limits-card.tsx';

const STATES = ['waiting', 'done', 'refused', 'withdrawn', 'expired', 'failed'] as const;
const EVERY = 'all';

/** The requests that wait for a second person; by its filter also the decided ones. */
export function ApprovalsPage() {
  const site = useSite();
  const session = useSession();
  return (
    <Page title={APPROVAL.title}>
      <Requests />
      {site !== null && can(session, 'set-limits') && <LimitsCard key={site.id} site={site} />}
    </Page>
  );
}

function Requests() {
  const addressOf = useAddress();
  const { filters, setFilters } = useFilters();
  const zoneOf = useTimeZones();
  const site = useSiteFilter();
  const chosen = filters['state'] ?? 'waiting';
  const state = STATES.find((one) => one === chosen);
  const query = { ...site, ...(state && { state }) };
  const list = useList<Approval>(
    ['approvals', 'list', query],
    ({ id }) => id,
    (next) => listApprovals({ ...query, ...(next !== undefined && { next }) }),
  );
  const moment = (at: string, siteId: string | null) => (
    <Moment at={at} timeZone={siteId === null ? OWN_ZONE : zoneOf(siteId)} />
  );
  return (
    <>
      <FoldedFilters>
        <ChoiceField
          label={APPROVAL.state}
          value={state ?? EVERY}
          choices={[
            ...STATES.map((one) => [one, APPROVAL.states[one]] as const),
            [EVERY, APPROVAL.every] as const,
          ]}
          onChange={(one) => setFilters({ state: one === 'waiting' ? null : one })}
        />
      </FoldedFilters>
      <ListView
        list={list}
        label={APPROVAL.requests}
        idOf={({ id }) => id}
        linkOf={({ id }) => ({ to: addressOf(`approvals/${id}`) })}
        columns={[
          { id: 'what', title: APPROVAL.what, cell: ({ kind }) => APPROVAL.kinds[kind] },
          { id: 'about', title: APPROVAL.about, cell: subjectText },
          {
            id: 'amount',
            title: APPROVAL.amount,
            isNumber: true,
            cell: (approval) => <ApprovalAmount {...approval} />,
          },
          {
            id: 'state',
            title: APPROVAL.state,
            cell: (approval) => <ApprovalState {...approval} />,
          },
          {
            id: 'reason',
            title: APPROVAL.reason,
            isWide: true,
            cell: ({ reason }) => <span className="one-line">{reason}</span>,
          },
          { id: 'by', title: APPROVAL.requestedBy, cell: whoText },
          {
            id: 'on',
            title: APPROVAL.requestedOn,
            sortBy: ({ requestedOn }) => requestedOn,
            cell: ({ requestedOn, siteId }) => moment(requestedOn, siteId),
          },
        ]}
        empty={
          <Empty title={APPROVAL.empty}>
            <p>{APPROVAL.emptyHint}</p>
          </Empty>
        }
      />
    </>
  );
}
