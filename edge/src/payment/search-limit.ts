import { HOUR_MS, MINUTE_MS, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { SiteDb } from '../db/site-db.ts';

/** A driver who types searches a few times; more than this is not people paying. */
const SPANS = [
  { span: 'minute', ms: MINUTE_MS, max: 60 },
  { span: 'hour', ms: HOUR_MS, max: 1000 },
] as const;

/** How often the site's kiosks may search for visits: plates tell who is here, and nobody may try them all. */
export class SearchLimit {
  readonly #count;
  readonly #forget;

  constructor(db: SiteDb) {
    this.#count = db
      .prepare<[string, UtcTime], number>(
        `INSERT INTO kiosk_look VALUES (?, ?, 1) ON CONFLICT (span, began) DO UPDATE SET looks = looks + 1 RETURNING looks`,
      )
      .pluck();
    this.#forget = db.prepare<[string, UtcTime]>('DELETE FROM kiosk_look WHERE span = ? AND began <> ?');
  }

  /** Counts one more search, within the running transaction; false: there were too many. */
  allows(at: UtcTime): boolean {
    const counts = SPANS.map(({ span, ms, max }) => {
      const began = utcTime(Math.floor(Date.parse(at) / ms) * ms);
      this.#forget.run(span, began);
      return (this.#count.get(span, began) ?? 0) <= max;
    });
    return counts.every(Boolean);
  }
}
