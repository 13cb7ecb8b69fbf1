import { visitTable } from '@hlid/cloud/records/visits/visit-table';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import Database from 'better-sqlite3';
import { storedId } from './stored-columns.ts';

/** Past stays of two hours, which a product priced. */
export interface PricedVisits {
  visits: number;
  product: { id: string; version: number };
  amountMinor: number;
  /** The moments between which they end, evenly spread. */
  from: number;
  before: number;
}

const STAY_MS = 2 * HOUR_MS;

/** Writes copies of a visit into a cloud's database, which no program has open, as stays that have ended and are paid. */
export function fillPricedVisits(
  path: string,
  visitId: string,
  { visits, product, amountMinor, from, before }: PricedVisits,
): void {
  const db = new Database(path);
  try {
    const own = [
      'id',
      'started_at',
      'ended_at',
      'created_at',
      'modified_at',
      'status',
      'payment_status',
      'price',
    ];
    const names = db.prepare("SELECT name FROM pragma_table_info('visit')").pluck().all() as string[];
    const rest = names.filter((name) => !own.includes(name)).map((name) => `"${name}"`);
    const price = visitTable.price.mapToDriverValue({
      amountMinor,
      currency: 'ISK',
      lines: [],
      product,
      pricedAt: new Date(before).toISOString(),
    });
    const endedAt = `(${from} + n.i * (${before - from} / ${visits}))`;
    db.prepare(
      `WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${visits})
       INSERT INTO visit (${own.join(', ')}, ${rest.join(', ')})
       SELECT unhex(printf('%08x-0000-4000-8000-%012x', n.i * 2654435761 % 4294967296, n.i), '-'),
         ${endedAt} - ${STAY_MS}, ${endedAt}, ${endedAt} - ${STAY_MS}, ${endedAt}, 'completed', 'kiosk', @price,
         ${rest.map((name) => `v.${name}`).join(', ')}
       FROM n, visit v WHERE v.id = @id`,
    ).run({ price, id: storedId(visitId) });
    db.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}
