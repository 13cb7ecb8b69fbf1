import { type Clock, nowUtc } from '@hlid/node/clock';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import type { Db } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { SITE_FLOOD } from '../../sites/devices/device.ts';
import { ingestDevice } from '../../sites/devices/ingest-device.ts';
import { floodsBefore } from '../../sites/devices/site-devices.ts';

/**
 * Refused messages of one site within a minute that raise the alarm; a site that keeps to the rules has none.
 */
const MIN_REFUSED = 20;
/** The alarm is renewed at this interval while the flood lasts; without renewal it ends. */
const RENEWED_EVERY_MS = MINUTE_MS;
const ENDS_AFTER_MS = 10 * MINUTE_MS;
const DETAIL = 'the site sends more than is accepted, or what cannot be read';

interface Flood {
  since: number;
  refused: number;
  reportedAt: number;
}

/** Raises an alarm of each site that floods the cloud: what it sends is dropped, refused or rejected. */
export class SiteFloods {
  readonly #parts: { db: Db; clock: Clock; log: Logger };
  readonly #tick: () => number;
  readonly #floods = new Map<string, Flood>();

  constructor(parts: { db: Db; clock: Clock; log: Logger }, tick: () => number = () => performance.now()) {
    this.#parts = parts;
    this.#tick = tick;
  }

  /** Something that a site sent was not accepted. */
  note(siteId: string): void {
    const now = this.#tick();
    const known = this.#floods.get(siteId);
    const isNew = known === undefined || now - known.since > MINUTE_MS;
    const flood = isNew
      ? { since: now, refused: 0, reportedAt: known?.reportedAt ?? Number.NEGATIVE_INFINITY }
      : known;
    flood.refused++;
    this.#floods.set(siteId, flood);
    if (flood.refused < MIN_REFUSED || now - flood.reportedAt < RENEWED_EVERY_MS) return;
    flood.reportedAt = now;
    void this.#report(siteId, nowUtc(this.#parts.clock));
  }

  async #report(siteId: string, at: UtcTime): Promise<void> {
    const { db, log } = this.#parts;
    const flood = {
      type: 'device.changed',
      ...SITE_FLOOD,
      state: 'failing',
      detail: DETAIL,
      since: at,
    } as const;
    try {
      await db.write((tx) => ingestDevice(tx, { siteId, at }, flood));
    } catch (err) {
      log.error({ event: EVENTS.batchFailed, siteId, err });
    }
  }
}

/** Ends the alarm of a site that floods no longer. */
export function floodEndJob(db: Db): ScheduledRun {
  const over = (now: UtcTime) => db.read((q) => floodsBefore(q, utcTime(millis(now) - ENDS_AFTER_MS)));
  return {
    name: 'site-floods',
    everyMs: MINUTE_MS,
    isDue: async (now) => (await over(now)).length > 0,
    async work({ now }) {
      for (const siteId of await over(now)) {
        const calm = { type: 'device.changed', ...SITE_FLOOD, state: 'ok', detail: '', since: now } as const;
        await db.write((tx) => ingestDevice(tx, { siteId, at: now }, calm));
      }
    },
  };
}
