import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CAMERA_FORMATS } from '@hlid/protocol/camera/camera-formats';
import { afterEach, expect, it } from 'vitest';
import type { Car } from './car.ts';
import { seededRandom } from './seeded-random.ts';
import { createSurvisionCamera } from './survision-camera.ts';
import { createTraffic, LIVELY, type Traffic, type TrafficPace } from './traffic.ts';

const stops: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

/** Everything in a few milliseconds. */
const HURRIED: TrafficPace = {
  ...LIVELY,
  carsPerMinute: 1500,
  betweenDocumentsMs: 1,
  gatePatienceMs: 30,
  driveThroughMs: 1,
  afterwardsMs: 1,
  payAtGateMs: 500,
  walkFromGateMs: [1, 2],
  comeBackMs: [5, 20],
  permitMs: [5, 30],
  visitorMs: [5, 30],
  turnRoundMs: [1, 2],
  walkMs: [1, 2],
};

/**
 * A gatekeeper in place of the edge: it opens for every car at the entrance, and for paid cars at the exit.
 */
async function startGatekeeper() {
  const listeners = new Map<string, Set<() => void>>();
  const paid = new Set<string>();
  const passed: { lane: string; plate: string | null; opened: boolean }[] = [];
  const seen = new Set<string>();
  /** Cars that were let out and have not come in since; those that were read at the exit again nevertheless. */
  const openForVehicle = new Set<string>();
  const comeAgain: string[] = [];
  const open = (lane: string) => {
    for (const listener of listeners.get(lane) ?? []) listener();
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.end('{}');
      const lane = request.url?.slice(1) ?? '';
      const parsed = CAMERA_FORMATS.survision.parse(Buffer.concat(parts), {
        headers: { 'survision-serial-number': 'S' },
      });
      if (!parsed.ok) throw new Error(parsed.refusal.message);
      for (const { plate, eventKey } of parsed.document.reads) {
        // A camera may send the same document twice, and other lanes may be read in between.
        const event = `${lane} ${eventKey}`;
        if (seen.has(event)) continue;
        seen.add(event);
        const opened = lane === 'in' || (plate !== null && paid.has(plate));
        passed.push({ lane, plate, opened });
        if (opened) open(lane);
        if (lane === 'in' || plate === null) continue;
        if (openForVehicle.has(plate)) comeAgain.push(plate);
        if (opened) openForVehicle.add(plate);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => new Promise((resolve) => server.close(resolve)));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    passed,
    comeAgain,
    /** The car has come in, whatever the entrance read. */
    cameIn: (plate: string) => openForVehicle.delete(plate),
    /** Resolves when nothing is on a wire to it any more: what was being sent when the cars stopped. */
    async quiet() {
      const connections = () =>
        new Promise<number>((resolve) => {
          server.closeIdleConnections();
          server.getConnections((_error, count) => resolve(count));
        });
      await expect.poll(connections).toBe(0);
    },
    pay(plate: string) {
      paid.add(plate);
      open('out');
    },
    lane: (id: 'in' | 'out') => ({
      id,
      direction: id === 'in' ? ('entry' as const) : ('exit' as const),
      camera: createSurvisionCamera({ serial: 'S', session: 1 }),
      pushUrl: `${url}/${id}`,
      onOpening(listener: () => void) {
        const set = listeners.get(id) ?? new Set();
        listeners.set(id, set.add(listener));
        return () => {
          set.delete(listener);
        };
      },
    }),
  };
}

it('lets cars come, pay and leave, and stops at once', async () => {
  const keeper = await startGatekeeper();
  const fines: string[] = [];
  let inside: readonly Car[] = [];
  let left = 0;
  const atKiosk: string[] = [];
  const journeys = new Set<string | null>();
  const traffic: Traffic = createTraffic({
    lanes: [keeper.lane('in'), keeper.lane('out')],
    known: {
      permitPlates: ['PERM1', 'PERM2'],
      regularPlates: ['FLEET1', 'TRUCK1'],
      payingPlates: ['TRUCK1'],
      cardPlates: [],
      journeys: new Map([['TRUCK1', 'truck']]),
    },
    cashier: {
      pay: (plate) => {
        fines.push(plate);
        keeper.pay(plate);
        return Promise.resolve(true);
      },
      payInside: () => Promise.resolve(),
      paidAtKiosk: async (plate) => {
        atKiosk.push(plate);
        keeper.pay(plate);
      },
    },
    random: seededRandom(4),
    pace: HURRIED,
    clock: { now: () => new Date() },
    inside: [{ plate: 'PARKED1', kind: 'visitor', leavesAt: Date.now() + 300, refused: 0 }],
    onInside: (cars) => {
      if (cars.length < inside.length) left++;
      const before = new Set(inside.map(({ plate }) => plate));
      for (const { plate } of cars) if (!before.has(plate)) keeper.cameIn(plate);
      inside = cars;
      for (const { plate } of cars) journeys.add(traffic.journeyOf(plate, 'out'));
    },
  });
  stops.push(traffic.stop);
  traffic.start();
  await expect.poll(() => left).toBeGreaterThan(12);
  await expect.poll(() => inside.map(({ plate }) => plate)).not.toContain('PARKED1');
  await expect.poll(() => fines.length).toBeGreaterThan(0);
  const hasLeft = (plate: string) =>
    keeper.passed.some((passed) => passed.lane === 'out' && passed.plate === plate && passed.opened);
  await expect.poll(() => atKiosk.length > 0 && hasLeft(atKiosk[0] ?? '')).toBe(true);
  expect(fines).not.toContain(atKiosk[0]);
  const hasEntered = (...plates: string[]) =>
    keeper.passed.some(({ lane, plate }) => lane === 'in' && plate !== null && plates.includes(plate));
  await expect.poll(() => hasEntered('PERM1', 'PERM2')).toBe(true);
  await expect.poll(() => hasEntered('FLEET1', 'TRUCK1')).toBe(true);

  expect(keeper.comeAgain).toEqual([]);
  await expect
    .poll(() => [...journeys])
    .toEqual(expect.arrayContaining(['visitor', 'permit holder', 'truck', 'pays at kiosk']));
  expect(journeys).not.toContain(null);
  expect(traffic.journeyOf('NOBODY', 'out')).toBeNull();

  await traffic.stop();
  await keeper.quiet();
  const before = keeper.passed.length;
  expect(new Set(inside.map(({ plate }) => plate)).size).toBe(inside.length);
  await new Promise((resolve) => setImmediate(resolve));
  expect(keeper.passed.length).toBe(before);
});
