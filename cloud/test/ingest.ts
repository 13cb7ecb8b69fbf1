import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach } from 'vitest';
import { type Applied, applyBatch } from '../src/integration/ingest/apply-batch.ts';
import { readBatch } from '../src/integration/ingest/read-batch.ts';
import type { Db } from '../src/platform/db/db.ts';
import { openDb } from '../src/platform/db/libsql-db.ts';
import { batchText, eventAt } from './sample-events.ts';

export const clock = { now: () => new Date('2026-11-21T12:00:00.000Z') };
export const SITE = 'site-a';

const TABLES = [
  'visit',
  'visit_step',
  'photo',
  'passage_decision',
  'gate_movement',
  'lane_alert',
  'site_device',
  'event_cursor',
  'rejected_event',
  'integration_event',
];

export const numbered = (...bodies: SiteEventBody[]) => bodies.map((body, at) => eventAt(at + 1, body));

/** All that the events of sites have come to. */
export async function books(of: Db): Promise<Record<string, unknown[]>> {
  return await of.read(async (q) => {
    const tables: Record<string, unknown[]> = {};
    for (const table of TABLES) {
      const rows: unknown[][] = await q.values(sql.raw(`SELECT * FROM ${table}`));
      tables[table] = rows.map((row) => JSON.stringify(row.map(readable))).sort();
    }
    return tables;
  });
}

/** Bytes as a text, which two rows are compared by. */
function readable(value: unknown): unknown {
  return value instanceof Uint8Array || value instanceof ArrayBuffer
    ? Buffer.from(new Uint8Array(value)).toString('hex')
    : value;
}

/** A database of the cloud, new for each test of the file that calls this, and a site that sends it events. */
export function useIngest() {
  let folder: string;
  const ingest = {
    db: undefined as unknown as Db,
    epoch: '',
    /** The path for another database. */
    newPath: () => join(folder, `${randomUUID()}.db`),

    /** Applies events as they would come over the wire. */
    async apply(
      events: readonly unknown[],
      { siteId = SITE, to }: { siteId?: string; to?: Db } = {},
    ): Promise<Applied> {
      const batch = readBatch(Buffer.from(batchText(ingest.epoch, events)));
      if (!batch.ok) throw new Error(batch.reason);
      return await applyBatch(to ?? ingest.db, clock, { siteId, ...batch });
    },
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hlid-ingest-'));
    ingest.db = await openDb(join(folder, 'cloud.db'));
    ingest.epoch = randomUUID();
  });
  afterEach(async () => {
    await ingest.db.close();
    rmSync(folder, { recursive: true });
  });
  return ingest;
}
