import { type BenchRow, count, type Goal, mb, ms, perSecond } from './bench-table.ts';
import { benchDecision, CARS_PER_SECOND, type PeerTimes, USUAL_SIZE } from './edge-decision.ts';
import type { LoadResult } from './load.ts';

const RESIDENT_MB = 150;
const FIRST_DECISION_MS = 2000;

const arriving = `${CARS_PER_SECOND} cars a second on 8 lanes`;

/** The edge's decisions against the floor, against itself with a short list, and against Node-RED. */
export async function benchEdge(
  add: (row: BenchRow) => void,
  plan: { nodeRed: boolean },
  size = USUAL_SIZE,
): Promise<void> {
  const { ours, shortList, floor, nodeRed, readyMs, firstDecisionMs } = await benchDecision(plan, size);
  for (const figure of ['p50Ms', 'p99Ms'] as const) {
    const share = figure === 'p50Ms' ? 'p50' : 'p99';
    add({
      work: `edge, ${count(size.shortList)} → ${count(size.longList)} permits, ${arriving}, ${share}`,
      ours: ms(ours.arriving[figure]),
      against: `itself ${ms(shortList.arriving[figure])}`,
      ratio: ours.arriving[figure] / shortList.arriving[figure],
      goal: share === 'p50' ? { atMost: 1.2 } : null,
    });
  }
  const permits = size.longList;
  against(
    add,
    'floor',
    { permits, ours, peer: floor },
    { one: null, ten: { atLeast: 0.6 }, p99: { atMost: 2 } },
  );
  if (nodeRed) {
    const goals = { one: { atLeast: 1.5 }, ten: { atLeast: 4 }, p99: { atMost: 0.25 } };
    against(add, 'Node-RED', { permits, ours, peer: nodeRed }, goals);
  }
  for (const [work, figure, limit, shown] of [
    [`resident with ${count(permits)} permits`, ours.residentMb, RESIDENT_MB, mb],
    ['first gate open after its start', firstDecisionMs, FIRST_DECISION_MS, ms],
    ['ready after its start', readyMs, FIRST_DECISION_MS, ms],
  ] as const) {
    const ratio = figure / limit;
    add({ work: `edge, ${work}`, ours: shown(figure), against: shown(limit), ratio, goal: { atMost: 1 } });
  }
}

function against(
  add: (row: BenchRow) => void,
  name: string,
  { permits, ours, peer }: { permits: number; ours: PeerTimes; peer: PeerTimes },
  goals: { one: Goal | null; ten: Goal; p99: Goal },
): void {
  const work = `edge, ${count(permits)} permits`;
  const row = (what: string, figure: (times: PeerTimes) => number, shown: typeof ms, goal: Goal | null) =>
    add({
      work: `${work}, ${what}`,
      ours: shown(figure(ours)),
      against: `${name} ${shown(figure(peer))}`,
      ratio: figure(ours) / figure(peer),
      goal,
    });
  const loads: [string, (times: PeerTimes) => LoadResult, Goal | null][] = [
    ['1 connection', ({ oneByOne }) => oneByOne, goals.one],
    ['10 connections', ({ tenAtOnce }) => tenAtOnce, goals.ten],
  ];
  row(`${arriving}, p50`, (times) => times.arriving.p50Ms, ms, null);
  row(`${arriving}, p99`, (times) => times.arriving.p99Ms, ms, goals.p99);
  for (const [what, of, goal] of loads) {
    row(`${what}, throughput`, (times) => of(times).perSecond, perSecond, goal);
    row(`${what}, p50`, (times) => of(times).p50Ms, ms, null);
    row(`${what}, p99`, (times) => of(times).p99Ms, ms, goals.p99);
  }
  row('10 connections, processor time of a car', ({ cpuMs }) => cpuMs, ms, null);
  row('resident', ({ residentMb }) => residentMb, mb, null);
}
