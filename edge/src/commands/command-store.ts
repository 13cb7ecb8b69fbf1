import { DAY_MS } from '@hlid/protocol/base/durations';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { SiteDb } from '../db/site-db.ts';

const KEPT_DAYS = 30;

/** Commands that were accepted, kept long after they expired: a clock that is set back makes none of them new. */
export class CommandStore {
  readonly #insert;
  readonly #forget;

  constructor(db: SiteDb) {
    this.#insert = db.prepare<[string, UtcTime]>(
      'INSERT INTO command (id, taken_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    this.#forget = db.prepare<[UtcTime]>('DELETE FROM command WHERE taken_at < ?');
  }

  /** Accepts a command within the running transaction. @returns false: it was accepted before */
  accept(id: string, at: UtcTime): boolean {
    this.#forget.run(utcTime(Date.parse(at) - KEPT_DAYS * DAY_MS));
    return this.#insert.run(id, at).changes === 1;
  }
}
