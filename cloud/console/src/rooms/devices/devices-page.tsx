import { severityOf } from '@hlid/protocol/records/device';
import { Badge } from '@hlid/ui/badge';
import { useQuery } from '@tanstack/react-query';
import { read } from '../../calls/api.ts';
import { ConnectionBadge } from '../../shell/connection-badge.tsx';
import { type Site, siteApi, useSite, useSites, useTimeZone } from '../../shell/site.ts';
import { useDeviceName } from '../../shell/use-device-name.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Empty } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { Moment } from '../../ui/time.tsx';
import { LANGUAGE } from '../../words/words.ts';
import { stateName, stateTone, WORDS } from './device-words.ts';
import { SiteConnection } from './site-connection.tsx';

/** The devices of a site; without one, which sites need a person. */
export function DevicesPage() {
  const site = useSite();
  if (site === null) return <SitesByHealth />;
  return (
    <Page title={WORDS.title}>
      <Tabs
        label={WORDS.title}
        tabs={[
          { id: 'devices', title: WORDS.tabs.devices, content: () => <DevicesOfSite site={site} /> },
          { id: 'connection', title: WORDS.tabs.connection, content: () => <SiteConnection site={site} /> },
        ]}
      />
    </Page>
  );
}

function SitesByHealth() {
  const sites = useSites().toSorted((one, other) => needOf(other) - needOf(one));
  return (
    <Page title={WORDS.title}>
      {sites.length === 0 ? (
        <Empty title={WORDS.noSites}>
          <p>{WORDS.noSitesHint}</p>
        </Empty>
      ) : (
        <DataTable
          label={WORDS.title}
          rows={sites}
          idOf={({ id }) => id}
          linkOf={({ id }) => ({ to: `/${id}/devices` })}
          columns={[
            { id: 'site', title: WORDS.site, isWide: true, cell: ({ name }) => name },
            { id: 'connection', title: WORDS.connection, cell: (site) => <ConnectionBadge site={site} /> },
            { id: 'since', title: WORDS.since, cell: (site) => <Since site={site} /> },
            {
              id: 'alarms',
              title: WORDS.alarms,
              isNumber: true,
              cell: ({ devices: { alarms } }) =>
                alarms === 0 ? '0' : <Badge tone="negative">{alarms}</Badge>,
            },
            { id: 'count', title: WORDS.count, isNumber: true, cell: ({ devices }) => devices.total },
            { id: 'software', title: WORDS.software, cell: ({ presence }) => presence.software ?? '' },
          ]}
        />
      )}
    </Page>
  );
}

/** Sites that need a person come first: those without a connection, then those with alarms. */
function needOf({ presence, devices }: Site): number {
  return presence.connected ? devices.alarms : Number.POSITIVE_INFINITY;
}

function Since({ site: { presence, timeZone } }: { site: Site }) {
  return presence.since && <Moment at={presence.since} timeZone={timeZone} />;
}

const REFETCH_MS = 30_000;

/** Read by its page and by that of each device. */
export function useDevices(siteId: string) {
  return useQuery({
    queryKey: ['devices', siteId],
    queryFn: async () => (await read(siteApi.sites[':id'].devices.$get({ param: { id: siteId } }))).data,
    // Events report alarms and their end only.
    refetchInterval: REFETCH_MS,
  });
}

function DevicesOfSite({ site }: { site: Site }) {
  const query = useDevices(site.id);
  const nameOf = useDeviceName(site.id);
  const timeZone = useTimeZone(site.id);
  return (
    <QueryView query={query} lines={8}>
      {(devices) => {
        const alarms = devices.filter(({ alarm }) => alarm).length;
        if (devices.length === 0) {
          return (
            <Empty title={WORDS.noDevices}>
              <p>{WORDS.noDevicesHint}</p>
            </Empty>
          );
        }
        return (
          <>
            {!site.presence.connected && <p className="notice caution">{WORDS.away}</p>}
            <p className={alarms === 0 ? 'quiet-text' : ''}>
              {alarms === 0 ? WORDS.allWell : WORDS.someWrong({ count: alarms })}
            </p>
            <DataTable
              label={WORDS.title}
              // Devices that need a person come first.
              rows={devices.toSorted((a, b) => severityOf(b.state) - severityOf(a.state))}
              idOf={({ kind, id }) => `${kind}/${encodeURIComponent(id)}`}
              linkOf={({ kind, id }) => ({ to: `/${site.id}/devices/${kind}/${encodeURIComponent(id)}` })}
              columns={[
                { id: 'device', title: WORDS.device, cell: nameOf },
                {
                  id: 'state',
                  title: WORDS.state,
                  cell: ({ state }) => <Badge tone={stateTone(state)}>{stateName(state)}</Badge>,
                },
                {
                  id: 'since',
                  title: WORDS.since,
                  cell: ({ since }) => <Moment at={since} timeZone={timeZone} />,
                },
                {
                  id: 'advice',
                  title: WORDS.advice,
                  isWide: true,
                  cell: ({ advice }) => advice?.[LANGUAGE] ?? '',
                },
              ]}
            />
          </>
        );
      }}
    </QueryView>
  );
}
