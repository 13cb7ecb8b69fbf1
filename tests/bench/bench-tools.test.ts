import http from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { waitFor, withDeadline } from '../harness/wait.ts';
import { arrivals } from './arrivals.ts';
import { createBenchTable } from './bench-table.ts';
import { gateTimes, startTimedGates, type TimedGates } from './gate-times.ts';
import { median, runLoad } from './load.ts';
import { percentile } from './percentile.ts';
import { portOf } from './port-of.ts';

describe('a percentile', () => {
  it('is a value that was measured, by nearest rank', () => {
    const values = Array.from({ length: 20 }, (_, at) => 20 - at);
    expect([0.5, 0.95, 0.99, 1].map((share) => percentile(values, share))).toEqual([10, 19, 20, 20]);
    expect(percentile([7], 0.5)).toBe(7);
  });
});

describe('arrivals', () => {
  it('come at the given average rate, unevenly, and none is dropped while the sender is stalled', async () => {
    const dues: number[] = [];
    const from = performance.now();
    const stop = arrivals(1000, (due) => {
      dues.push(due);
      // Once, for a tenth of a second: a hundred arrive meanwhile.
      if (dues.length === 50) while (performance.now() < due + 100);
    });
    await waitFor(() => dues.length > 400, { what: 'four hundred arrivals' });
    stop();
    const tookMs = performance.now() - from;
    const gaps = dues.slice(1).map((due, at) => due - (dues[at] ?? due));
    expect(dues.length).toBeGreaterThan(0.8 * tookMs);
    expect(dues.length).toBeLessThan(1.2 * tookMs);
    expect(Math.min(...gaps)).toBeLessThan(0.1);
    expect(Math.max(...gaps)).toBeGreaterThan(3);
    // The dues follow the plan: the standstill is in no gap.
    expect(Math.max(...gaps)).toBeLessThan(20);
  });
});

/** A program that has nothing to decide: after a while it opens the gate of the camera's lane, if it may. */
async function startPrompt(relayUrl: string | null, waitMs: (car: number) => number, status = 200) {
  let cars = 0;
  const server = http.createServer((request, response) => {
    const lane = /cam-([^/]+)/.exec(request.url ?? '')?.[1] ?? '';
    request.resume();
    setTimeout(() => {
      if (relayUrl !== null) {
        http.request(`${relayUrl}/${lane}`, { method: 'POST' }, (answer) => answer.resume()).end();
      }
      response.statusCode = status;
      response.end();
    }, waitMs(cars++));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${portOf(server)}`, stop };
}

describe('timed gates', () => {
  let gates: TimedGates;
  beforeEach(async () => {
    gates = await startTimedGates();
  });
  afterEach(() => gates.stop());

  it("count each car's wait from its arrival, also for cars that arrive during a stall", async () => {
    const CARS_PER_SECOND = 100;
    const STANDSTILL_MS = 300;
    let until = 0;
    // Every request within the standstill waits for its end.
    const edge = await startPrompt(gates.relayUrl, (car) => {
      if (car === 20) until = performance.now() + STANDSTILL_MS;
      return Math.max(0, until - performance.now());
    });
    const { cars, times, maxMs } = await gates.run(edge.url, CARS_PER_SECOND, CARS_PER_SECOND);
    edge.stop();
    expect(cars).toBeGreaterThanOrEqual(CARS_PER_SECOND);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(maxMs).toBeGreaterThan(STANDSTILL_MS - 20);
    // About thirty came in that time, and waited half of it on the average.
    const waited = times.filter((ms) => ms > STANDSTILL_MS / 3);
    expect(waited.length).toBeGreaterThan(12);
    expect(times[0]).toBeLessThan(maxMs / 2);
  });

  it('count no car as served if its camera got no 200', async () => {
    const edge = await startPrompt(gates.relayUrl, () => 0, 503);
    await expect(gates.whole(edge.url, 'ABX12')).rejects.toThrow('503');
    edge.stop();
  });

  it('count no car as served if its gate gets no command', async () => {
    const deaf = await startPrompt(null, () => 0);
    const served = vi.fn();
    const car = gates.one(deaf.url, 'ABX12').then(served);
    await expect(withDeadline(car, { what: 'the gate', withinMs: 200 })).rejects.toThrow('in vain');
    expect(served).not.toHaveBeenCalled();
    car.catch(() => undefined);
    deaf.stop();
  });
});

describe('figures', () => {
  it('are percentiles', () => {
    const { cars, p50Ms, p99Ms, maxMs } = gateTimes(Array.from({ length: 200 }, (_, at) => 200 - at));
    expect({ cars, p50Ms, p99Ms, maxMs }).toEqual({ cars: 200, p50Ms: 100, p99Ms: 198, maxMs: 200 });
  });

  it('count every round of a load once, with the given number at a time', async () => {
    const WORK_MS = 5;
    const rounds: number[] = [];
    let atOnce = 0;
    let most = 0;
    const load = await runLoad(4, 40, async (_connection, round) => {
      rounds.push(round);
      most = Math.max(most, ++atOnce);
      await nextTurn();
      const from = performance.now();
      while (performance.now() < from + WORK_MS);
      atOnce--;
    });
    expect(rounds.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, at) => at));
    expect(most).toBe(4);
    expect(load.p50Ms).toBeGreaterThanOrEqual(WORK_MS);
    expect(load.perSecond).toBeLessThan(1000 / WORK_MS);
  });

  it('are the medians of several loads', () => {
    const load = (perSecond: number, p50Ms: number, p99Ms: number) => ({
      perSecond,
      p50Ms,
      p95Ms: p99Ms,
      p99Ms,
    });
    expect(median([load(1, 9, 5), load(3, 7, 4), load(2, 8, 6)])).toEqual(load(2, 8, 5));
  });

  it('are compared with their goals', () => {
    const reported = vi.spyOn(console, 'log').mockReturnValue();
    vi.spyOn(console, 'table').mockReturnValue();
    const table = createBenchTable();
    const row = { work: 'a job', ours: '1', against: '2' };
    table.add({ ...row, ratio: 0.6, goal: { atLeast: 0.6 } });
    table.add({ ...row, ratio: 0.59, goal: { atLeast: 0.6 } });
    table.add({ ...row, ratio: 2, goal: { atMost: 2 } });
    table.add({ ...row, ratio: 2.01, goal: { atMost: 2 } });
    table.add({ ...row, ratio: 100, goal: null });
    table.print();
    expect(reported).toHaveBeenLastCalledWith('2 of 4 goals met.');
    vi.restoreAllMocks();
  });
});
