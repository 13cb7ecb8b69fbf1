import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries } from '../../platform/db/db.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { findDevice } from '../../records/devices/device-store.ts';
import { hasVisitsSince } from '../../records/visits/find-visits.ts';
import { ingestDevice } from '../../sites/devices/ingest-device.ts';
import { type SiteLink, sitesByLink } from '../../sites/sites/site-list.ts';

/** A site that restarts, or that lost its link for a moment, is not away. */
const AWAY_AFTER_MS = 5 * MINUTE_MS;
/** A site is made before its computer is in its place. */
const NEW_FOR_MS = 24 * HOUR_MS;
/** A site that is connected again reports the state of its link within this time. */
const BACK_AFTER_MS = 2 * MINUTE_MS;

/** Raises the alarm that a site cannot: that it is away. It ends when the site has been back for a while. */
export function linkWatchJob(db: Db): ScheduledRun {
  return {
    name: 'site-links',
    everyMs: MINUTE_MS,
    isDue: async (now) => (await db.read((q) => changedLinks(q, now))).length > 0,
    async work({ now }) {
      await db.write(async (tx) => {
        for (const { siteId, connected, isNew, since } of await changedLinks(tx.q, now)) {
          const link = { type: 'device.changed', kind: 'link', deviceId: 'site', since } as const;
          await ingestDevice(
            tx,
            { siteId, at: now },
            connected
              ? { ...link, state: 'ok', detail: '' }
              : {
                  ...link,
                  state: 'unreachable',
                  detail: isNew ? 'the site has never been connected' : 'the site is not connected',
                },
          );
        }
      });
    },
  };
}

/** The sites with a link that has differed from their device's state for long enough. */
async function changedLinks(q: Queries, now: UtcTime): Promise<SiteLink[]> {
  const changed: SiteLink[] = [];
  for (const link of await sitesByLink(q)) {
    const { siteId, connected, isNew, since } = link;
    const waitMs = connected ? BACK_AFTER_MS : isNew ? NEW_FOR_MS : AWAY_AFTER_MS;
    if (since > utcTime(millis(now) - waitMs)) continue;
    // A site with cameras that send to the cloud has no computer that connects.
    if (isNew && (await hasVisitsSince(q, siteId, since))) continue;
    const device = await findDevice(q, { siteId: link.siteId, kind: 'link', deviceId: 'site' });
    const isAway = device?.state === 'unreachable';
    if (isAway === !connected && device !== null) continue;
    if (device !== null || !connected) changed.push(link);
  }
  return changed;
}
