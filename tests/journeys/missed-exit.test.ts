import { matchingRun } from '@hlid/cloud/stays/matching/matching-run';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { type PairedSite, pairSite } from '../harness/paired-site.ts';

const ListSchema = z.object({
  data: z.array(z.looseObject({ id: z.string(), visitId: z.string(), state: z.string() })),
});

let pair: PairedSite;
beforeEach(async () => {
  pair = await pairSite();
  const { api } = pair;
  const product = { price: 500, currency: 'ISK', vehicleCategory: 'light', productCode: 'P' };
  await api.made('/products', { type: 'default', ...product });
  await api.call('PUT', `/sites/${api.site.id}`, { body: { settings: { matchesExits: true } } });
  await pair.meet();
});
afterEach(() => pair.close());

async function proposals() {
  return ListSchema.parse((await pair.api.call('GET', '/matching/proposals')).body).data;
}

/** The visit as its site has it, without what a price was computed at. */
function atSite(id: string) {
  const visit = pair.site.visits().find((one) => one.id === id);
  if (visit === undefined) throw new Error(`the site has no visit ${id}`);
  return visit;
}

async function judge(id: string, act: 'accept' | 'undo'): Promise<void> {
  const answer = await pair.api.call('POST', `/matching/proposals/${id}/${act}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(303);
  await pair.meet();
}

it('the solver proposes, a person accepts and undoes, and the site has the same of it all the time', async () => {
  const { api, site } = pair;
  await site.read('in-1', 'KZD82');
  pair.wait(2 * HOUR_MS);
  // Two characters are misread: no rule of the gate finds its visit.
  await site.read('out-1', 'KX0B2');
  const leftAt = site.now();
  pair.wait(30 * MINUTE_MS);
  await pair.meet();
  const [stay] = site.visits();
  const id = stay?.id ?? '';
  const before = atSite(id);
  expect(before.endedAt).toBeNull();

  const run = matchingRun(api.db);
  const work = async () => {
    await run.work({ now: api.now(), signal: new AbortController().signal });
    await pair.meet();
  };
  await work();
  const [proposed] = await proposals();
  expect(proposed).toMatchObject({ state: 'open', visitId: id, visitPlate: 'KZD82', cost: { amount: 500 } });
  expect(atSite(id)).toEqual(before);

  await judge(proposed?.id ?? '', 'accept');
  expect(atSite(id)).toMatchObject({
    status: 'need-payment',
    endedAt: expect.stringContaining(leftAt.slice(0, 16)),
  });
  expect(atSite(id).price?.amountMinor).toBe(500);

  await judge(proposed?.id ?? '', 'undo');
  expect(atSite(id)).toEqual(before);
  await work();
  expect(await proposals()).toMatchObject([{ id: proposed?.id, state: 'open' }]);

  // The car is inside after all, and leaves by its own plate.
  await site.read('out-1', 'KZD82');
  await pair.meet();
  expect(atSite(id)).toMatchObject({ status: 'need-payment', plate: 'KZD82' });
});
