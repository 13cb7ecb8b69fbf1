import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addToHash, EMPTY_HASH, itemText } from '@hlid/protocol/content-hash';
import { type SnapshotLine, SnapshotLineSchema } from '@hlid/protocol/edge-api';
import { type ChangeBatch, ChangeBatchSchema } from '@hlid/protocol/envelope';
import { SiteSettingsSchema } from '@hlid/protocol/lane';
import type { LIST_KINDS, SiteChange, SiteChangeBody } from '@hlid/protocol/site-change';
import { softwareWithVersion } from '@hlid/protocol/version';
import type { Permit } from '@hlid/protocol/whitelist';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Actor } from '../audit/audit.ts';
import type { Db } from '../db/db.ts';
import { openDb } from '../db/libsql-db.ts';
import { sampleVisit } from '../ingest/sample-events.ts';
import { writePresence } from '../sites/site-store.ts';
import { createSite } from '../sites/sites.ts';
import { settlementTable } from '../visits/settlement-table.ts';
import { visitTable } from '../visits/visit-table.ts';
import { compactFeed } from './compact-feed.ts';
import { publishChange } from './publish-change.ts';
import { readFeed } from './read-feed.ts';
import { skipAhead } from './skip-ahead.ts';
import { readSnapshot, type SnapshotWanted } from './snapshot.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const OPERATOR: Actor = {
  caller: { kind: 'account', accountId: 'a1', role: 'operator', customerId: null, tokenId: 't1' },
  at: NOW,
  requestId: 'test',
};
const FIELDS = {
  name: 'Harbour',
  timeZone: 'Atlantic/Reykjavik',
  currency: 'ISK',
  settings: SiteSettingsSchema.parse({}),
};

let folder: string;
let db: Db;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-feed-'));
  db = await openDb(join(folder, 'cloud.db'));
});

afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

const newSite = async () => (await createSite(db, OPERATOR, FIELDS)).site.id;
const publish = (sites: string, change: SiteChangeBody) => db.write((tx) => publishChange(tx, sites, change));

function permit(id: string, plate = 'ABX12'): SiteChangeBody {
  const item: Permit = {
    id,
    plate,
    effect: 'allow',
    type: 'permanent',
    visitId: null,
    activeFrom: null,
    expireAt: null,
    status: 'active',
    rules: [],
  };
  return { kind: 'permit', op: 'put', id, item };
}

const noPermit = (id: string): SiteChangeBody => ({ kind: 'permit', op: 'remove', id });

async function feedOf(siteId: string, after = 0, limit = 1000): Promise<ChangeBatch> {
  const read = await readFeed(db, siteId, after, limit);
  if (!read.ok) throw new Error(read.reason);
  return ChangeBatchSchema.parse(JSON.parse(read.batch));
}

/** A site's lists as the site keeps them: only from what it is told. */
class Lists {
  readonly items = new Map<string, { kind: (typeof LIST_KINDS)[number]; id: string; item: unknown }>();

  apply(changes: readonly SiteChange[]): void {
    for (const { change } of changes) {
      const { kind } = change;
      if (kind === 'settlement' || kind === 'visit-edit' || kind === 'visit' || kind === 'erase') continue;
      const key = `${change.kind} ${change.id}`;
      if (change.op === 'put') this.items.set(key, change);
      else this.items.delete(key);
    }
  }

  take(line: SnapshotLine): void {
    if (line.kind === 'change') this.apply([{ n: 1, change: line.change }]);
    else if ('item' in line && line.kind !== 'settlement' && line.kind !== 'visit') {
      this.items.set(`${line.kind} ${line.id}`, line);
    }
  }

  get hash(): string {
    const digests = [...this.items.values()].map(({ kind, id, item }) =>
      createHash('sha256')
        .update(itemText(kind, id, item))
        .digest('hex')
        .slice(0, 32),
    );
    return digests.reduce(addToHash, EMPTY_HASH);
  }
}

async function listsOf(siteId: string): Promise<Lists> {
  const lists = new Lists();
  lists.apply((await feedOf(siteId)).changes);
  return lists;
}

async function snapshotOf(
  siteId: string,
  {
    onPiece = async (_written: number) => {},
    ...wanted
  }: Partial<SnapshotWanted> & { onPiece?: OnPiece } = {},
) {
  let text = '';
  let written = 0;
  const send = async (piece: string) => {
    text += piece;
    await onPiece(++written);
  };
  await readSnapshot(db, siteId, send, { siteHolds: 0, ...wanted });
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => SnapshotLineSchema.parse(JSON.parse(line)));
  const heads = lines.filter((line) => line.kind === 'head');
  const end = lines.at(-1);
  const [first, head = first] = heads;
  if (lines[0] !== first || head === undefined || end?.kind !== 'end')
    throw new Error('a snapshot begins with head and ends with end');
  const lists = new Lists();
  for (const line of lines) lists.take(line);
  return { head, lists, lines: lines.filter(({ kind }) => kind !== 'head' && kind !== 'end'), end };
}

type OnPiece = (written: number) => Promise<void>;

describe('a feed', () => {
  it('begins with the site and all that every site holds', async () => {
    await publish('all', permit('p1'));
    await publish('all', permit('p2', 'ÞÓR"1'));
    const siteId = await newSite();
    const { changes, head } = await feedOf(siteId);
    expect(changes.map(({ n, change }) => [n, change.kind, change.id])).toEqual([
      [1, 'site', 'site'],
      [2, 'permit', 'p1'],
      [3, 'permit', 'p2'],
    ]);
    expect(head).toMatchObject({ n: 3, hash: (await listsOf(siteId)).hash });
  });

  it('of a site made when there is much sends it to the snapshot', async () => {
    await db.write(async (tx) => {
      for (let at = 0; at < 1001; at++) await publishChange(tx, 'all', permit(`p${at}`));
    });
    const siteId = await newSite();
    expect(await readFeed(db, siteId, 0, 10)).toEqual({ ok: false, reason: 'compacted' });
    const { head, lists, end } = await snapshotOf(siteId);
    expect([head.n, end.lines, head.hash]).toEqual([1002, 1002, lists.hash]);
    expect(await publish(siteId, permit('own'))).toBe(1003);
    expect((await feedOf(siteId, 1002)).changes).toHaveLength(1);
  });

  it('numbers changes per site, and only what changes something', async () => {
    const [a, b] = [await newSite(), await newSite()];
    expect(await publish(a, permit('p1'))).toBe(2);
    expect(await publish('all', permit('p2'))).toBe(3);
    expect(await publish('all', permit('p2'))).toBe(0);
    expect(await publish(a, permit('p2'))).toBe(3);
    expect(await publish(a, noPermit('unknown'))).toBe(3);
    expect((await feedOf(a)).changes.map(({ change }) => change.id)).toEqual(['site', 'p1', 'p2']);
    expect((await feedOf(b)).changes.map(({ change }) => change.id)).toEqual(['site', 'p2']);
  });

  it('numbers every settlement and edit, equal or not, and leaves the hash alone', async () => {
    const siteId = await newSite();
    const visit = sampleVisit();
    const edit: SiteChangeBody = {
      kind: 'visit-edit',
      op: 'put',
      id: visit.id,
      item: { id: visit.id, visitId: visit.id, plate: 'ABX13', reason: 'misread', by: 'account:1', at: NOW },
    };
    const { hash } = (await feedOf(siteId)).head;
    expect([await publish(siteId, edit), await publish(siteId, edit)]).toEqual([2, 3]);
    expect((await feedOf(siteId)).head).toMatchObject({ n: 3, hash });
  });

  it('forgets the numbers of a transaction that is rolled back', async () => {
    const siteId = await newSite();
    const failed = db.write(async (tx) => {
      await publishChange(tx, siteId, permit('p1'));
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    expect((await feedOf(siteId)).head.n).toBe(1);
    expect(await publish(siteId, permit('p2'))).toBe(2);
  });

  it('leads every site to the same lists as the snapshot, whatever is published to whom', async () => {
    const sites = [await newSite(), await newSite(), await newSite()];
    const Target = fc.constantFrom('all', ...sites);
    const Change = fc.oneof(
      fc
        .record({ id: fc.constantFrom('p1', 'p2', 'p3'), plate: fc.constantFrom('AAA11', 'BBB22') })
        .map(({ id, plate }) => permit(id, plate)),
      fc.constantFrom('p1', 'p2', 'p3').map(noPermit),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(Target, Change), { minLength: 1, maxLength: 15 }),
        async (changes) => {
          for (const [target, change] of changes) await publish(target, change);
          for (const siteId of [...sites, await newSite()]) {
            const told = await listsOf(siteId);
            const { head } = await feedOf(siteId);
            const snapshot = await snapshotOf(siteId);
            expect(told.hash).toBe(head.hash);
            expect(snapshot.head).toMatchObject({ n: head.n, hash: head.hash });
            expect(snapshot.lists.hash).toBe(head.hash);
          }
        },
      ),
      { numRuns: 20 },
    );
  }, 30_000);
});

describe('the feed after a number', () => {
  it('comes in pages, with the head', async () => {
    const siteId = await newSite();
    for (let at = 0; at < 5; at++) await publish(siteId, permit(`p${at}`));
    const page = await feedOf(siteId, 2, 3);
    expect(page.changes.map(({ n }) => n)).toEqual([3, 4, 5]);
    expect(page.head.n).toBe(6);
    expect((await feedOf(siteId, 6)).changes).toEqual([]);
  });

  it('is gone once compacted, and for a site that holds more than was ever told', async () => {
    const siteId = await newSite();
    for (let at = 0; at < 5; at++) await publish(siteId, permit(`p${at}`));
    await compactFeed(db, siteId, 2);
    const gone = { ok: false, reason: 'compacted' };
    expect(await readFeed(db, siteId, 3, 10)).toEqual(gone);
    expect((await feedOf(siteId, 4)).changes.map(({ n }) => n)).toEqual([5, 6]);
    expect(await readFeed(db, siteId, 7, 10)).toEqual(gone);
    expect((await snapshotOf(siteId)).end.lines).toBe(6);
  });

  it('skips ahead of a site that knows of changes which this database has forgotten', async () => {
    const siteId = await newSite();
    expect(await skipAhead(db, siteId, { n: 1, mark: null })).toBe(false);
    expect(await skipAhead(db, siteId, { n: 40, mark: null })).toBe(true);
    expect(await readFeed(db, siteId, 40, 10)).toEqual({ ok: false, reason: 'compacted' });
    expect((await snapshotOf(siteId)).head.n).toBe(41);
    expect(await publish(siteId, permit('p1'))).toBe(42);
  });
});

describe('marks of changes', () => {
  const SOFTWARE = softwareWithVersion('hlid-edge/0.1.0');
  const OTHER = 'f'.repeat(16);
  const speaks = (siteId: string, software: string) =>
    db.write(({ q }) =>
      writePresence(q, {
        ...{ siteId, software, connected: true, since: NOW },
        ...{ epoch: null, seq: 0, feedAt: 0, feedHash: null },
      }),
    );
  const markAt = async (siteId: string, n: number) =>
    (await feedOf(siteId, n - 1, 1)).changes[0]?.mark ?? null;
  const visitRow = async (id: string) =>
    (await db.read(async (q) => await q.select().from(visitTable))).find((row) => row.id === id);

  it('are said to a site that reads them, of what was there when it was made too', async () => {
    await publish('all', permit('p1'));
    const siteId = await newSite();
    await publish(siteId, permit('p2'));
    const marks = async () => (await feedOf(siteId)).changes.map(({ mark }) => mark);
    expect(await marks()).toEqual([undefined, undefined, undefined]);
    await speaks(siteId, 'hlid-edge/0.1.0');
    expect(await marks()).toEqual([undefined, undefined, undefined]);
    expect((await snapshotOf(siteId)).head.mark).toBeUndefined();
    await speaks(siteId, SOFTWARE);
    expect(new Set(await marks()).size).toBe(3);
    const { head } = await snapshotOf(siteId, { takesChanges: true });
    expect(head).toMatchObject({ n: 3, mark: (await marks())[2] });
  });

  it('show that a site comes from another history: what was done to its visits gets new numbers, once', async () => {
    const siteId = await newSite();
    await speaks(siteId, SOFTWARE);
    const [untold, told] = [sampleVisit(), sampleVisit()];
    const item = { reason: 'misread', by: 'account:1', at: NOW };
    await db.write(async (tx) => {
      for (const { price: _, ...visit } of [untold, told]) {
        const n = await publishChange(tx, siteId, {
          ...{ kind: 'visit-edit', op: 'put', id: visit.id },
          item: { ...item, id: visit.id, visitId: visit.id, plate: 'ABX13' },
        });
        const settlement = {
          ...{ id: visit.id, visitId: visit.id, paymentStatus: 'kiosk' as const, amountMinor: 500 },
          ...{ currency: 'ISK' as const, units: 1, settledAt: NOW, by: 'account:1' },
        };
        const paid = await publishChange(tx, siteId, {
          ...{ kind: 'settlement', op: 'put', id: visit.id },
          item: settlement,
        });
        await tx.q.insert(visitTable).values({
          ...{ ...visit, siteId, modifiedAt: NOW, feedAt: visit.id === told.id ? paid : 0 },
          ...{ plateEditedAt: n, statusEditedAt: paid, paymentEditedAt: paid },
        });
      }
    });
    await publish(siteId, permit('p1'));
    const mark = await markAt(siteId, 6);
    for (const held of [mark, null]) expect(await skipAhead(db, siteId, { n: 6, mark: held })).toBe(false);
    // Every process on this database hears what the site says.
    const elsewhere = await openDb(join(folder, 'cloud.db'));
    const heard = [db, elsewhere].map((either) => skipAhead(either, siteId, { n: 6, mark: OTHER }));
    expect((await Promise.all(heard)).toSorted()).toEqual([false, true]);
    await elsewhere.close();
    expect(await readFeed(db, siteId, 6, 10)).toEqual({ ok: false, reason: 'compacted' });
    expect((await feedOf(siteId, 7)).changes).toMatchObject([
      { n: 8, change: { kind: 'visit-edit', id: untold.id } },
      { n: 9, change: { kind: 'settlement', id: untold.id } },
    ]);
    expect(await visitRow(untold.id)).toMatchObject({
      ...{ plateEditedAt: 8, statusEditedAt: 9, paymentEditedAt: 9, endedEditedAt: 0 },
    });
    expect(await visitRow(told.id)).toMatchObject({ plateEditedAt: 4, statusEditedAt: 5 });
    // The line broke before the snapshot.
    expect(await skipAhead(db, siteId, { n: 6, mark: OTHER })).toBe(false);
  });

  it('that are compacted send nobody to the snapshot who can go on; what was done to visits is told all the same', async () => {
    const siteId = await newSite();
    await speaks(siteId, SOFTWARE);
    for (let at = 0; at < 4; at++) await publish(siteId, permit(`p${at}`));
    const [early, last] = [await markAt(siteId, 2), await markAt(siteId, 3)];
    await compactFeed(db, siteId, 2);
    expect(await skipAhead(db, siteId, { n: 3, mark: last })).toBe(false);
    expect(await skipAhead(db, siteId, { n: 2, mark: early })).toBe(false);
    expect(await skipAhead(db, siteId, { n: 3, mark: OTHER })).toBe(true);

    const [{ price: _, ...visit }, { price: _price, ...paid }] = [sampleVisit(), sampleVisit()];
    const edit = { id: visit.id, visitId: visit.id, plate: 'ABX13', reason: 'x', by: 'account:1', at: NOW };
    const n = await publish(siteId, { kind: 'visit-edit', op: 'put', id: visit.id, item: edit });
    await db.write(({ q }) =>
      q.insert(visitTable).values([
        { ...visit, siteId, plateEditedAt: n, modifiedAt: NOW },
        // Settlements are compacted: they are in the snapshot.
        { ...paid, siteId, paymentEditedAt: n + 1, modifiedAt: NOW },
      ]),
    );
    for (let at = 0; at < 4; at++) await publish(siteId, permit(`q${at}`));
    await compactFeed(db, siteId, 1);
    expect(await skipAhead(db, siteId, { n: n + 1, mark: OTHER })).toBe(true);
    expect((await visitRow(paid.id))?.paymentEditedAt).toBeGreaterThan(n + 5);
    const { plateEditedAt } = (await visitRow(visit.id)) ?? {};
    expect((await feedOf(siteId, n + 5)).changes).toMatchObject([
      { n: plateEditedAt, change: { kind: 'visit-edit' } },
    ]);
    expect(await skipAhead(db, siteId, { n: n + 1, mark: OTHER })).toBe(false);
  });
});

describe('a snapshot', () => {
  /** 1200 permits, every other one of the site's own. */
  async function manyPermits(): Promise<string> {
    const siteId = await newSite();
    await db.write(async (tx) => {
      for (let at = 0; at < 1200; at++)
        await publishChange(tx, at % 2 === 0 ? 'all' : siteId, permit(idOf(at)));
    });
    return siteId;
  }
  const idOf = (at: number) => `p${String(at).padStart(4, '0')}`;

  it.each([
    ['of one moment', false],
    ['with what has changed behind it', true],
  ])('%s adds up while changes go on, and the feed continues from it', async (_what, takesChanges) => {
    const siteId = await manyPermits();
    let changes = 0;
    const snapshot = await snapshotOf(siteId, {
      takesChanges,
      onPiece: async (written) => {
        if (written > 5) return;
        changes += 3;
        // Behind the place that was reached, and before it.
        await publish('all', permit(idOf(written * 7), `NEW${written}`));
        await publish(siteId, noPermit(idOf(1190 - written * 11)));
        await publish(siteId, permit(`new-${written}`));
      },
    });
    expect(snapshot.lists.hash).toBe(snapshot.head.hash);
    expect(snapshot.end.lines).toBe(snapshot.lines.length);
    expect(snapshot.lines.filter(({ kind }) => kind === 'change').length > 0).toBe(takesChanges);
    const { changes: told, head } = await feedOf(siteId, snapshot.head.n);
    // What came while the one moment was read comes behind it.
    expect(told).toHaveLength(takesChanges ? 0 : changes);
    snapshot.lists.apply(told);
    expect(snapshot.lists.hash).toBe(head.hash);
  });

  it('goes on where it was cut off, with what has changed since it began', async () => {
    const siteId = await manyPermits();
    const lists = new Lists();
    const begun = (await feedOf(siteId)).head.n;
    const whole = await snapshotOf(siteId, { takesChanges: true });
    const got = whole.lines.slice(0, 700);
    for (const line of got) lists.take(line);
    const last = got.at(-1);
    if (last?.kind !== 'permit') throw new Error('the first 700 items end among the permits');
    await publish('all', permit(idOf(3), 'NEW'));
    await publish(siteId, noPermit(idOf(5)));
    const from = { since: begun, after: { kind: last.kind, id: last.id } };
    const rest = await snapshotOf(siteId, { takesChanges: true, from });
    expect(rest.end.lines).toBe(1201 - 700 + 2);
    for (const line of rest.lines) lists.take(line);
    expect(lists.hash).toBe(rest.head.hash);
    await compactFeed(db, siteId, 0);
    await expect(snapshotOf(siteId, { takesChanges: true, from })).rejects.toThrow('gone');
  });

  it('holds the settlements of visits that may still come to an exit', async () => {
    const siteId = await newSite();
    const [open, left] = [sampleVisit(), sampleVisit({ status: 'completed', endedAt: NOW })];
    await db.write(async ({ q }) => {
      for (const { price: _, ...visit } of [open, left]) {
        await q.insert(visitTable).values({ ...visit, siteId, modifiedAt: NOW });
        await q.insert(settlementTable).values({
          id: visit.id,
          visitId: visit.id,
          siteId,
          paymentStatus: 'kiosk',
          amountMinor: 500,
          currency: 'ISK',
          units: 1,
          settledAt: NOW,
          by: 'account:1',
        });
      }
    });
    const { lines } = await snapshotOf(siteId);
    expect(lines.filter((line) => line.kind === 'settlement')).toMatchObject([
      { id: open.id, item: { visitId: open.id, units: 1 } },
    ]);
  });

  it('has edits of visits told once more after it, as one, where the site has not spoken of them', async () => {
    const siteId = await newSite();
    const [edited, heard] = [sampleVisit(), sampleVisit()];
    await db.write(async (tx) => {
      for (const { price: _, ...visit } of [edited, heard]) {
        const feedAt = visit.id === heard.id ? 5 : 0;
        await tx.q.insert(visitTable).values({ ...visit, siteId, feedAt, modifiedAt: NOW });
      }
      const edits = [
        { visitId: edited.id, plate: 'ABX13' },
        { visitId: edited.id, status: 'need-payment' as const },
        { visitId: heard.id, plate: 'ABX14' },
      ];
      for (const fields of edits) {
        const id = crypto.randomUUID();
        const item = { id, reason: 'misread', by: 'account:1', at: NOW, ...fields };
        await publishChange(tx, siteId, { kind: 'visit-edit', op: 'put', id, item });
      }
    });
    await compactFeed(db, siteId, 0);
    const { head } = await snapshotOf(siteId, { siteHolds: 1 });
    expect(head.n).toBe(4);
    const { changes } = await feedOf(siteId, head.n);
    expect(changes).toMatchObject([
      {
        n: 5,
        change: { kind: 'visit-edit', item: { visitId: edited.id, plate: 'ABX13', status: 'need-payment' } },
      },
    ]);
    const rows = await db.read(async (q) => await q.select().from(visitTable));
    expect(rows.find(({ id }) => id === edited.id)).toMatchObject({ plateEditedAt: 5, statusEditedAt: 5 });
  });
});
