import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LinkedSite, startLinkedSite } from '../harness/linked-site.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { addCompany, drive, edit, emptySite } from './busy-site.ts';
import { checkVisits, cloudVisits, siteVisits } from './linked-books.ts';

let linked: LinkedSite;
beforeEach(async () => {
  linked = await startLinkedSite({ settings: { invoicesOwners: true } });
});
afterEach(() => linked?.stop());

const counted = (table: string) =>
  linked.cloudDb((db) => Number(db.prepare(`SELECT count(*) FROM ${table}`).pluck().all()[0]));
const invoices = () =>
  linked.cloudDb((db) => db.prepare('SELECT cause, amount_minor FROM invoice ORDER BY cause').all());

describe('a cloud restored from a backup', () => {
  it.each([1, 2, 3])('receives every event again, once, at a random moment (%i)', async (seed) => {
    const random = seededRandom(200 + seed);
    await addCompany(linked);
    await linked.settled();
    await drive(linked, random, random.between(5, 30));
    if (random.chance(0.5)) await linked.settled();
    const backup = linked.copyCloud();
    await drive(linked, random, random.between(20, 60));
    if (random.chance(0.7)) await edit(linked, random);
    await linked.settled();
    const tables = ['photo', 'passage_decision', 'gate_movement'];
    const before = tables.map(counted);

    await linked.restartCloud(backup);
    await drive(linked, random, 5);
    // The edits come before the site is back, with as many numbers as were forgotten, or fewer, or more.
    for (let edits = random.between(0, 6); edits > 0; edits--) await edit(linked, random);
    await linked.settled();
    if (random.chance(0.5)) await edit(linked, random);
    await linked.settled();
    for (const [at, table] of tables.entries())
      expect(counted(table)).toBeGreaterThanOrEqual(before[at] ?? 0);
    expect(counted('photo')).toBe(linked.site().reads().length);
    expect(cloudVisits(linked)).toEqual(siteVisits(linked.site()));
    checkVisits(linked);

    await emptySite(linked);
    await linked.settled();
    expect(cloudVisits(linked)).toEqual(siteVisits(linked.site()));
    checkVisits(linked);
  });

  it('has each invoice of the site once, and the settlements that the site made that day', async () => {
    await linked.site().read('in-1', 'OWNER1');
    linked.wait(60_000);
    await linked.site().read('in-1', 'KIOSK2');
    linked.wait(HOUR_MS);
    await linked.settled();
    const backup = linked.copyCloud();
    // OWNER1's owner gets an invoice at the exit; the cloud forgets the other car's payment, and the site
    // does not.
    await linked.site().read('out-1', 'OWNER1');
    await linked.settled();
    const made = invoices();
    expect(made).toHaveLength(1);
    const kiosk = cloudVisits(linked).find(({ plate }) => plate === 'KIOSK2');
    await linked.operator().settle(kiosk?.id ?? '', 'kiosk', 'paid online');
    await linked.settled();

    await linked.restartCloud(backup);
    await linked.settled();
    expect(invoices()).toEqual(made);
    expect(cloudVisits(linked).find(({ plate }) => plate === 'KIOSK2')).toMatchObject({
      paymentStatus: 'kiosk',
      unitsMet: 1,
    });
    linked.wait(60_000);
    await linked.site().read('out-1', 'KIOSK2');
    expect(linked.site().gates['out-1'].pulses).toBe(2);
    await linked.settled();
    expect(invoices()).toEqual(made);
    checkVisits(linked);
  });

  it('keeps what a person changes in a visit before the site is back, though the numbers were used before', async () => {
    await linked.site().read('in-1', 'WRONG1');
    linked.wait(60_000);
    await linked.site().read('in-1', 'OTHER2');
    await linked.settled();
    const backup = linked.copyCloud();
    for (let n = 0; n < 5; n++) await linked.operator().addPermit(`LOST${n}`);
    linked.wait(HOUR_MS);
    await linked.site().read('out-1', 'OTHER2');
    await linked.settled();
    await linked.unlink();

    await linked.restartCloud(backup);
    const [wrong, other] = cloudVisits(linked);
    const operator = linked.operator();
    await operator.ask('PUT', `/visit/${wrong?.id}`, { plate: 'RIGHT1', reason: 'seen in the picture' });
    await operator.settle(wrong?.id ?? '', 'kiosk', 'paid at the office');
    expect(other?.plate).toBe('OTHER2');
    await linked.settled();
    await linked.settled();
    expect(cloudVisits(linked)).toEqual(siteVisits(linked.site()));
    expect(cloudVisits(linked)).toMatchObject([
      { plate: 'RIGHT1', paymentStatus: 'kiosk', unitsMet: 1, endedAt: null },
      { plate: 'OTHER2', status: 'completed' },
    ]);
    expect(linked.site().core.feed.position().n).toBeGreaterThan(5);
    checkVisits(linked);
  });

  it("receives what the site still has when it is older than the site's event log", async () => {
    const backup = linked.copyCloud();
    await linked.site().read('in-1', 'STAYS1');
    linked.wait(300_000);
    await linked.site().read('in-1', 'LEFT22');
    linked.wait(300_000);
    await linked.site().read('out-1', 'LEFT22');
    await linked.settled();
    // A month later the first car's events are forgotten, and it is still inside.
    const { db } = linked.site();
    db.prepare('DELETE FROM event WHERE seq <= 4').run();
    await linked.restartCloud(backup);
    await linked.settled();
    checkVisits(linked);
    expect(cloudVisits(linked)).toMatchObject([
      { plate: 'STAYS1', endedAt: null },
      { plate: 'LEFT22', status: 'completed' },
    ]);
  });
});
