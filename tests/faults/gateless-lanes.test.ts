import { createTestSite } from '@hlid/edge/test/site';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '@hlid/protocol/base/durations';
import { millis } from '@hlid/protocol/base/utc-time';
import { afterEach, describe, expect, it } from 'vitest';
import { type SeededRandom, seededRandom } from '../sim/seeded-random.ts';

const LANES = ['in-1', 'in-2', 'out-1', 'out-2'] as const;
type LaneId = (typeof LANES)[number];
const START = '2026-11-21T08:00:00.000Z';
/** They differ in every place, so that a misreading of one is none of another. */
const PLATES = ['ABX12', 'DGK34', 'HJM56', 'LNP78', 'RTU90', 'VYZ21', 'KPR43', 'MSE65'];
/** Cars in a queue follow each other so closely, and are read for less. */
const APART_MS = 4 * SECOND_MS;
const BETWEEN_READINGS_MS = 400;

interface Stay {
  plate: string;
  entry: LaneId;
  exit: LaneId;
  /** From the start. */
  inMs: number;
  outMs: number;
}

interface Reading {
  atMs: number;
  laneId: LaneId;
  plate: string;
  score: number;
}

let site: ReturnType<typeof createTestSite>;
afterEach(() => site.close());

describe('lanes without gates', () => {
  it.each(Array.from({ length: 60 }, (_, seed) => seed + 1))(
    'have the stays that were, whatever order the readings of a car come in: world %i',
    async (seed) => {
      const random = seededRandom(seed);
      site = createTestSite({ gateless: LANES, start: START });
      await site.price();
      const stays = randomStays(random, seed % 2 === 0 ? MINUTE_MS : APART_MS);
      for (const { atMs, laneId, plate, score } of readingsOf(stays, random)) {
        site.wait(atMs - (millis(site.now()) - Date.parse(START)));
        await site.read(laneId, plate, { score });
      }
      expect(storedStays()).toEqual(stays.toSorted(byEntry));
      const moved = site.events().filter(({ body }) => body.type === 'gate.moved');
      expect(moved).toEqual([]);
    },
  );
});

/** The stays as the visits of the site have them; the readings of one passage are of one time. */
function storedStays(): Stay[] {
  const startMs = Date.parse(START);
  const passageMs = (at: string) => Math.floor((Date.parse(at) - startMs) / APART_MS) * APART_MS;
  return site
    .visits()
    .map(({ plate, entryLaneId, exitLaneId, startedAt, endedAt }) => ({
      plate: plate ?? '',
      entry: entryLaneId as LaneId,
      exit: exitLaneId as LaneId,
      inMs: passageMs(startedAt),
      outMs: endedAt === null ? -1 : passageMs(endedAt),
    }))
    .toSorted(byEntry);
}

function byEntry(one: Stay, other: Stay): number {
  return one.inMs - other.inMs || one.plate.localeCompare(other.plate);
}

/** Some cars only turn round in the mouth. */
function randomStays(random: SeededRandom, apartMs: number): Stay[] {
  const times = shuffled(
    Array.from({ length: 4 * PLATES.length }, (_, at) => (at + 1) * apartMs),
    random,
  );
  return PLATES.map((plate) => {
    const [inMs = 0, laterMs = 0] = times.splice(0, 2).toSorted((one, other) => one - other);
    const outMs = random.chance(0.8) ? laterMs + HOUR_MS : inMs + 6 * APART_MS;
    const entry = random.pick<LaneId>(['in-1', 'in-2']);
    return { plate, entry, exit: random.pick<LaneId>(['out-1', 'out-2']), inMs, outMs };
  });
}

/** One to five readings of each car at each lane, most of them right. */
function readingsOf(stays: readonly Stay[], random: SeededRandom): Reading[] {
  return stays
    .flatMap(({ plate, entry, exit, inMs, outMs }) => [
      ...passage({ plate, laneId: entry, fromMs: inMs }, random),
      ...passage({ plate, laneId: exit, fromMs: outMs }, random),
    ])
    .toSorted((one, other) => one.atMs - other.atMs);
}

function passage(
  { plate, laneId, fromMs }: { plate: string; laneId: LaneId; fromMs: number },
  random: SeededRandom,
): Reading[] {
  const wrong = random.between(0, 2);
  const plates = [
    ...Array.from({ length: wrong + 1 }, () => plate),
    ...Array.from({ length: wrong }, () => misread(plate, random)),
  ];
  return shuffled(plates, random).map((seen, at) => ({
    atMs: fromMs + at * BETWEEN_READINGS_MS,
    laneId,
    plate: seen,
    score: seen === plate ? 0.9 + random.next() * 0.1 : 0.6 + random.next() * 0.2,
  }));
}

/** One character is another one. */
function misread(plate: string, random: SeededRandom): string {
  const place = random.between(0, plate.length - 1);
  const kind = place < 3 ? 'ABDGHJKLMNPRSTUVXYZ' : '0123456789';
  const others = [...kind].filter((character) => character !== plate[place]);
  return plate.slice(0, place) + others[random.between(0, others.length - 1)] + plate.slice(place + 1);
}

function shuffled<Item>(items: readonly Item[], random: SeededRandom): Item[] {
  return items
    .map((item) => ({ item, key: random.next() }))
    .toSorted((one, other) => one.key - other.key)
    .map(({ item }) => item);
}
