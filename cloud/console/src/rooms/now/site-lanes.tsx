import type { SiteBoard } from '@hlid/protocol/site-link/site-board';
import { lastingText } from '@hlid/protocol/words/lanes/lane-texts';
import { AlertList, DeviceStateText } from '@hlid/ui/lanes/attention';
import { Link } from '@tanstack/react-router';
import { TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Site } from '../../shell/site.ts';
import { useDeviceName } from '../../shell/use-device-name.ts';
import { Empty, Loading } from '../../ui/states.tsx';
import { LANE } from './lane-words.ts';
import { WORDS } from './now-words.ts';
import { OccupancyLine } from './occupancy-line.tsx';
import { isFresh, type ShownBoard, siteNow } from './shown-board.ts';

/** The lanes of a site, its occupancy and its alarms, and the age of the board. */
export function SiteLanes({
  site,
  shown,
  now,
  isConnected,
  children,
}: {
  site: Site;
  /** Absent: nothing has come from the cloud yet. */
  shown: ShownBoard | undefined;
  now: number;
  /** This page to the cloud. */
  isConnected: boolean;
  /** The cards of its lanes. */
  children: ReactNode;
}) {
  const board = shown?.board ?? null;
  const isOld = shown !== undefined && board !== null && !isFresh(shown, now);
  return (
    <section className={isOld ? 'site-lanes old' : 'site-lanes'} aria-label={site.name}>
      <header>
        <h2>{site.name}</h2>
        {board && <OccupancyLine zones={board.zones} />}
      </header>
      {board === null ? (
        shown?.connected !== false && (
          <>
            <p className="quiet-text">{WORDS.comingBoard}</p>
            <Loading lines={3} />
          </>
        )
      ) : board.lanes.length === 0 ? (
        <Empty title={WORDS.noLanes} />
      ) : (
        <div className="lanes">{children}</div>
      )}
      {/* Below the lanes, which stay where they are when one is added. */}
      {shown && !shown.connected && <Offline site={site} since={shown.since} now={now} />}
      {isOld && (
        <p className="notice caution" role="status">
          {!isConnected && `${WORDS.noConnection} `}
          {WORDS.old({ age: lastingText(now - shown.cameAt, LANE) })}
        </p>
      )}
      {board && <Attention board={board} site={site} now={siteNow(board, shown?.cameAt ?? now, now)} />}
    </section>
  );
}

function Offline({ site, since, now }: { site: Site; since: string | null; now: number }) {
  const { helpPhone } = site.settings;
  return (
    <div className="notice negative" role="status">
      <strong>
        {WORDS.offline({ since: since === null ? null : lastingText(now - Date.parse(since), LANE) })}
      </strong>{' '}
      {WORDS.offlineHint}
      {helpPhone && (
        <>
          {' '}
          <a href={`tel:${helpPhone.replaceAll(' ', '')}`}>{WORDS.phone({ number: helpPhone })}</a>
        </>
      )}
    </div>
  );
}

/** Devices that need a person, and what lanes alert people to. */
function Attention({ board, site, now }: { board: SiteBoard; site: Site; now: number }) {
  const nameOf = useDeviceName(site.id);
  const { alarms, alerts } = board;
  if (alarms.length + alerts.length === 0) return null;
  const clock = { now, timeZone: site.timeZone };
  return (
    <div className="attention">
      {alarms.length > 0 && (
        <ul aria-label={WORDS.alarms}>
          {alarms.map(({ kind, id, name, ...device }) => (
            <li key={`${kind} ${id}`}>
              <TriangleAlert size={14} aria-hidden="true" />
              <span>
                <DeviceStateText
                  name={<Link to={`/${site.id}/devices`}>{nameOf({ kind, id, name })}</Link>}
                  device={device}
                  clock={clock}
                />
              </span>
            </li>
          ))}
        </ul>
      )}
      <AlertList board={board} clock={clock} />
    </div>
  );
}
