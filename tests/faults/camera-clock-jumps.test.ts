import { CameraClocks } from '@hlid/edge/camera/camera-clock';
import { createTestSite } from '@hlid/edge/test/site';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../sim/seeded-random.ts';

/** A site with cameras that have their own clocks, which a test may set. */
function siteWithClocks(withLoops = false) {
  const clocks = new CameraClocks();
  const site = createTestSite({ clocks, withLoops });
  let ahead = 0;
  return {
    site,
    setCameras: (byMs: number) => {
      ahead += byMs;
    },
    /** Site and cameras get their time from one place, and are set together. */
    setAll(byMs: number) {
      site.setClock(byMs);
    },
    /** Sends a read like a live camera: a moment after it was seen. */
    see(lane: 'in-1' | 'in-2' | 'out-1', plate: string) {
      return site.read(lane, plate, { capturedAt: utcTime(millis(site.now()) + ahead - 300) });
    },
    /** Sends an old document, out of a camera's buffer. */
    seenAgo(lane: 'in-1' | 'in-2' | 'out-1', plate: string, ms: number) {
      return site.read(lane, plate, { capturedAt: utcTime(millis(site.now()) + ahead - ms) });
    },
    heartbeats: () =>
      ['cam-in-1', 'cam-in-2', 'cam-out-1'].forEach((id) => {
        clocks.documentReceived(id, new Date(site.now()));
      }),
  };
}

let lot: ReturnType<typeof siteWithClocks>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  lot = siteWithClocks();
});
afterEach(() => {
  lot.site.close();
  vi.useRealTimers();
});

const random = seededRandom(20261122);
const randomJumps = Array.from({ length: 12 }, () => {
  const ms = Math.round(MINUTE_MS * 10 ** random.between(0, 5));
  return random.chance(0.5) ? ms : -ms;
});
const JUMPS = [
  HOUR_MS,
  -HOUR_MS,
  2 * HOUR_MS,
  -DAY_MS,
  26 * 365 * DAY_MS,
  -26 * 365 * DAY_MS,
  ...randomJumps,
];

/** Two hours of ordinary traffic, with heartbeats. */
async function ordinaryTraffic(): Promise<void> {
  await lot.site.price();
  for (let minute = 0; minute < 120; minute++) {
    lot.site.wait(MINUTE_MS);
    lot.heartbeats();
    if (minute % 10 === 0) {
      await lot.see('in-1', `AAA${10 + minute}`);
      await lot.see('out-1', `AAA${10 + minute}`);
    }
  }
  lot.site.wait(20_000);
}

const pulses = (lane: 'in-1' | 'out-1') => lot.site.gates[lane].pulses;

async function passTwoSeconds(): Promise<void> {
  lot.site.wait(2000);
  vi.advanceTimersByTime(2000);
  for (let commits = 0; commits < 4; commits++) await lot.site.core.commit.run(() => undefined);
}

describe.each(JUMPS)('after clocks were set by %i ms', (jump) => {
  it.each(['the cameras alone', 'the site alone', 'both'])(
    'the first car goes in and the first car goes out, at their first read: %s',
    async (which) => {
      await ordinaryTraffic();
      const before = [pulses('in-1'), pulses('out-1')];
      if (which === 'the cameras alone') lot.setCameras(jump);
      else if (which === 'the site alone') {
        lot.site.setClock(jump);
        lot.setCameras(-jump);
      } else lot.setAll(jump);
      await lot.see('in-1', 'NEW11');
      lot.site.wait(30_000);
      await lot.see('out-1', 'NEW11');
      expect([pulses('in-1'), pulses('out-1')]).toEqual(before.map((count) => count + 1));
      expect(lot.site.reasons().slice(-2)).toEqual(['welcome', 'nothing-due']);
    },
  );

  it("opens an exit or instructs the driver within two seconds, whatever the camera's clock", async () => {
    lot.setCameras(jump);
    await lot.see('out-1', 'NEW11');
    await passTwoSeconds();
    expect(pulses('out-1')).toBe(1);
    lot.setCameras(-jump - 17 * MINUTE_MS);
    lot.site.wait(10 * MINUTE_MS);
    await lot.see('out-1', 'NEW22');
    await passTwoSeconds();
    expect(pulses('out-1')).toBe(2);
  });
});

it('lets a car in that is on the loop, though its camera seems late', async () => {
  lot.site.close();
  lot = siteWithClocks(true);
  lot.setCameras(-17 * MINUTE_MS);
  lot.site.loops['in-1'].arrival.set(true);
  await lot.see('in-1', 'NEW11');
  expect(pulses('in-1')).toBe(1);
});

it('opens no gate for reads that a camera sends from its buffer', async () => {
  await ordinaryTraffic();
  const before = [pulses('in-1'), pulses('out-1')];
  // The cameras are cut off for an hour.
  lot.site.wait(HOUR_MS);
  for (let car = 0; car < 20; car++) {
    lot.site.wait(100);
    await lot.seenAgo('in-1', `OLD${10 + car}`, 59 * MINUTE_MS - car * 2 * MINUTE_MS);
    await lot.seenAgo('out-1', `OUT${10 + car}`, 58 * MINUTE_MS - car * 2 * MINUTE_MS);
  }
  await passTwoSeconds();
  expect([pulses('in-1'), pulses('out-1')]).toEqual(before);
});

it('lets a car that waits at an exit while the clock is set leave when it is paid', async () => {
  await lot.site.price();
  await lot.see('in-1', 'WAITS1');
  lot.site.wait(5 * HOUR_MS);
  lot.site.gates['out-1'].outcome = 'done';
  await lot.site.core.lanes.start();
  await lot.see('out-1', 'WAITS1');
  expect(pulses('out-1')).toBe(0);
  lot.site.setClock(-3 * HOUR_MS);
  lot.site.wait(5 * MINUTE_MS);
  await lot.see('in-2', 'OTHER1');
  await lot.site.settle(lot.site.visits().find(({ plate }) => plate === 'WAITS1')?.id ?? '', 1);
  await passTwoSeconds();
  expect(pulses('out-1')).toBe(1);
});
