import { plannedVersionRun } from '@hlid/cloud/money/products/change/begin-planned';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { priceBoard } from '@hlid/protocol/words/price-board';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import {
  cloudAnswer,
  createCloudWorld,
  createEdgeWorld,
  type EdgeWorld,
  edgeAnswer,
  visitsAtEdge,
  visitsInCloud,
  type World,
} from './two-worlds.ts';

const open: World[] = [];
afterEach(async () => {
  for (const world of open.splice(0)) await world.close();
});

/** Plans a price from the next day on. */
async function setUp({ api }: World, price: number): Promise<void> {
  const product = {
    type: 'default',
    price: 500,
    currency: 'ISK',
    vehicleCategory: 'light',
    productCode: 'P',
  };
  const { id } = await api.made('/products', product);
  const validFrom = new Date(Date.parse(api.now()) + 24 * HOUR_MS).toISOString().slice(0, 10);
  const { status, body } = await api.call('PUT', `/products/${id}`, { body: { price, validFrom } });
  expect(status).toBe(303);
  expect(z.looseObject({ price: z.int(), version: z.int() }).parse(body)).toMatchObject({
    price: 500,
    version: 1,
  });
}

/**
 * The prices that drivers read before they type a plate: at the kiosk, on the payment page and on a sign that
 * is printed now.
 */
async function pricesShown({ api, site }: EdgeWorld): Promise<string[]> {
  const kiosk = priceBoard(site.core.products(), {
    currency: 'ISK',
    entryGraceMinutes: 15,
    channel: 'kiosk',
  });
  const page = await api.call('GET', `/pay/api/sites/${api.site.code}`, { token: null });
  const online = z.object({ en: z.array(z.string()) }).parse(page.body['prices']).en;
  const headers = { authorization: `Bearer ${api.operator}` };
  const sign = await api.app.request(`/sites/${api.site.id}/pay-sign?languages=en`, { headers });
  return [kiosk?.en.join() ?? '', online.join(), await sign.text()];
}

it.each([300, 900])(
  'an edge and a cloud change to a price of %i kr. at the same moment, before and after the cloud has noted it',
  async (price) => {
    const edge = await createEdgeWorld();
    const cloud = await createCloudWorld();
    open.push(edge, cloud);
    const worlds = [edge, cloud];
    for (const world of worlds) await setUp(world, price);
    const kiosks = { edge: await edge.api.roleToken('kiosk'), cloud: await cloud.api.roleToken('kiosk') };
    await edge.meet();
    const compare = async () => {
      await edge.meet();
      const atEdge = visitsAtEdge(edge);
      expect(await visitsInCloud(edge.api)).toEqual(atEdge);
      expect(await visitsInCloud(cloud.api)).toEqual(atEdge);
      const answers = [];
      for (const plate of ['BEF01', 'AFT02']) {
        const reported = edgeAnswer(edge, plate);
        expect(await cloudAnswer(edge.api, kiosks.edge, plate)).toEqual(reported);
        expect(await cloudAnswer(cloud.api, kiosks.cloud, plate)).toEqual(reported);
        answers.push(reported);
      }
      return answers;
    };
    const wait = (ms: number) => {
      for (const world of worlds) world.wait(ms);
    };
    for (const world of worlds) await world.read('in', 'BEF01');
    wait(20 * MINUTE_MS);
    const before = await compare();
    const toMidnight =
      Date.parse(`${edge.api.now().slice(0, 10)}T23:59:00.000Z`) - Date.parse(edge.api.now());
    wait(toMidnight);
    await compare();
    for (const shown of await pricesShown(edge)) expect(shown).toMatch(/ISK.500 per started day/);
    wait(2 * MINUTE_MS);
    const now = new RegExp(`ISK.${price} per started day`);
    for (const shown of await pricesShown(edge)) expect(shown).toMatch(now);
    for (const world of worlds) await world.read('in', 'AFT02');
    wait(20 * MINUTE_MS);
    const after = await compare();
    expect(after).not.toEqual(before);
    for (const { api } of worlds) {
      const run = plannedVersionRun(api.db);
      await run.work({ now: api.now(), signal: new AbortController().signal });
    }
    expect(await compare()).toEqual(after);
    for (const world of worlds) await world.read('out', 'AFT02');
    for (const world of worlds) await world.read('out', 'BEF01');
    await compare();
  },
);
