import http from 'node:http';
import { percentile } from './percentile.ts';

/** The result of a load: the times from one end to the other, and the throughput in a second. */
export interface LoadResult {
  perSecond: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}

/** Runs the same journey repeatedly on some connections at once, for a total number of rounds. */
export async function runLoad(
  connections: number,
  rounds: number,
  journey: (connection: number, round: number) => Promise<void>,
): Promise<LoadResult> {
  const times: number[] = [];
  let next = 0;
  const started = performance.now();
  await Promise.all(
    Array.from({ length: connections }, async (_unused, connection) => {
      while (next < rounds) {
        const round = next++;
        const from = performance.now();
        await journey(connection, round);
        times.push(performance.now() - from);
      }
    }),
  );
  return resultOf(times, performance.now() - started);
}

/** @param tookMs all of them together */
export function resultOf(times: readonly number[], tookMs: number): LoadResult {
  const at = (share: number) => percentile(times, share);
  return { perSecond: (times.length / tookMs) * 1000, p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}

/** Posts JSON over a connection that is kept; resolves with the status when the answer is read. */
export function postJson(url: URL, body: string, agent: http.Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = http.request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** The median of each figure over several results. */
export function median(results: readonly LoadResult[]): LoadResult {
  const middle = (figure: (result: LoadResult) => number) => middleOf(results.map(figure));
  return {
    perSecond: middle(({ perSecond }) => perSecond),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p95Ms: middle(({ p95Ms }) => p95Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
  };
}

function middleOf(figures: readonly number[]): number {
  const middle = figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)];
  if (middle === undefined) throw new RangeError('no figures');
  return middle;
}
