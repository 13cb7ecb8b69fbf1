import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type LinkedSite, startLinkedSite } from '../harness/linked-site.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { addCompany, drive, edit, emptySite } from './busy-site.ts';
import { checkVisits, cloudVisits, siteVisits } from './linked-books.ts';

let linked: LinkedSite;
beforeEach(async () => {
  linked = await startLinkedSite();
});
afterEach(() => linked?.stop());

const reasons = () =>
  linked
    .site()
    .events()
    .flatMap(({ body }) => (body.type === 'passage.decided' ? [body.decision.reason] : []));
const openInCloud = () => cloudVisits(linked).filter(({ endedAt }) => endedAt === null);

describe('a new disk in the gateway', () => {
  it.each([1, 2, 3])('takes over the open visits at a random moment of a busy day (%i)', async (seed) => {
    const random = seededRandom(seed);
    await addCompany(linked);
    await linked.settled();
    await drive(linked, random, random.between(10, 40));
    await linked.settled();
    await edit(linked, random);
    if (random.chance(0.5)) await linked.settled();
    const movements = () =>
      linked.cloudDb((db) => db.prepare('SELECT count(*) FROM gate_movement').pluck().all()[0]);
    const moved = Number(movements());

    await linked.loseDisk();
    const pulses = () => Object.values(linked.site().gates).reduce((sum, gate) => sum + gate.pulses, 0);
    await linked.settled();
    const open = openInCloud();
    expect(open.length).toBeGreaterThan(1);
    const here = siteVisits(linked.site());
    expect(here.filter(({ endedAt }) => endedAt === null)).toEqual(open);
    expect(pulses()).toBe(0);
    checkVisits(linked);

    await drive(linked, random, 30);
    await emptySite(linked);
    await linked.settled();
    checkVisits(linked);
    expect(openInCloud().filter(({ plate }) => plate !== null)).toEqual([]);
    // Each car that was inside has left with its own visit.
    expect(reasons()).not.toContain('unknown-visit');
    for (const { id } of open.filter(({ plate }) => plate !== null)) {
      expect(cloudVisits(linked).find((visit) => visit.id === id)?.endedAt).not.toBeNull();
    }
    expect(movements()).toBe(moved + pulses());
  });

  it('lets a car leave on what it has paid, and bills another for the time since it came', async () => {
    await linked.site().read('in-1', 'PAID11');
    linked.wait(60_000);
    await linked.site().read('in-1', 'OWES22');
    linked.wait(HOUR_MS);
    await linked.settled();
    const paid = openInCloud().find(({ plate }) => plate === 'PAID11');
    await linked.operator().settle(paid?.id ?? '', 'kiosk', 'paid');
    // The old disk never received it.
    await linked.loseDisk();
    await linked.settled();
    await linked.site().read('out-1', 'PAID11');
    expect(linked.site().gates['out-1'].pulses).toBe(1);
    linked.wait(60_000);
    await linked.site().read('out-1', 'OWES22');
    expect(linked.site().gates['out-1'].pulses).toBe(1);
    await linked.settled();
    expect(cloudVisits(linked)).toMatchObject([
      { plate: 'PAID11', paymentStatus: 'kiosk', unitsMet: 1, status: 'completed' },
      { plate: 'OWES22', status: 'need-payment', due: 500, endedAt: null },
    ]);
    checkVisits(linked);
  });

  it('flags a visit whose end never reached the cloud when its car comes again, and bills nothing', async () => {
    await linked.site().read('in-1', 'GONE11');
    linked.wait(HOUR_MS);
    await linked.settled();
    await linked.unlink();
    await linked.site().read('out-1', 'GONE11');
    await linked.loseDisk();
    await linked.settled();
    linked.wait(HOUR_MS);
    await linked.site().read('in-1', 'GONE11');
    await linked.settled();
    expect(cloudVisits(linked)).toMatchObject([
      { plate: 'GONE11', flags: ['lost-exit'], paymentStatus: null, due: null },
      { plate: 'GONE11', endedAt: null, flags: [] },
    ]);
    checkVisits(linked);
  });

  it('works before it reaches the cloud: no car is inside twice, and no visit that has ended is open', async () => {
    for (const plate of ['STAYS1', 'LEAVES', 'RETURN']) {
      await linked.site().read('in-1', plate);
      linked.wait(300_000);
    }
    await linked.settled();
    await linked.loseDisk();
    linked.wait(HOUR_MS);
    await linked.site().read('out-1', 'LEAVES');
    expect(linked.site().gates['out-1'].pulses).toBe(1);
    linked.wait(HOUR_MS);
    await linked.site().read('in-1', 'RETURN');
    await linked.settled();
    checkVisits(linked);
    const visits = cloudVisits(linked);
    expect(visits.filter(({ plate }) => plate === 'RETURN')).toMatchObject([
      { flags: ['lost-exit'], paymentStatus: null },
      { endedAt: null },
    ]);
    expect(visits.find(({ plate }) => plate === 'LEAVES')).toMatchObject({ flags: ['lost-exit'], due: null });
    expect(visits.find(({ plate }) => plate === 'STAYS1')).toMatchObject({ endedAt: null, flags: [] });
  });

  it('restores no visit that a person began and that has ended', async () => {
    const startedOn = linked.now();
    await linked
      .operator()
      .ask('POST', '/visits', { startedOn, plate: 'HAND11', reason: 'by the back door' });
    await linked.settled();
    linked.wait(600_000);
    await linked.site().read('out-1', 'HAND11');
    await linked.settled();
    expect(openInCloud()).toEqual([]);
    await linked.loseDisk();
    await linked.settled();
    expect(openInCloud()).toEqual([]);
    expect(siteVisits(linked.site())).toEqual([]);
  });
});
