import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import fc from 'fast-check';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import {
  cloudAnswer,
  createCloudWorld,
  createEdgeWorld,
  type EdgeWorld,
  edgeAnswer,
  visitId,
  visitsAtEdge,
  visitsInCloud,
  type World,
} from './two-worlds.ts';

/** Each history is some hundred calls of the API. */
const PATIENCE_MS = 240_000;
const MAX_DRIVING_MS = 60_000;

/** A plate without a customer, a billed customer's, a customer's with a quota, and one with neither. */
const PLATES = ['NOBDY1', 'BILLD2', 'QUOTA3', 'OTHER4'] as const;
const RENAMED = 'XWVYT9';

const TARIFF = {
  bands: [{ steps: [{ kind: 'each', priceMinor: 150, everyMinutes: 30 }] }],
  entryGraceMinutes: 5,
  exitGraceMinutes: 20,
};

/** Most things happen to one car. */
const plate = fc.oneof(
  { weight: 3, arbitrary: fc.constant(PLATES[0]) },
  { weight: 2, arbitrary: fc.constantFrom(...PLATES) },
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('in' as const), plate }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('out' as const), plate }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(4 * MINUTE_MS, 25 * MINUTE_MS, 3 * HOUR_MS, 25 * HOUR_MS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      plate,
      by: fc.constantFrom('kiosk', 'whitelisted', 'void', 'owner-invoice', 'company-invoice'),
      closes: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      plate,
      status: fc.constantFrom('new', 'need-payment', 'completed'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rename' as const), plate }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('start' as const),
      plate,
      hours: fc.integer({ max: 30, min: -2 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('permit' as const), plate, hours: fc.nat(30) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('flag' as const),
      plate,
      flag: fc.constantFrom('clock-set' as const, 'payment-unknown' as const),
      raised: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('review' as const), plate }) },
);
/** Long enough for cars to come, to be billed and to come back. */
const history = fc.array(step, { minLength: 12, maxLength: 24, size: 'max' });
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const open: World[] = [];
afterEach(async () => {
  for (const world of open.splice(0)) await world.close();
});

/** The same offices on both sides: prices, customers, custody, quotas. */
async function setUp({ api }: World, withTariff: boolean): Promise<void> {
  const product = { currency: 'ISK', vehicleCategory: 'light', productCode: 'P', name: { is: 'Stæði' } };
  const config = withTariff ? { config: { tariff: TARIFF } } : {};
  await api.made('/products', { ...product, ...config, type: 'default', price: 500 });
  const billed = await api.made('/customers', {
    customer: { name: 'A', language: 'is', options: { billingMethod: 'monthly' } },
  });
  const prepaid = await api.made('/customers', { customer: { name: 'B', language: 'is' } });
  const quota = await api.made('/products', { ...product, type: 'quota', price: 300 });
  await api.made('/quotas', { customer: prepaid.id, product: quota.id, quantity: 3 });
  const dateFrom = '2026-01-01T00:00:00.000Z';
  await api.call('POST', '/custodians', { body: { plate: PLATES[1], customerId: billed.id, dateFrom } });
  await api.call('POST', '/custodians', { body: { plate: PLATES[2], customerId: prepaid.id, dateFrom } });
  // A car that is held turns back before the next step: an edge decides about waiting cars again by itself, while the
  // cloud decides only when a camera posts.
  await api.call('PUT', `/sites/${api.site.id}`, { body: { settings: { exitWaitMinutes: 1 } } });
}

/**
 * An act of a person in the office. @returns the status of the answer; null: there is no record of that kind
 */
async function office({ api }: World, done: Step): Promise<number | null> {
  if (!('plate' in done)) return null;
  const id = await visitId(api, done.plate);
  if (id === null) return null;
  const reason = 'so it was';
  const put = async (body: object) =>
    (await api.call('PUT', `/visit/${id}`, { body: { ...body, reason } })).status;
  switch (done.kind) {
    case 'settle':
      return await put({ paymentStatus: done.by, ...(done.closes && { status: 'completed' }) });
    case 'edit':
      return await put({ status: done.status });
    case 'start': {
      const { startedOn } = z
        .looseObject({ startedOn: z.string() })
        .parse((await api.call('GET', `/visit/${id}`)).body);
      return await put({ startedOn: new Date(Date.parse(startedOn) - done.hours * HOUR_MS).toISOString() });
    }
    case 'rename':
      return await put({ plate: RENAMED });
    case 'permit': {
      const expire = new Date(Date.parse(api.now()) + done.hours * HOUR_MS).toISOString();
      const body = { plate: done.plate, reason, type: 'time', activeFrom: api.now(), expireOn: expire };
      return (await api.call('POST', '/visit/whitelist', { body })).status;
    }
    case 'review':
      return (await api.call('POST', `/visit/${id}/reviewed`, { body: { reason } })).status;
    default:
      return null;
  }
}

async function live(edge: EdgeWorld, cloud: World, done: Step): Promise<void> {
  const worlds = [edge, cloud];
  switch (done.kind) {
    case 'wait':
      for (const world of worlds) world.wait(done.ms);
      return;
    case 'in':
    case 'out': {
      const reasons = [];
      for (const world of worlds) reasons.push(await world.read(done.kind, done.plate));
      expect(reasons[1]).toBe(reasons[0]);
      break;
    }
    case 'flag':
      for (const world of worlds) await world.flag(done.plate, done.flag, done.raised);
      break;
    default: {
      const statuses = [];
      for (const world of worlds) statuses.push(await office(world, done));
      expect(statuses[1]).toBe(statuses[0]);
      // The cloud has changed it, and the edge has received it: both have the same before the edge reports.
      await edge.down();
      expect(visitsAtEdge(edge)).toEqual(await visitsInCloud(edge.api));
    }
  }
  for (const world of worlds) world.wait(2 * MINUTE_MS);
}

it(
  'edge and cloud decide, price, settle and edit alike, whatever happened before',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), history, async (withTariff, steps) => {
        const edge = await createEdgeWorld();
        const cloud = await createCloudWorld();
        open.push(edge, cloud);
        const kiosks = { edge: await edge.api.roleToken('kiosk'), cloud: await cloud.api.roleToken('kiosk') };
        for (const world of [edge, cloud]) await setUp(world, withTariff);
        await edge.meet();
        for (const done of steps) {
          await live(edge, cloud, done);
          await edge.meet();
          const atEdge = visitsAtEdge(edge);
          expect(await visitsInCloud(edge.api)).toEqual(atEdge);
          expect(await visitsInCloud(cloud.api)).toEqual(atEdge);
          for (const one of [...PLATES, RENAMED]) {
            const reported = edgeAnswer(edge, one);
            expect(await cloudAnswer(edge.api, kiosks.edge, one)).toEqual(reported);
            expect(await cloudAnswer(cloud.api, kiosks.cloud, one)).toEqual(reported);
          }
        }
        for (const world of open.splice(0)) await world.close();
      }),
      // A busy machine drives fewer of them.
      { numRuns: 12, interruptAfterTimeLimit: MAX_DRIVING_MS },
    );
  },
  PATIENCE_MS,
);
