import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LinkedSite, startLinkedSite } from '../harness/linked-site.ts';
import { waitFor } from '../harness/wait.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { addCompany, drive, edit, emptySite } from './busy-site.ts';
import { checkVisits, cloudVisits, siteVisits } from './linked-books.ts';

let linked: LinkedSite;
beforeEach(async () => {
  linked = await startLinkedSite();
});
afterEach(() => linked?.stop());

const epochs = () =>
  linked.cloudDb((db) => db.prepare('SELECT epoch FROM event_cursor ORDER BY ordinal').pluck().all());
const decided = () =>
  linked.cloudDb((db) => db.prepare('SELECT count(*) FROM passage_decision').pluck().all()[0]);
const decidedTwice = () =>
  linked.cloudDb((db) =>
    db
      .prepare('SELECT passage_id FROM passage_decision GROUP BY passage_id, at, reason HAVING count(*) > 1')
      .all(),
  );

describe("a restored old copy of the edge's database", () => {
  it.each([1, 2, 3])('begins a new epoch, and the books agree (%i)', async (seed) => {
    const random = seededRandom(100 + seed);
    await addCompany(linked);
    await linked.settled();
    await drive(linked, random, random.between(10, 30));
    if (random.chance(0.7)) await linked.settled();
    const copy = linked.copySite();
    await linked.settled();
    await drive(linked, random, random.between(5, 40));
    await edit(linked, random);
    await linked.settled();
    const before = Number(decided());

    await linked.putBackSite(copy);
    // Longer or shorter than what was lost: its numbers may go beyond those that the cloud has, with other events.
    const first = linked.site().events().length;
    const offline = random.between(0, 60);
    await drive(linked, random, offline);
    const own = linked.site().events().slice(first);
    await linked.settled();
    expect(epochs()).toHaveLength(2);
    // No event that the copy has written itself is lost, and none is sent twice.
    const reported = linked.site().events();
    expect(reported.slice(0, own.length).map(({ body }) => body)).toEqual(own.map(({ body }) => body));
    expect(decided()).toBe(before + reported.filter(({ body }) => body.type === 'passage.decided').length);
    checkVisits(linked);

    await drive(linked, random, 20);
    await emptySite(linked);
    await linked.settled();
    checkVisits(linked);
    expect(epochs()).toHaveLength(2);
  });

  it('has the visits that began and ended meanwhile', async () => {
    await linked.site().read('in-1', 'LEFT11');
    linked.wait(HOUR_MS);
    await linked.settled();
    const copy = linked.copySite();
    const left = cloudVisits(linked)[0]?.id ?? '';
    await linked.operator().settle(left, 'kiosk', 'paid');
    await linked.settled();
    await linked.site().read('out-1', 'LEFT11');
    linked.wait(60_000);
    await linked.site().read('in-1', 'CAME22');
    linked.wait(HOUR_MS);
    await linked.settled();

    await linked.putBackSite(copy);
    await linked.settled();
    checkVisits(linked);
    expect(siteVisits(linked.site()).filter(({ endedAt }) => endedAt === null)).toMatchObject([
      { plate: 'CAME22' },
    ]);
    linked.wait(DAY_MS);
    await linked.site().read('out-1', 'CAME22');
    expect(linked.site().gates['out-1'].pulses).toBe(0);
    await linked.settled();
    const [, came] = cloudVisits(linked);
    expect(came).toMatchObject({ plate: 'CAME22', status: 'need-payment', due: 1000 });
  });

  it('is recognised by its events if it has as many as the cloud', async () => {
    await linked.site().read('in-1', 'BEFORE');
    await linked.settled();
    const copy = linked.copySite();
    linked.wait(60_000);
    await linked.site().read('in-2', 'FIRST1');
    await linked.settled();
    const held = linked.site().events().length;
    await linked.putBackSite(copy);
    linked.wait(60_000);
    await linked.site().read('in-2', 'SECOND');
    expect(linked.site().events()).toHaveLength(held);
    await linked.settled();
    expect(cloudVisits(linked).map(({ plate }) => plate)).toEqual(['BEFORE', 'FIRST1', 'SECOND']);
    checkVisits(linked);
  });

  it('keeps its epoch at an ordinary restart', async () => {
    for (const plate of ['ONE111', 'TWO222']) {
      await linked.site().read('in-1', plate);
      linked.wait(300_000);
      await linked.settled();
      await linked.putBackSite(linked.copySite());
    }
    await linked.settled();
    expect(epochs()).toHaveLength(1);
    checkVisits(linked);
  });
});

describe('a disk that is put back after a new one was in use', () => {
  it('takes over what happened meanwhile', async () => {
    await linked.site().read('in-1', 'OLD111');
    await linked.settled();
    const old = linked.copySite();
    await linked.loseDisk();
    await linked.settled();
    linked.wait(600_000);
    await linked.site().read('out-1', 'OLD111');
    await linked.site().read('in-1', 'NEW222');
    await linked.settled();
    await linked.putBackSite(old);
    await linked.settled();
    expect(epochs()).toHaveLength(3);
    checkVisits(linked);
    expect(siteVisits(linked.site()).filter(({ endedAt }) => endedAt === null)).toMatchObject([
      { plate: 'NEW222' },
    ]);
    expect(linked.logged).toContain('ingest.epoch-returned');
  });
});

describe('two gateways with the credentials of one site', () => {
  it('are distinguished and reported, and do not disconnect each other in a fast loop', async () => {
    await linked.site().read('in-1', 'BOTH11');
    await linked.settled();
    const other = linked.openCopy(linked.copySite());
    const link = linked.linkOther(other);
    const links = [linked.link(), link];
    try {
      let drives = 0;
      await waitFor(
        async () => {
          for (const site of [linked.site(), other]) {
            site.wait(200_000);
            await site.read('in-2', `CAR${drives++}`);
          }
          return links.some((one) => /another gateway/.test(one.view().lastError ?? ''));
        },
        { what: 'one of them to say so', withinMs: 15_000 },
      );
      expect(linked.logged).toContain('ingest.epoch-returned');
      expect(epochs().length).toBeLessThanOrEqual(8);
      // The events of each of them are there once.
      expect(decidedTwice()).toEqual([]);
    } finally {
      await link.stop();
      other.db.close();
    }
  });
});
