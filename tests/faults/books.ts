import { join } from 'node:path';
import type { Db } from '@hlid/cloud/platform/db/db';
import { unpackJson } from '@hlid/edge/db/packed-json';
import { deadline } from '@hlid/protocol/test/deadline';
import Database from 'better-sqlite3';
import { sql } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { idText, momentText } from '../harness/stored-columns.ts';

/** The contents of the site's database. */
function siteBooks(folder: string) {
  const db = new Database(join(folder, 'site.sqlite'), { readonly: true });
  try {
    return {
      // The events that the cloud has acknowledged may be packed.
      events: db
        .prepare<[], { count: number; first: number; last: number }>(
          `SELECT sum(last - first + 1) AS count, min(first) AS first, max(last) AS last FROM (
             SELECT seq AS first, seq AS last FROM event UNION ALL SELECT first_seq, last_seq FROM event_pack)`,
        )
        .get() ?? { count: 0, first: 0, last: 0 },
      reads: db.prepare('SELECT event_key FROM read').pluck().all() as string[],
      visits: (db.prepare('SELECT body FROM visit ORDER BY id').pluck().all() as (string | Buffer)[]).map(
        (body) => {
          const { id, plate, status, startedAt, endedAt } = JSON.parse(unpackJson(body));
          return { id, plate, status, startedAt, endedAt };
        },
      ),
    };
  } finally {
    db.close();
  }
}

/** Reads rows of the cloud's database, wherever it is. */
type CloudRows = (sql: string) => Promise<Record<string, unknown>[]>;

function rowsOfFile(folder: string): CloudRows {
  return async (sql) => {
    const db = new Database(join(folder, 'cloud.db'), { readonly: true });
    try {
      return db.prepare(sql).all() as Record<string, unknown>[];
    } finally {
      db.close();
    }
  };
}

function rowsOf(db: Db): CloudRows {
  return (text) => db.read(async (q) => await q.all<Record<string, unknown>>(sql.raw(text)));
}

/** The contents of the cloud's database. */
async function cloudBooks(rows: CloudRows) {
  const column = async (sql: string) => (await rows(sql)).map(({ value }) => value);
  return {
    committed: (await column('SELECT sum(committed) AS value FROM event_cursor'))[0],
    reads: (await column('SELECT event_key AS value FROM photo')) as string[],
    rejected: (await column('SELECT count(*) AS value FROM rejected_event'))[0],
    visits: await rows(
      `SELECT ${idText('id')} AS id, plate, status, ${momentText('started_at')} AS startedAt, ${momentText('ended_at')} AS endedAt FROM visit ORDER BY id`,
    ),
    insideTwice: await column(
      `SELECT plate AS value FROM visit WHERE ended_at IS NULL AND plate IS NOT NULL
       GROUP BY plate HAVING count(*) > 1`,
    ),
  };
}

/**
 * Checks the books after healing: every accepted read is in the cloud exactly once, event numbers have no
 * gap, both sides have the same visits, and no plate is inside twice. The books are read again while they
 * differ: the site reports its devices a few seconds after a start, and the cloud has each such event a
 * moment later.
 *
 * @param db the cloud's database, if it is not the file in its folder
 */
export async function checkBooks(
  folders: { edge: string; cloud: string },
  accepted: ReadonlySet<string>,
  db: Db | null = null,
): Promise<void> {
  const cloudRows = db === null ? rowsOfFile(folders.cloud) : rowsOf(db);
  await vi.waitFor(() => compareBooks(folders.edge, cloudRows, accepted), {
    timeout: deadline(10_000),
    interval: 200,
  });
}

async function compareBooks(
  edgeFolder: string,
  cloudRows: CloudRows,
  accepted: ReadonlySet<string>,
): Promise<void> {
  const site = siteBooks(edgeFolder);
  const cloud = await cloudBooks(cloudRows);
  expect(site.events).toEqual({ count: site.events.last, first: 1, last: site.events.last });
  expect(cloud.committed).toBe(site.events.last);
  expect(cloud.rejected).toBe(0);
  expect(site.reads.toSorted()).toEqual([...accepted].toSorted());
  expect(cloud.reads.toSorted()).toEqual([...accepted].toSorted());
  expect(cloud.visits).toEqual(site.visits);
  expect(cloud.insideTwice).toEqual([]);
}
