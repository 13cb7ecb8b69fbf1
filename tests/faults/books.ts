import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, vi } from 'vitest';

/** What the site's database says. */
function siteBooks(folder: string) {
  const db = new Database(join(folder, 'site.sqlite'), { readonly: true });
  try {
    return {
      events: db
        .prepare('SELECT count(*) AS count, min(seq) AS first, max(seq) AS last FROM event')
        .get() as {
        count: number;
        first: number;
        last: number;
      },
      reads: db.prepare('SELECT event_key FROM read').pluck().all() as string[],
      visits: (db.prepare('SELECT body FROM visit ORDER BY id').pluck().all() as string[]).map((body) => {
        const { id, plate, status, startedAt, endedAt } = JSON.parse(body);
        return { id, plate, status, startedAt, endedAt };
      }),
    };
  } finally {
    db.close();
  }
}

/** What the cloud's database says. */
function cloudBooks(folder: string) {
  const db = new Database(join(folder, 'cloud.db'), { readonly: true });
  try {
    return {
      committed: db.prepare('SELECT sum(committed) FROM event_cursor').pluck().get() as number,
      reads: db.prepare('SELECT event_key FROM photo').pluck().all() as string[],
      rejected: db.prepare('SELECT count(*) FROM rejected_event').pluck().get() as number,
      visits: db
        .prepare(
          `SELECT id, plate, status, started_at AS startedAt, ended_at AS endedAt FROM visit ORDER BY id`,
        )
        .all(),
      insideTwice: db
        .prepare(
          `SELECT plate FROM visit WHERE ended_at IS NULL AND plate IS NOT NULL
           GROUP BY plate HAVING count(*) > 1`,
        )
        .pluck()
        .all(),
    };
  } finally {
    db.close();
  }
}

/**
 * After healing: every accepted read is in the cloud exactly once, event numbers have no gap, both sides have the
 * same visits, and no plate is inside twice. The books are read again while they differ: the site reports its devices
 * a few seconds after a start, and the cloud has each such event a moment later.
 */
export async function checkBooks(
  folders: { edge: string; cloud: string },
  accepted: ReadonlySet<string>,
): Promise<void> {
  await vi.waitFor(() => compareBooks(folders, accepted), { timeout: 10_000, interval: 200 });
}

function compareBooks(folders: { edge: string; cloud: string }, accepted: ReadonlySet<string>): void {
  const site = siteBooks(folders.edge);
  const cloud = cloudBooks(folders.cloud);
  expect(site.events).toEqual({ count: site.events.last, first: 1, last: site.events.last });
  expect(cloud.committed).toBe(site.events.last);
  expect(cloud.rejected).toBe(0);
  expect(site.reads.toSorted()).toEqual([...accepted].toSorted());
  expect(cloud.reads.toSorted()).toEqual([...accepted].toSorted());
  expect(cloud.visits).toEqual(site.visits);
  expect(cloud.insideTwice).toEqual([]);
}
