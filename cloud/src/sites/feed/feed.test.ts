import type { SiteChangeBody } from '@hlid/protocol/site-link/site-change';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NOW, noPermit, permit, useFeeds } from '../../../test/feed.ts';
import { sampleVisit } from '../../../test/sample-events.ts';
import { publishChange } from '../../records/feed/publish-change.ts';
import { compactFeed } from './compact-feed.ts';
import { readFeed } from './read-feed.ts';
import { skipAhead } from './skip-ahead.ts';

const feeds = useFeeds();
const { newSite, publish, feedOf, listsOf, snapshotOf } = feeds;

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
    await feeds.db.write(async (tx) => {
      for (let at = 0; at < 1001; at++) await publishChange(tx, 'all', permit(`p${at}`));
    });
    const siteId = await newSite();
    expect(await readFeed(feeds.db, siteId, 0, 10)).toEqual({ ok: false, reason: 'compacted' });
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
    const failed = feeds.db.write(async (tx) => {
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
            const reported = await listsOf(siteId);
            const { head } = await feedOf(siteId);
            const snapshot = await snapshotOf(siteId);
            expect(reported.hash).toBe(head.hash);
            expect(snapshot.head).toMatchObject({ n: head.n, hash: head.hash });
            expect(snapshot.lists.hash).toBe(head.hash);
          }
        },
      ),
      { numRuns: 20 },
    );
  });
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

  it('is deleted once compacted, and for a site with a later mark than the cloud', async () => {
    const siteId = await newSite();
    for (let at = 0; at < 5; at++) await publish(siteId, permit(`p${at}`));
    await compactFeed(feeds.db, siteId, 2);
    const gone = { ok: false, reason: 'compacted' };
    expect(await readFeed(feeds.db, siteId, 3, 10)).toEqual(gone);
    expect((await feedOf(siteId, 4)).changes.map(({ n }) => n)).toEqual([5, 6]);
    expect(await readFeed(feeds.db, siteId, 7, 10)).toEqual(gone);
    expect((await snapshotOf(siteId)).end.lines).toBe(6);
  });

  it('skips ahead of a site that knows of changes which this database has forgotten', async () => {
    const siteId = await newSite();
    expect(await skipAhead(feeds.db, siteId, { n: 1, mark: null })).toBe(false);
    expect(await skipAhead(feeds.db, siteId, { n: 40, mark: null })).toBe(true);
    expect(await readFeed(feeds.db, siteId, 40, 10)).toEqual({ ok: false, reason: 'compacted' });
    expect((await snapshotOf(siteId)).head.n).toBe(41);
    expect(await publish(siteId, permit('p1'))).toBe(42);
  });
});
