import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type LinkedSite, startLinkedSite } from '../harness/linked-site.ts';
import { waitFor } from '../harness/wait.ts';
import { newPlate } from '../sim/plates.ts';
import { seededRandom } from '../sim/seeded-random.ts';

let linked: LinkedSite;
beforeEach(async () => {
  linked = await startLinkedSite();
});
afterEach(() => linked?.stop());

it('after an hour of traffic without the cloud, the cloud has every visit once, in order, with its own times', async () => {
  const random = seededRandom(7);
  const driven: { plate: string; startedOn: string; endedOn: string | null }[] = [];
  const site = linked.site();
  await linked.stopCloud();
  const until = Date.parse(linked.now()) + HOUR_MS;
  while (Date.parse(linked.now()) < until) {
    const plate = newPlate(random);
    if (driven.some((visit) => visit.plate === plate)) continue;
    const visit = { plate, startedOn: linked.now(), endedOn: null as string | null };
    await site.read(random.pick(['in-1', 'in-2']), plate);
    driven.push(visit);
    linked.wait(random.between(9000, 20_000));
    if (random.chance(0.5)) {
      // The visit is within the grace: it owes nothing.
      visit.endedOn = linked.now();
      await site.read(random.pick(['out-1', 'out-2']), plate);
      linked.wait(random.between(9000, 20_000));
    }
  }
  await waitFor(() => !linked.link().view().connected, { what: 'the link to be down' });
  const { events } = site.core;
  expect(events.lastSeq() - events.acknowledged()).toBeGreaterThan(driven.length * 2);

  await linked.startCloud();
  await linked.settled();
  const visits = await linked.operator().visits();
  expect(visits.map(({ plate, startedOn, endedOn }) => ({ plate, startedOn, endedOn })).toReversed()).toEqual(
    driven,
  );
});
