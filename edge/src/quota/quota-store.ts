import type { SiteDb } from '../db/site-db.ts';

/** Units of quotas, by the events that used them. */
export class QuotaStore {
  readonly #add;
  readonly #usedAfter;

  constructor(db: SiteDb) {
    this.#add = db.prepare<[number, string, number]>(
      'INSERT INTO quota_units (seq, quota_id, units) VALUES (?, ?, ?)',
    );
    this.#usedAfter = db
      .prepare<[string, number], number>(
        'SELECT coalesce(sum(units), 0) FROM quota_units WHERE quota_id = ? AND seq > ?',
      )
      .pluck();
  }

  /** Records what an event used; below zero: what it released. */
  add(seq: number, quotaId: string, units: number): void {
    this.#add.run(seq, quotaId, units);
  }

  /** Units that the events after this one used. */
  usedAfter(seq: number, quotaId: string): number {
    return this.#usedAfter.get(quotaId, seq) ?? 0;
  }
}
