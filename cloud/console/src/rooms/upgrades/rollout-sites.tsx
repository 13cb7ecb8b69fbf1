import { Badge } from '@hlid/ui/badge';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { read } from '../../calls/api.ts';
import { type Site, useSites, useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { Button } from '../../ui/button.tsx';
import { ClearFilters } from '../../ui/clear-filters.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { FilterText } from '../../ui/filter-text.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { failuresFirst, GROUPS, groupCounts, groupOf, type RolloutGroup } from './rollout-groups.ts';
import { ROLLOUT_QUERIES, type RolloutDetail, type RolloutSite, rolloutApi } from './upgrade-api.ts';
import { outcomeTone, reasonText, WORDS } from './upgrade-words.ts';

/** The number of sites shown at first; more are shown on request, since a table of thousands is slow. */
const SHOWN_AT_ONCE = 100;
/** Fewer need no filters. */
const FILTERED_FROM = 8;
/** About as much as three lines hold. */
const MAX_REASON = 140;

/** The sites of a rollout, those that need a person first. */
export function RolloutSites({ rollout }: { rollout: RolloutDetail }) {
  const { filters, setFilters } = useFilters();
  const { state = '', name = '' } = filters;
  const [limit, setLimit] = useState(SHOWN_AT_ONCE);
  const [read, setRead] = useState<RolloutSite | null>(null);
  const timeZone = useTimeZone();
  const known = useSites();
  const byId = new Map(known.map((site) => [site.id, site]));
  const counts = groupCounts(rollout.counts);
  const groups = GROUPS.filter((group) => counts[group] > 0);
  const wanted = groups.find((group) => group === state) ?? null;
  const typed = name.toLocaleLowerCase();
  const found = failuresFirst(rollout.sites).filter(
    (site) =>
      (wanted === null || groupOf(site.outcome) === wanted) && site.name.toLocaleLowerCase().includes(typed),
  );
  const shown = found.slice(0, limit);
  const total = rollout.sites.length;
  return (
    <>
      <h2>{WORDS.sites}</h2>
      {total >= FILTERED_FROM && (
        <div className="filters">
          <ChoiceField
            label={WORDS.state}
            value={wanted ?? ''}
            choices={[
              ['', WORDS.withCount({ name: WORDS.all, count: total })],
              ...groups.map(
                (group) =>
                  [group, WORDS.withCount({ name: WORDS.groups[group], count: counts[group] })] as const,
              ),
            ]}
            onChange={(one: RolloutGroup | '') => setFilters({ state: one })}
          />
          <FilterText label={WORDS.site} value={name} onChange={(text) => setFilters({ name: text })} />
          <ClearFilters
            isAny={wanted !== null || name !== ''}
            onClear={() => setFilters({ state: null, name: null })}
          />
        </div>
      )}
      {found.length === 0 ? (
        <Empty title={WORDS.noneFound}>
          <p>{WORDS.noneFoundHint}</p>
        </Empty>
      ) : (
        <div className="rollout-sites">
          <DataTable
            label={WORDS.sites}
            rows={shown}
            idOf={({ siteId }) => siteId}
            columns={[
              {
                id: 'site',
                title: WORDS.site,
                cell: ({ siteId, name: site }) => <Link to={`/${siteId}/devices`}>{site}</Link>,
              },
              { id: 'ring', title: WORDS.ringTitle, isNumber: true, cell: ({ ring }) => ring },
              {
                id: 'state',
                title: WORDS.state,
                cell: ({ outcome }) => <Badge tone={outcomeTone(outcome)}>{WORDS.outcomes[outcome]}</Badge>,
              },
              { id: 'version', title: WORDS.version, cell: versionText },
              {
                id: 'connection',
                title: WORDS.connection,
                cell: (site) => <Connection site={site} known={byId.get(site.siteId)} timeZone={timeZone} />,
              },
              {
                id: 'reason',
                title: WORDS.reason,
                isWide: true,
                cell: (site) => (
                  <Reason site={site} onRead={() => setRead(site)}>
                    {site.actions.includes('retry') && <Retry rollout={rollout} site={site} />}
                  </Reason>
                ),
              },
              { id: 'when', title: WORDS.when, cell: ({ at }) => <Moment at={at} timeZone={timeZone} /> },
            ]}
          />
          <footer className="list-foot">
            <span>{WORDS.shown({ count: shown.length, total })}</span>
            {found.length > limit && (
              <Button onPress={() => setLimit(limit + SHOWN_AT_ONCE)}>{COMMON.more}</Button>
            )}
          </footer>
        </div>
      )}
      {read && (
        <Dialog title={WORDS.reasonOf({ site: read.name })} onClose={() => setRead(null)}>
          <p className="reason-text">{reasonText(read)}</p>
          <footer>
            <Button onPress={() => setRead(null)}>{COMMON.close}</Button>
          </footer>
        </Dialog>
      )}
    </>
  );
}

function versionText({ from, version }: RolloutSite): string {
  if (from === null || version === null || from === version) return version ?? from ?? '';
  return `${from} → ${version}`;
}

function Connection({
  site,
  known,
  timeZone,
}: {
  site: RolloutSite;
  /** Follows the events of the site, which the rollout does not. */
  known: Site | undefined;
  timeZone: string;
}) {
  const { connected, since } = known?.presence ?? { connected: site.connected, since: null };
  if (connected) return WORDS.connected;
  if (since === null) return <Badge>{known === undefined ? WORDS.lost : WORDS.never}</Badge>;
  return (
    <>
      <Badge tone="caution">{WORDS.lost}</Badge> <Moment at={since} timeZone={timeZone} />
    </>
  );
}

/** The beginning of a long one, with a button for the rest, and what can be done about it. */
function Reason({ site, onRead, children }: { site: RolloutSite; onRead: () => void; children: ReactNode }) {
  const text = reasonText(site);
  if (text === '' && !children) return null;
  if (text.length <= MAX_REASON) {
    return (
      <span className="reason">
        <span>{text}</span>
        {children}
      </span>
    );
  }
  return (
    <span className="reason">
      <span>
        {`${text.slice(0, MAX_REASON).trimEnd()} … `}
        <Button look="quiet" aria-label={WORDS.wholeReasonOf({ site: site.name })} onPress={onRead}>
          {WORDS.wholeReason}
        </Button>
      </span>
      {children}
    </span>
  );
}

function Retry({ rollout: { id, state }, site }: { rollout: RolloutDetail; site: RolloutSite }) {
  const toasts = useToasts();
  const { siteId, name } = site;
  const retry = useSubmit(
    (json: { siteId: string }, headers) =>
      read(rolloutApi.rollouts[':id'].retry.$post({ param: { id }, json }, { headers })),
    {
      invalidates: ROLLOUT_QUERIES,
      onDone: () =>
        toasts.done(state === 'paused' ? WORDS.retriedLater({ site: name }) : WORDS.retried({ site: name })),
    },
  );
  return (
    <Button
      aria-label={WORDS.tryAgainAt({ site: name })}
      isPending={retry.isPending}
      onPress={() => retry.mutate({ siteId }, { onError: toasts.failed })}
    >
      {WORDS.tryAgain}
    </Button>
  );
}
