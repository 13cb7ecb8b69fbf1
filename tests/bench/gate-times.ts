import http from 'node:http';
import type { CloudAccess, EdgeDocument, SitePlan } from '../harness/edge-document.ts';
import { newSecret } from '../harness/new-secret.ts';
import { withDeadline } from '../harness/wait.ts';
import { alprDocument } from './alpr-document.ts';
import { arrivals } from './arrivals.ts';
import { plateOf } from './bench-plates.ts';
import { postJson } from './load.ts';
import { percentile } from './percentile.ts';
import { portOf } from './port-of.ts';

/** How long cars took from the camera's document going in to the relay's request coming out. */
export interface GateTimes {
  cars: number;
  /** The time of each car in ms, ascending. */
  times: readonly number[];
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

/** Entrances with cameras and relays, at which cars arrive whether or not the one before has got in. */
export interface TimedGates {
  /** The relays; a lane's is below it, by the lane's name. */
  relayUrl: string;
  document(site: SitePlan, cloud?: CloudAccess): EdgeDocument;
  /**
   * Sends cars at this rate per second until `until` resolves; without `plates`, their plates are on no list.
   */
  run(
    cameraUrl: string,
    carsPerSecond: number,
    until: Promise<unknown> | number,
    plates?: () => string,
  ): Promise<GateTimes>;
  /** One car: how long it took. */
  one(cameraUrl: string, plate: string): Promise<number>;
  /** One car, until its gate has its command and its camera the answer 200. */
  whole(cameraUrl: string, plate: string): Promise<void>;
  stop(): void;
}

const LANES = 8;
/** Cars that are on no list, and no two like each other. */
const FIRST_CAR = 50_000_000;
const OPENS_WITHIN_MS = 10_000;

export async function startTimedGates(): Promise<TimedGates> {
  const waiting = new Map<string, (() => void)[]>();
  const server = http.createServer((request, response) => {
    response.end();
    waiting.get((request.url ?? '').slice(1))?.shift()?.();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const relayUrl = `http://127.0.0.1:${portOf(server)}`;
  const agent = new http.Agent({ keepAlive: true });
  const token = newSecret();
  const lanes = Array.from({ length: LANES }, (_unused, lane) => `in-${lane}`);
  let next = 0;
  let nextCar = FIRST_CAR;

  /** @param due when it arrived, by `performance.now()` */
  function send(cameraUrl: string, plate: string, due: number) {
    const lane = lanes[next++ % LANES] ?? '';
    const body = alprDocument(plate, next);
    const opened = new Promise<void>((resolve) => {
      waiting.set(lane, [...(waiting.get(lane) ?? []), resolve]);
    });
    const path = `/cameras/cam-${lane}/open-alpr?token=${token}`;
    const answered = postJson(new URL(path, cameraUrl), body, agent);
    const what = `the gate ${lane} to open for ${plate}`;
    const reported = withDeadline(opened, { what, withinMs: OPENS_WITHIN_MS }).then(
      () => performance.now() - due,
    );
    return { reported, answered };
  }

  function one(cameraUrl: string, plate: string, due = performance.now()): Promise<number> {
    const { reported, answered } = send(cameraUrl, plate, due);
    // Whether the gate opened is what counts.
    answered.catch(() => undefined);
    return reported;
  }

  return {
    relayUrl,
    one: (cameraUrl, plate) => one(cameraUrl, plate),
    async whole(cameraUrl, plate) {
      const { reported, answered } = send(cameraUrl, plate, performance.now());
      const [status] = await Promise.all([answered, reported]);
      if (status !== 200) throw new Error(`the document was answered with ${status}`);
    },
    document: (site, cloud) => ({
      site,
      ...(cloud && { cloud }),
      cameras: lanes.map((lane) => ({ id: `cam-${lane}`, lane, token })),
      lanes: lanes.map((lane) => ({
        id: lane,
        name: lane,
        direction: 'entry',
        gate: {
          kind: 'http',
          mode: 'pulse',
          open: { method: 'POST', url: `${relayUrl}/${lane}` },
          timeoutMs: 5000,
        },
      })),
    }),
    async run(cameraUrl, carsPerSecond, until, plates = () => plateOf(nextCar++)) {
      const times: number[] = [];
      const cars: Promise<void>[] = [];
      let allCame = () => {};
      const enough = new Promise<void>((resolve) => {
        allCame = resolve;
      });
      const leave = arrivals(carsPerSecond, (due) => {
        cars.push(one(cameraUrl, plates(), due).then((tookMs) => void times.push(tookMs)));
        if (cars.length === until) allCame();
      });
      try {
        await (typeof until === 'number' ? enough : until);
      } finally {
        leave();
      }
      await Promise.all(cars);
      return gateTimes(times);
    },
    stop() {
      agent.destroy();
      server.close();
    },
  };
}

/** @param took of each car, ms */
export function gateTimes(took: readonly number[]): GateTimes {
  const times = took.toSorted((a, b) => a - b);
  const at = (share: number) => percentile(times, share);
  return { cars: times.length, times, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
}
