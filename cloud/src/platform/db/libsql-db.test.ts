import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { feedHeadTable } from '../../records/feed/feed-table.ts';
import type { Db, Queries } from './db.ts';
import { openDb } from './libsql-db.ts';
import { prepared } from './prepared.ts';
import { eq, eqPlaceholder, sql } from './sql.ts';

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
    .where(eqPlaceholder(feedHeadTable.scope, 'scope'))
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

  it('answers each query for its own values, though another of the same text was asked in another way', async () => {
    const ids = ['a', 'b', 'c'];
    await db.write(
      async ({ q }) => void (await q.insert(feedHeadTable).values(ids.map((id, n) => row(id, n)))),
    );
    const ask = (q: Queries, scope: string) =>
      q.select({ n: feedHeadTable.n }).from(feedHeadTable).where(eq(feedHeadTable.scope, scope));
    const asked = await db.read(async (q) => [
      await ask(q, 'a'),
      await ask(q, 'b').get(),
      await ask(q, 'c'),
      await nOf(q).get({ scope: 'none' }),
      await nOf(q).all({ scope: 'b' }),
      await nOf(q).get({ scope: 'c' }),
    ]);
    expect(asked).toEqual([[{ n: 0 }], { n: 1 }, [{ n: 2 }], undefined, [{ n: 1 }], { n: 2 }]);
    const scope = 'd';
    const raised = await db.write(async ({ q }) => {
      const raise = (of: string) =>
        q
          .update(feedHeadTable)
          .set({ n: sql`${feedHeadTable.n} + 10` })
          .where(eq(feedHeadTable.scope, of))
          .returning({ n: feedHeadTable.n });
      return [await raise('a'), await raise('b').get(), await raise(scope).get()];
    });
    expect(raised).toEqual([[{ n: 10 }], { n: 11 }, undefined]);
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

  it('undoes one of several writes that were asked for at once, and not the others', async () => {
    const announced: string[] = [];
    db.onAnnounced((names) => announced.push(...names));
    const add = (name: string, then: () => void = () => undefined) =>
      db.write(async (tx) => {
        await tx.q.insert(feedHeadTable).values(row(name));
        tx.announce(name);
        then();
        return name;
      });
    const no = () => {
      throw new Error('no');
    };
    const asked = [add('a', no), add('b'), add('c', no), add('b'), add('d'), add('e', no)];
    const became = await Promise.allSettled(asked);
    expect(became.map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    expect(await db.read(scopes)).toEqual(['b', 'd']);
    expect(announced).toEqual(['b', 'd']);
  });

  it('fails all that were to be durable together when the disk does not take them', async () => {
    await db.write(async ({ q }) => void (await q.all(sql`PRAGMA max_page_count = 1`)));
    const long = 'x'.repeat(100_000);
    const asked = ['a', 'b', long].map((scope) =>
      db.write(async ({ q }) => void (await q.insert(feedHeadTable).values(row(scope)))),
    );
    const became = await Promise.allSettled(asked);
    expect(became.map(({ status }) => status)).toContain('rejected');
    const kept = new Set(await db.read(scopes));
    for (const [at, scope] of ['a', 'b', long].entries()) {
      expect(kept.has(scope)).toBe(became[at]?.status === 'fulfilled');
    }
    await db.write(async ({ q }) => void (await q.all(sql`PRAGMA max_page_count = 1073741823`)));
    await db.write(async ({ q }) => void (await q.insert(feedHeadTable).values(row('z'))));
    expect(await db.read(scopes)).toContain('z');
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

  it('serves reads that add up many rows like any others', async () => {
    await db.write(async ({ q }) => void (await q.insert(feedHeadTable).values(row('a', 7))));
    const sums = Array.from({ length: 20 }, () =>
      db.read(async (q) => (await nOf(q).get({ scope: 'a' }))?.n, { manyRows: true }),
    );
    expect(await Promise.all(sums)).toEqual(Array.from({ length: 20 }, () => 7));
  });

  it('refuses to write in a read', async () => {
    await expect(
      db.read(async (q) => void (await q.insert(feedHeadTable).values(row('a')))),
    ).rejects.toThrow();
    expect(await db.read(scopes)).toEqual([]);
  });

  it('runs actions and announcements once, after the commit, and not after a rollback', async () => {
    const announced: string[] = [];
    db.onAnnounced((names) => announced.push(`announced ${[...names]}`));
    await db.write(async (tx) => {
      tx.afterCommit(() => announced.push('first'));
      tx.afterCommit(() => {
        throw new Error('does not undo anything');
      });
      tx.announce('feed/a');
      tx.announce('feed/a');
      announced.push('working');
    });
    await db
      .write(async (tx) => {
        tx.afterCommit(() => announced.push('never'));
        tx.announce('never');
        throw new Error('no');
      })
      .catch(() => undefined);
    expect(announced).toEqual(['working', 'first', 'announced feed/a']);
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
