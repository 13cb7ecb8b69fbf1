import { describe, expect, it } from 'vitest';
import { Lists, NOW, noPermit, permit, useFeeds } from '../../../test/feed.ts';
import { sampleVisit } from '../../../test/sample-events.ts';
import { publishChange } from '../../records/feed/publish-change.ts';
import { settlementTable, visitTable } from '../../records/visits/visit-table.ts';
import { compactFeed } from './compact-feed.ts';

const feeds = useFeeds();
const { newSite, publish, feedOf, snapshotOf } = feeds;

describe('a snapshot', () => {
  /** 1200 permits, every other one of the site's own. */
  async function manyPermits(): Promise<string> {
    const siteId = await newSite();
    await feeds.db.write(async (tx) => {
      for (let at = 0; at < 1200; at++)
        await publishChange(tx, at % 2 === 0 ? 'all' : siteId, permit(idOf(at)));
    });
    return siteId;
  }
  const idOf = (at: number) => `p${String(at).padStart(4, '0')}`;

  it('adds up while changes go on, and the feed continues from it', async () => {
    const siteId = await manyPermits();
    const snapshot = await snapshotOf(siteId, {
      onPiece: async (written) => {
        if (written > 5) return;
        // Behind the place that was reached, and before it.
        await publish('all', permit(idOf(written * 7), `NEW${written}`));
        await publish(siteId, noPermit(idOf(1190 - written * 11)));
        await publish(siteId, permit(`new-${written}`));
      },
    });
    expect(snapshot.lists.hash).toBe(snapshot.head.hash);
    expect(snapshot.end.lines).toBe(snapshot.lines.length);
    expect(snapshot.lines.filter(({ kind }) => kind === 'change').length > 0).toBe(true);
    const { changes: reported, head } = await feedOf(siteId, snapshot.head.n);
    expect(reported).toEqual([]);
    snapshot.lists.apply(reported);
    expect(snapshot.lists.hash).toBe(head.hash);
  });

  it('goes on where it was cut off, with what has changed since it began', async () => {
    const siteId = await manyPermits();
    const lists = new Lists();
    const begun = (await feedOf(siteId)).head.n;
    const whole = await snapshotOf(siteId);
    const got = whole.lines.slice(0, 700);
    for (const line of got) lists.take(line);
    const last = got.at(-1);
    if (last?.kind !== 'permit') throw new Error('the first 700 items end among the permits');
    await publish('all', permit(idOf(3), 'NEW'));
    await publish(siteId, noPermit(idOf(5)));
    const from = { since: begun, after: { kind: last.kind, id: last.id } };
    const rest = await snapshotOf(siteId, { from });
    expect(rest.end.lines).toBe(1201 - 700 + 2);
    for (const line of rest.lines) lists.take(line);
    expect(lists.hash).toBe(rest.head.hash);
    await compactFeed(feeds.db, siteId, 0);
    await expect(snapshotOf(siteId, { from })).rejects.toThrow('gone');
  });

  it('holds the settlements of visits that may still come to an exit', async () => {
    const siteId = await newSite();
    const [open, left] = [sampleVisit(), sampleVisit({ status: 'completed', endedAt: NOW })];
    await feeds.db.write(async ({ q }) => {
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
          feedN: 1,
        });
      }
    });
    const { lines } = await snapshotOf(siteId);
    expect(lines.filter((line) => line.kind === 'settlement')).toMatchObject([
      { id: open.id, item: { visitId: open.id, units: 1 } },
    ]);
  });

  it('is followed by edits of visits once more, as one, if the site has not confirmed them', async () => {
    const siteId = await newSite();
    const [edited, received] = [sampleVisit(), sampleVisit()];
    await feeds.db.write(async (tx) => {
      for (const { price: _, ...visit } of [edited, received]) {
        const feedAt = visit.id === received.id ? 5 : 0;
        await tx.q.insert(visitTable).values({ ...visit, siteId, feedAt, modifiedAt: NOW });
      }
      const edits = [
        { visitId: edited.id, plate: 'ABX13' },
        { visitId: edited.id, status: 'need-payment' as const },
        { visitId: received.id, plate: 'ABX14' },
      ];
      for (const fields of edits) {
        const id = crypto.randomUUID();
        const item = { id, reason: 'misread', by: 'account:1', at: NOW, ...fields };
        await publishChange(tx, siteId, { kind: 'visit-edit', op: 'put', id, item });
      }
    });
    await compactFeed(feeds.db, siteId, 0);
    const { head } = await snapshotOf(siteId, { siteHolds: 1 });
    expect(head.n).toBe(4);
    const { changes } = await feedOf(siteId, head.n);
    expect(changes).toMatchObject([
      {
        n: 5,
        change: { kind: 'visit-edit', item: { visitId: edited.id, plate: 'ABX13', status: 'need-payment' } },
      },
    ]);
    const rows = await feeds.db.read(async (q) => await q.select().from(visitTable));
    expect(rows.find(({ id }) => id === edited.id)).toMatchObject({ plateEditedAt: 5, statusEditedAt: 5 });
  });
});
