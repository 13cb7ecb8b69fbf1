import { type BenchCloud, newVisit } from './bench-cloud.ts';
import { plateOf } from './bench-plates.ts';
import { BENCH_YEAR, benchPlates } from './fill-cloud.ts';
import { type LoadResult, median, runLoad } from './load.ts';

/** Our cloud and the bare floor, in turns. */
export interface AgainstFloor {
  ours: LoadResult;
  floor: LoadResult;
}

const CONNECTIONS = 10;
const TURNS = 3;
const DAY_MS = 86_400_000;

/** Fifty visits of one plate, newest first. */
export async function benchByPlate(cloud: BenchCloud, rounds: number): Promise<AgainstFloor> {
  const plates = benchPlates(cloud.visits);
  const plate = (round: number) => plateOf((round * 7919) % plates);
  return await inTurns(
    rounds,
    (round) => cloud.ask('GET', `/visits?plate=${plate(round)}`),
    (round) => cloud.askFloor('GET', `/plate?plate=${plate(round)}`),
  );
}

/** The newest fifty visits of one day. */
export async function benchByDay(cloud: BenchCloud, rounds: number): Promise<AgainstFloor> {
  const day = (round: number, more = 0) =>
    new Date(Date.parse(BENCH_YEAR.from) + (((round * 31) % BENCH_YEAR.days) + more) * DAY_MS).toISOString();
  return await inTurns(
    rounds,
    (round) => {
      const date = day(round).slice(0, 10);
      return cloud.ask('GET', `/visits?date.from=${date}&date.to=${date}`);
    },
    (round) => cloud.askFloor('GET', `/day?from=${day(round)}&before=${day(round, 1)}`),
  );
}

let created = 0;
const nextVisit = () => newVisit(`${plateOf(created++)}Q`);

/** A visit begun by an operator: its row, its history, the audit log, the site's feed. */
export function createVisit(cloud: BenchCloud): Promise<number> {
  return cloud.ask('POST', '/visits', nextVisit());
}

export async function benchCreate(cloud: BenchCloud, rounds: number): Promise<AgainstFloor> {
  return await inTurns(
    rounds,
    () => createVisit(cloud),
    () => cloud.askFloor('POST', '/visit', nextVisit()),
  );
}

export async function inTurns(
  rounds: number,
  ours: (round: number) => Promise<number>,
  floor: (round: number) => Promise<number>,
): Promise<AgainstFloor> {
  const results: { ours: LoadResult[]; floor: LoadResult[] } = { ours: [], floor: [] };
  await load(rounds / 4, ours);
  await load(rounds / 4, floor);
  for (let turn = 0; turn < TURNS; turn++) {
    results.ours.push(await load(rounds, ours));
    results.floor.push(await load(rounds, floor));
  }
  return { ours: median(results.ours), floor: median(results.floor) };
}

/** Every answer must be a good one. */
export async function load(rounds: number, ask: (round: number) => Promise<number>): Promise<LoadResult> {
  return await runLoad(CONNECTIONS, rounds, async (_connection, round) => {
    const status = await ask(round);
    if (status !== 200 && status !== 303) throw new Error(`answered with ${status}`);
  });
}
