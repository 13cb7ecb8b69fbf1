import { HOUR_MS, MINUTE_MS, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { SiteDb } from '../db/site-db.ts';

/** How often visits may be looked for at the site's kiosks: plates say who is here, and nobody is to try them all. */
export interface LookLimit {
  /** Counts one more, within the running transaction; false: there were too many. */
  take(at: UtcTime): boolean;
}

/** A driver who types looks a few times; more than this is not people paying. */
const SPANS = [
  { span: 'minute', ms: MINUTE_MS, most: 60 },
  { span: 'hour', ms: HOUR_MS, most: 1000 },
] as const;

export function createLookLimit(db: SiteDb): LookLimit {
  const count = db.prepare<[string, UtcTime], number>(
    `INSERT INTO kiosk_look VALUES (?, ?, 1) ON CONFLICT (span, began) DO UPDATE SET looks = looks + 1 RETURNING looks`,
  );
  const looks = count.pluck();
  const forget = db.prepare('DELETE FROM kiosk_look WHERE span = ? AND began <> ?');

  return {
    take(at) {
      const counts = SPANS.map(({ span, ms, most }) => {
        const began = utcTime(Math.floor(Date.parse(at) / ms) * ms);
        forget.run(span, began);
        return (looks.get(span, began) ?? 0) <= most;
      });
      return counts.every(Boolean);
    },
  };
}
