import { describe, expect, it } from 'vitest';
import { NOW, permit, useFeeds } from '../../../test/feed.ts';
import { sampleVisit } from '../../../test/sample-events.ts';
import { publishChange } from '../../records/feed/publish-change.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { compactFeed } from './compact-feed.ts';
import { readFeed } from './read-feed.ts';
import { skipAhead } from './skip-ahead.ts';

const feeds = useFeeds();
const { newSite, publish, feedOf, snapshotOf } = feeds;

describe('marks of changes', () => {
  const OTHER = 'f'.repeat(16);
  const markAt = async (siteId: string, n: number) =>
    (await feedOf(siteId, n - 1, 1)).changes[0]?.mark ?? null;
  const visitRow = async (id: string) =>
    (await feeds.db.read(async (q) => await q.select().from(visitTable))).find((row) => row.id === id);

  it('differ for all changes, also those of what was there when the site was made', async () => {
    await publish('all', permit('p1'));
    const siteId = await newSite();
    await publish(siteId, permit('p2'));
    const marks = async () => (await feedOf(siteId)).changes.map(({ mark }) => mark);
    expect(new Set(await marks()).size).toBe(3);
    const { head } = await snapshotOf(siteId);
    expect(head).toMatchObject({ n: 3, mark: (await marks())[2] });
  });

  it('show that a site comes from another history: what was done to its visits gets new numbers, once', async () => {
    const siteId = await newSite();
    const [untold, reported] = [sampleVisit(), sampleVisit()];
    const item = { reason: 'misread', by: 'account:1', at: NOW };
    await feeds.db.write(async (tx) => {
      for (const { price: _, ...visit } of [untold, reported]) {
        const n = await publishChange(tx, siteId, {
          kind: 'visit-edit',
          op: 'put',
          id: visit.id,
          item: { ...item, id: visit.id, visitId: visit.id, plate: 'ABX13' },
        });
        const settlement = {
          id: visit.id,
          visitId: visit.id,
          paymentStatus: 'kiosk' as const,
          amountMinor: 500,
          currency: 'ISK' as const,
          units: 1,
          settledAt: NOW,
          by: 'account:1',
        };
        const paid = await publishChange(tx, siteId, {
          kind: 'settlement',
          op: 'put',
          id: visit.id,
          item: settlement,
        });
        await tx.q.insert(visitTable).values({
          ...visit,
          siteId,
          modifiedAt: NOW,
          feedAt: visit.id === reported.id ? paid : 0,
          plateEditedAt: n,
          statusEditedAt: paid,
          paymentEditedAt: paid,
        });
      }
    });
    await publish(siteId, permit('p1'));
    const mark = await markAt(siteId, 6);
    for (const held of [mark, null])
      expect(await skipAhead(feeds.db, siteId, { n: 6, mark: held })).toBe(false);
    // Every process on this database receives the site's messages.
    const elsewhere = await feeds.openAgain();
    const received = [feeds.db, elsewhere].map((either) => skipAhead(either, siteId, { n: 6, mark: OTHER }));
    expect((await Promise.all(received)).toSorted()).toEqual([false, true]);
    await elsewhere.close();
    expect(await readFeed(feeds.db, siteId, 6, 10)).toEqual({ ok: false, reason: 'compacted' });
    expect((await feedOf(siteId, 7)).changes).toMatchObject([
      { n: 8, change: { kind: 'visit-edit', id: untold.id } },
      { n: 9, change: { kind: 'settlement', id: untold.id } },
    ]);
    expect(await visitRow(untold.id)).toMatchObject({
      plateEditedAt: 8,
      statusEditedAt: 9,
      paymentEditedAt: 9,
      endedEditedAt: 0,
    });
    expect(await visitRow(reported.id)).toMatchObject({ plateEditedAt: 4, statusEditedAt: 5 });
    // The line broke before the snapshot.
    expect(await skipAhead(feeds.db, siteId, { n: 6, mark: OTHER })).toBe(false);
  });

  it('that are compacted send no site that can continue to the snapshot; edits of visits are still sent', async () => {
    const siteId = await newSite();
    for (let at = 0; at < 4; at++) await publish(siteId, permit(`p${at}`));
    const [early, last] = [await markAt(siteId, 2), await markAt(siteId, 3)];
    await compactFeed(feeds.db, siteId, 2);
    expect(await skipAhead(feeds.db, siteId, { n: 3, mark: last })).toBe(false);
    expect(await skipAhead(feeds.db, siteId, { n: 2, mark: early })).toBe(false);
    expect(await skipAhead(feeds.db, siteId, { n: 3, mark: OTHER })).toBe(true);

    const [{ price: _, ...visit }, { price: _price, ...paid }] = [sampleVisit(), sampleVisit()];
    const edit = { id: visit.id, visitId: visit.id, plate: 'ABX13', reason: 'x', by: 'account:1', at: NOW };
    const n = await publish(siteId, { kind: 'visit-edit', op: 'put', id: visit.id, item: edit });
    await feeds.db.write(({ q }) =>
      q.insert(visitTable).values([
        { ...visit, siteId, plateEditedAt: n, modifiedAt: NOW },
        // Settlements are compacted: they are in the snapshot.
        { ...paid, siteId, paymentEditedAt: n + 1, modifiedAt: NOW },
      ]),
    );
    for (let at = 0; at < 4; at++) await publish(siteId, permit(`q${at}`));
    await compactFeed(feeds.db, siteId, 1);
    expect(await skipAhead(feeds.db, siteId, { n: n + 1, mark: OTHER })).toBe(true);
    expect((await visitRow(paid.id))?.paymentEditedAt).toBeGreaterThan(n + 5);
    const { plateEditedAt } = (await visitRow(visit.id)) ?? {};
    expect((await feedOf(siteId, n + 5)).changes).toMatchObject([
      { n: plateEditedAt, change: { kind: 'visit-edit' } },
    ]);
    expect(await skipAhead(feeds.db, siteId, { n: n + 1, mark: OTHER })).toBe(false);
  });
});
