import type { SiteDb } from '../db/site-db.ts';

/** Units of quotas by the events that took them. */
export interface QuotaStore {
  /** Writes down what an event took, or below zero what it gave back. */
  note(seq: number, quotaId: string, units: number): void;
  /** Units that events after this one took. */
  takenAfter(seq: number, quotaId: string): number;
}

export function createQuotaStore(db: SiteDb): QuotaStore {
  const note = db.prepare('INSERT INTO quota_units (seq, quota_id, units) VALUES (?, ?, ?)');
  const takenAfter = db
    .prepare<[string, number], number>(
      'SELECT coalesce(sum(units), 0) FROM quota_units WHERE quota_id = ? AND seq > ?',
    )
    .pluck();
  return {
    note: (seq, quotaId, units) => void note.run(seq, quotaId, units),
    takenAfter: (seq, quotaId) => takenAfter.get(quotaId, seq) ?? 0,
  };
}
