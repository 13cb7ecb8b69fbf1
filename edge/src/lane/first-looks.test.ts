import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';

let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  site = createTestSite();
});
afterEach(() => site.close());

/** Three plates in two seconds, the right one last and read again. */
async function looks(lane: 'in-1' | 'out-1', [first = '', second = '', last = '']: readonly string[]) {
  await site.read(lane, first, { score: 1 });
  site.wait(900);
  await site.read(lane, second, { score: 0.99 });
  site.wait(1200);
  await site.read(lane, last, { score: 0.98 });
  site.wait(800);
  await site.read(lane, last, { score: 0.97 });
}

it('lets one car in, once, by its last and best look', async () => {
  await looks('in-1', ['K183JF', 'N656XH', 'K197GB']);
  expect(site.gates['in-1'].pulses).toBe(1);
  expect(site.visits()).toMatchObject([{ plate: 'K197GB', endedAt: null }]);
});

it('takes the last of three looks of which no two agree', async () => {
  await site.read('in-1', 'K183JF', { score: 1 });
  site.wait(900);
  await site.read('in-1', 'N656XH', { score: 0.99 });
  site.wait(1200);
  await site.read('in-1', 'K197GB', { score: 0.98 });
  expect(site.visits()).toMatchObject([{ plate: 'K197GB' }]);
});

it('does not end the paid visit of a stranger for good', async () => {
  await site.price();
  await site.read('in-1', 'K183JF');
  site.wait(60_000);
  await site.read('in-2', 'K197GB');
  site.wait(HOUR_MS);
  const [stranger, own] = site.visits();
  for (const visit of [stranger, own]) {
    const id = `01a1fc93-bdd6-7682-9b18-8dd0566e24${visit === own ? '01' : '02'}`;
    const money = { amountMinor: 500, currency: 'ISK', units: 1 };
    const settled = { paymentStatus: 'kiosk' as const, settledAt: site.now(), by: 'account:1' };
    const item = { id, visitId: String(visit?.id), ...money, ...settled };
    await site.change({ kind: 'settlement', op: 'put', id, item });
  }
  await looks('out-1', ['K183JF', 'N656XH', 'K197GB']);
  expect(site.gates['out-1'].pulses).toBe(1);
  const [kept, left] = site.visits();
  expect(kept).toMatchObject({
    plate: 'K183JF',
    status: 'new',
    endedAt: null,
    exitLaneId: null,
    paymentStatus: 'kiosk',
  });
  expect(left).toMatchObject({ plate: 'K197GB', status: 'completed', exitLaneId: 'out-1' });
  site.wait(60_000);
  await site.read('out-2', 'K183JF');
  expect(site.visits()[0]).toMatchObject({ status: 'completed', exitLaneId: 'out-2' });
});

it('leaves a visit ended that one more stray look would open again', async () => {
  await site.price();
  await site.read('in-1', 'K197GB');
  site.wait(60_000);
  await site.read('out-1', 'K197GB');
  site.wait(900);
  await site.read('out-1', 'HERTZ');
  expect(site.visits()).toMatchObject([{ plate: 'K197GB', status: 'completed' }]);
});

it.each([
  ['two plates in one picture', 0, 1],
  ['another car after a plate that was read twice', 900, 2],
  ['another car when there is time for one', 4000, 1],
])('has two cars of %s', async (_what, pauseMs, times) => {
  for (let read = 0; read < times; read++) await site.read('in-1', 'K183JF');
  site.wait(pauseMs);
  await site.read('in-1', 'N656XH');
  expect(site.visits().map(({ plate }) => plate)).toEqual(['K183JF', 'N656XH']);
});

describe('two cars within the time of one', () => {
  const AT_GATE = { x: 400, y: 400, width: 120, height: 36 };
  const BEHIND = { x: 760, y: 150, width: 60, height: 18 };

  it.each([
    ['after the gate was opened', true],
    ['before a gate that stays closed', false],
  ])('are told apart by a loop that was free between them, %s', async (_, opens) => {
    site.close();
    site = createTestSite({ withLoops: true });
    const lane = opens ? 'in-1' : 'out-1';
    const { arrival } = site.loops[lane];
    arrival.set(true);
    await site.read(lane, 'K183JF');
    site.wait(700);
    arrival.set(false);
    site.wait(600);
    arrival.set(true);
    site.wait(200);
    await site.read(lane, 'N656XH');
    const passages = site.core.lanes
      .get(lane)
      ?.view()
      .passages.map(({ plate }) => plate);
    expect(passages).toEqual(['N656XH', 'K183JF']);
  });

  it('are one where the loop is occupied all the time', async () => {
    site.close();
    site = createTestSite({ withLoops: true });
    site.loops['in-1'].arrival.set(true);
    await looks('in-1', ['K183JF', 'N656XH', 'K197GB']);
    expect(site.visits()).toMatchObject([{ plate: 'K197GB' }]);
  });

  it('are told apart where one drove through behind the other', async () => {
    site.close();
    site = createTestSite({ withLoops: true });
    const { arrival, passed } = site.loops['in-1'];
    await site.read('in-1', 'K183JF');
    for (let car = 0; car < 2; car++) {
      arrival.set(true);
      site.wait(300);
      arrival.set(false);
      passed.set(true);
      site.wait(300);
      passed.set(false);
    }
    await site.read('in-1', 'N656XH');
    expect(site.alerts()).toEqual(['tailgating']);
    expect(site.visits().map(({ plate }) => plate)).toEqual(['K183JF', 'N656XH']);
  });

  it.each([
    ['quite another plate', 'N656XH'],
    ['a plate that is near', 'K183JE'],
  ])('are told apart by two plates far apart in one picture: %s', async (_, other) => {
    for (let picture = 0; picture < 3; picture++) {
      await site.read('in-1', 'K183JF', { box: AT_GATE });
      await site.read('in-1', other, { box: BEHIND });
      site.wait(900);
    }
    expect(site.visits().map(({ plate }) => plate)).toEqual(['K183JF', other]);
  });

  it('are one where two readings stand at one place of the picture', async () => {
    await site.read('in-1', 'K183JF', { box: AT_GATE, score: 0.9 });
    await site.read('in-1', 'N656XH', { box: AT_GATE, score: 0.95 });
    expect(site.visits()).toMatchObject([{ plate: 'N656XH' }]);
  });
});
