import { DAY_MS, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { SiteDb } from '../db/site-db.ts';

/** Commands that were taken, long after they have expired: a clock that is set back makes none of them new. */
export interface CommandStore {
  /** Within the running transaction. @returns false where it was taken before */
  take(id: string, at: UtcTime): boolean;
}

const KEPT_DAYS = 30;

export function createCommandStore(db: SiteDb): CommandStore {
  const insert = db.prepare('INSERT INTO command VALUES (?, ?) ON CONFLICT DO NOTHING');
  const forget = db.prepare('DELETE FROM command WHERE taken_at < ?');
  return {
    take(id, at) {
      forget.run(utcTime(Date.parse(at) - KEPT_DAYS * DAY_MS));
      return insert.run(id, at).changes === 1;
    },
  };
}
