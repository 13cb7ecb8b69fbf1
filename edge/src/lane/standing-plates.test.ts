import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@hlid/protocol/base/durations';
import type { PlateBox } from '@hlid/protocol/plate/plate-read';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestSite } from '../../test/site.ts';

type Site = ReturnType<typeof createTestSite>;
type LaneId = Parameters<Site['read']>[0];

const ASIDE: PlateBox = { x: 610, y: 300, width: 110, height: 40 };
const AT_GATE: PlateBox = { x: 300, y: 500, width: 170, height: 60 };

let site: Site;
beforeEach(() => {
  site = createTestSite();
});
afterEach(() => site.close());

function withSite(options: Parameters<typeof createTestSite>[0]): void {
  site.close();
  site = createTestSite(options);
}

/** Reads what stands there this often and with these pauses. */
async function stands(
  lane: LaneId,
  plates: readonly string[],
  { times, everyMs, box }: { times: number; everyMs: number; box?: PlateBox },
) {
  for (let n = 0; n < times; n++) {
    site.wait(everyMs);
    await site.read(lane, plates[n % plates.length] ?? '', box ? { box } : {});
  }
}

const pulses = (lane: LaneId) => site.gates[lane].pulses;
const advices = () => site.alerts().filter((alert) => alert === 'stands-still');

describe('a car that is parked in view of an entrance', () => {
  it('has one visit and one opening, and people are advised of it once, with other cars in between', async () => {
    for (const other of ['LUV31', 'OGD88', 'XYZ98']) {
      await stands('in-1', ['NKP52'], { times: 3, everyMs: 3 * MINUTE_MS, box: ASIDE });
      site.wait(50 * SECOND_MS);
      await site.read('in-1', other, { box: AT_GATE });
    }
    expect(pulses('in-1')).toBe(4);
    expect(site.visits().map(({ plate, flags, endedAt }) => [plate, flags, endedAt])).toEqual(
      ['NKP52', 'LUV31', 'OGD88', 'XYZ98'].map((plate) => [plate, [], null]),
    );
    expect(advices()).toHaveLength(1);
    const advice = site.events().find(({ body }) => body.type === 'lane.alert');
    expect(advice?.body).toMatchObject({ alert: 'stands-still', laneId: 'in-1', plate: 'NKP52' });
    expect(site.reads().filter(({ standing }) => standing === 'parked')).toHaveLength(8);
  });

  it.each([
    ['every 10 minutes', 10 * MINUTE_MS, 1],
    ['every 3 minutes', 3 * MINUTE_MS, 1],
    // The rounds last until the gate has opened as often as for a car that stands before it.
    ['every 30 seconds', 30 * SECOND_MS, 5],
  ])('stays one visit for a day, %s', async (_what, everyMs, openings) => {
    await stands('in-1', ['NKP52'], { times: DAY_MS / everyMs, everyMs });
    expect(pulses('in-1')).toBe(openings);
    expect(site.visits()).toMatchObject([{ plate: 'NKP52', flags: [], endedAt: null }]);
    expect(advices()).toHaveLength(1);
  });

  it('is held at once where another car was let in between two reads', async () => {
    await site.read('in-1', 'NKP52');
    site.wait(20 * SECOND_MS);
    await site.read('in-1', 'LUV31');
    await stands('in-1', ['NKP52'], { times: 100, everyMs: 30 * SECOND_MS });
    expect(pulses('in-1')).toBe(2);
    expect(site.visits()).toHaveLength(2);
  });

  it('is known by one character that differs, at the same place of the picture', async () => {
    await stands('in-1', ['NKP52', 'NKP5Z', 'NKR52', 'MKP52'], {
      times: 60,
      everyMs: 3 * MINUTE_MS,
      box: ASIDE,
    });
    expect(pulses('in-1')).toBe(1);
    expect(site.visits()).toHaveLength(1);
  });

  it('is known by a doubtful reading of it where the camera does not say the place', async () => {
    await stands('in-1', ['NKP52'], { times: 2, everyMs: 3 * MINUTE_MS });
    await site.read('in-1', 'NKR52', { score: 0.8 });
    expect(pulses('in-1')).toBe(1);
  });

  it('stays known after a restart', async () => {
    await stands('in-1', ['NKP52'], { times: 3, everyMs: 3 * MINUTE_MS });
    const { folder } = site;
    const start = site.now();
    site.core.stop();
    site.db.close();
    site = createTestSite({ folder, start });
    await stands('in-1', ['NKP52'], { times: 3, everyMs: 3 * MINUTE_MS });
    expect(pulses('in-1')).toBe(0);
    expect(site.visits()).toHaveLength(1);
    expect(advices()).toHaveLength(1);
  });

  it('is one visit where the cameras of two entrances see it', async () => {
    await site.read('in-1', 'NKP52');
    for (let n = 0; n < 20; n++) {
      site.wait(5 * SECOND_MS);
      await site.read('in-2', 'NKP52');
      site.wait(3 * MINUTE_MS);
      await site.read('in-1', 'NKP52');
    }
    expect(pulses('in-1') + pulses('in-2')).toBe(1);
    expect(site.visits()).toMatchObject([{ flags: [], endedAt: null }]);
    expect(advices()).toHaveLength(2);
  });

  it('drives out like any car, and comes in again', async () => {
    await stands('in-1', ['NKP52'], { times: 5, everyMs: 3 * MINUTE_MS });
    site.wait(MINUTE_MS);
    await site.read('out-1', 'NKP52');
    expect(pulses('out-1')).toBe(1);
    expect(site.visits()).toMatchObject([{ exitLaneId: 'out-1' }]);
    site.wait(MINUTE_MS);
    await site.read('in-1', 'NKP52');
    expect(pulses('in-1')).toBe(2);
    expect(site.visits()).toHaveLength(2);
  });

  it('is let in when it really drives up, as the camera or a loop shows', async () => {
    await stands('in-1', ['NKP52'], { times: 5, everyMs: 3 * MINUTE_MS, box: ASIDE });
    site.wait(MINUTE_MS);
    await site.read('in-1', 'NKP52', { box: AT_GATE });
    expect(pulses('in-1')).toBe(2);
    withSite({ withLoops: true });
    await stands('in-1', ['NKP52'], { times: 5, everyMs: 3 * MINUTE_MS });
    site.wait(MINUTE_MS);
    site.loops['in-1'].arrival.set(true);
    await site.read('in-1', 'NKP52');
    expect(pulses('in-1')).toBe(2);
  });

  it('is held where it has parked further away from the camera than the gate', async () => {
    await site.read('in-1', 'NKP52', { box: AT_GATE });
    await stands('in-1', ['NKP52'], { times: 5, everyMs: 3 * MINUTE_MS, box: ASIDE });
    expect(pulses('in-1')).toBe(1);
  });

  it('is held without a disk, too', async () => {
    await stands('in-1', ['NKP52'], { times: 2, everyMs: 3 * MINUTE_MS });
    site.wait(3 * MINUTE_MS);
    site.db.pragma('query_only = true');
    await site.read('in-1', 'NKP52').catch(() => undefined);
    site.db.pragma('query_only = false');
    expect(pulses('in-1')).toBe(1);
  });
});

describe('a car that comes', () => {
  it('is never held for a car with another plate', async () => {
    await stands('in-1', ['NKP52'], { times: 5, everyMs: 3 * MINUTE_MS });
    for (const plate of ['NKP53', 'NKR52', 'LUV31']) {
      site.wait(MINUTE_MS);
      await site.read('in-1', plate);
    }
    expect(pulses('in-1')).toBe(4);
  });

  it('is let in every day, whether its exit was seen or not', async () => {
    for (let day = 0; day < 5; day++) {
      await site.read('in-1', 'NKP52', { box: AT_GATE });
      site.wait(9 * HOUR_MS);
      if (day % 2 === 0) await site.read('out-1', 'NKP52');
      site.wait(15 * HOUR_MS);
    }
    expect(pulses('in-1')).toBe(5);
    expect(advices()).toEqual([]);
  });

  it('is let in again soon after an exit has let out a car that nobody could read', async () => {
    await site.read('in-1', 'NKP52');
    site.wait(20 * MINUTE_MS);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await site.read('out-1', null);
    await vi.advanceTimersByTimeAsync(2000);
    vi.useRealTimers();
    await site.core.commit.run(() => undefined);
    expect(site.reasons().at(-1)).toBe('unread-vehicle');
    site.wait(20 * MINUTE_MS);
    await site.read('in-1', 'NKP52');
    expect(pulses('in-1')).toBe(2);
  });

  it('waits at a closed gate as long as it likes', async () => {
    withSite({ settings: { capacity: 1 } });
    await site.read('in-1', 'LUV31');
    await stands('in-1', ['NKP52'], { times: 20, everyMs: 3 * MINUTE_MS });
    expect(pulses('in-1')).toBe(1);
    await site.read('out-1', 'LUV31');
    site.wait(3 * MINUTE_MS);
    await site.read('in-1', 'NKP52');
    expect(pulses('in-1')).toBe(2);
    expect(advices()).toEqual([]);
  });

  it('has the gate opened again where it may not have opened', async () => {
    site.gates['in-1'].outcome = 'unreachable';
    await site.read('in-1', 'NKP52');
    site.gates['in-1'].outcome = 'done';
    site.wait(3 * MINUTE_MS);
    await site.read('in-1', 'NKP52');
    expect(pulses('in-1')).toBe(2);
  });
});

describe('at an exit', () => {
  it('a car that was let out and stays in view opens for nobody else', async () => {
    await site.read('out-1', 'NKP52');
    for (let n = 0; n < 10; n++) {
      site.wait(2 * MINUTE_MS);
      await site.read('in-1', `CAR${10 + n}`);
      site.wait(MINUTE_MS);
      await site.read('out-1', `CAR${10 + n}`);
      site.wait(30 * SECOND_MS);
      await site.read('out-1', 'NKP52');
    }
    expect(pulses('out-1')).toBe(11);
    expect(advices()).toHaveLength(1);
  });

  it('a car for which the gate has opened has some more tries', async () => {
    await stands('out-1', ['NKP52'], { times: 100, everyMs: 3 * MINUTE_MS });
    expect(pulses('out-1')).toBe(5);
    expect(advices()).toHaveLength(1);
    // It drives up, out of its rhythm.
    site.wait(40 * SECOND_MS);
    await site.read('out-1', 'NKP52');
    expect(pulses('out-1')).toBe(6);
  });

  it('does not end the wait of a car that has to pay', async () => {
    await site.price();
    await site.read('in-1', 'LUV31');
    site.wait(3 * HOUR_MS);
    await site.read('out-1', 'NKP52');
    site.wait(30 * SECOND_MS);
    await site.read('out-1', 'OGD88');
    await stands('out-1', ['NKP52'], { times: 2, everyMs: 40 * SECOND_MS });
    await site.read('out-1', 'LUV31');
    site.wait(30 * SECOND_MS);
    await site.read('out-1', 'NKP52');
    expect(site.core.stays.waiting(site.now())).toMatchObject([{ plate: 'LUV31' }]);
    const before = pulses('out-1');
    await site.settle(site.visits()[0]?.id ?? '', 1);
    await site.core.commit.run(() => undefined);
    expect(pulses('out-1')).toBe(before + 1);
  });
});
