import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { feedHeadTable } from '../feed/feed-table.ts';
import type { Db, Queries } from './db.ts';
import { openDb } from './libsql-db.ts';
import { prepared } from './prepared.ts';

let folder: string;
let db: Db;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-db-'));
  db = await openDb(join(folder, 'cloud.db'));
});

afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

const row = (scope: string, n = 0) => ({ scope, n, hash: '0' });
const scopes = async (q: Queries) =>
  (await q.select().from(feedHeadTable).orderBy(feedHeadTable.scope)).map((head) => head.scope);
const nOf = prepared((q) =>
  q
    .select({ n: feedHeadTable.n })
    .from(feedHeadTable)
    .where(eq(feedHeadTable.scope, sql.placeholder('scope')))
    .prepare(),
);

describe('the embedded database', () => {
  it('keeps what a write did and forgets what a failed one did', async () => {
    await db.write(async ({ q }) => void (await q.insert(feedHeadTable).values(row('a'))));
    const failed = db.write(async ({ q }) => {
      await q.insert(feedHeadTable).values(row('b'));
      throw new Error('changed my mind');
    });
    await expect(failed).rejects.toThrow('changed my mind');
    expect(await db.read(scopes)).toEqual(['a']);
  });

  it('runs writes one at a time, in the order asked, however long they take', async () => {
    const order: string[] = [];
    const slow = (name: string) =>
      db.write(async ({ q }) => {
        order.push(`${name} begins`);
        await new Promise((resolve) => setImmediate(resolve));
        await q.insert(feedHeadTable).values(row(name));
        order.push(`${name} ends`);
      });
    await Promise.all([slow('a'), slow('b'), slow('c')]);
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('shows a read one state, whatever is written meanwhile, and the next read the new one', async () => {
    await db.write(async ({ q }) => void (await q.insert(feedHeadTable).values(row('a', 1))));
    const seen = await db.read(async (q) => {
      const before = await nOf(q).get({ scope: 'a' });
      await db.write(async (tx) => void (await tx.q.update(feedHeadTable).set({ n: 2 })));
      return [before, await nOf(q).get({ scope: 'a' })];
    });
    expect(seen).toEqual([{ n: 1 }, { n: 1 }]);
    expect(await db.read(async (q) => await nOf(q).get({ scope: 'a' }))).toEqual({ n: 2 });
  });

  it('serves more reads at once than it has connections', async () => {
    await db.write(async ({ q }) => void (await q.insert(feedHeadTable).values(row('a', 7))));
    const reads = Array.from({ length: 50 }, () =>
      db.read(async (q) => {
        await new Promise((resolve) => setImmediate(resolve));
        return (await nOf(q).get({ scope: 'a' }))?.n;
      }),
    );
    expect(new Set(await Promise.all(reads))).toEqual(new Set([7]));
  });

  it('refuses to write in a read', async () => {
    await expect(
      db.read(async (q) => void (await q.insert(feedHeadTable).values(row('a')))),
    ).rejects.toThrow();
    expect(await db.read(scopes)).toEqual([]);
  });

  it('runs actions and announcements once, after the commit, and not after a rollback', async () => {
    const heard: string[] = [];
    db.onAnnounced((names) => heard.push(`announced ${[...names]}`));
    await db.write(async (tx) => {
      tx.afterCommit(() => heard.push('first'));
      tx.afterCommit(() => {
        throw new Error('does not undo anything');
      });
      tx.announce('feed/a');
      tx.announce('feed/a');
      heard.push('working');
    });
    await db
      .write(async (tx) => {
        tx.afterCommit(() => heard.push('never'));
        tx.announce('never');
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(heard).toEqual(['working', 'first', 'announced feed/a']);
  });

  it('waits for the work in hand when it closes, and takes no more', async () => {
    const writing = db.write(async ({ q }) => void (await q.insert(feedHeadTable).values(row('a'))));
    await db.close();
    await writing;
    expect(() => db.read(scopes)).toThrow('closed');
    db = await openDb(join(folder, 'cloud.db'));
    expect(await db.read(scopes)).toEqual(['a']);
  });
});
