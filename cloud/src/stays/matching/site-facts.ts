import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { PlateCandidate } from '@hlid/protocol/plate/plate';
import type { Queries } from '../../platform/db/db.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { ProposalRow } from '../../records/matching/match-table.ts';
import type { PhotoRow } from '../../records/photos/photo-store.ts';
import { calibration, type JudgedPair } from './calibrate.ts';
import { characterOddsOf } from './confusion-store.ts';
import {
  newestProposals,
  newestVisits,
  type OpenStay,
  openStays,
  platesSeen,
  TWICE_MS,
  unmatchedExits,
} from './match-store.ts';
import type { SeenCar } from './seen-car.ts';
import { newHabits, type SiteHabits } from './site-habits.ts';

/** What is still open this long is left to other rules. */
const ENTRY_DAYS = 30;
const EXIT_DAYS = 7;
/** The reads of a passage, and what its site reports of it, have come by then. */
const SETTLED_MS = 15 * MINUTE_MS;
const MAX_VISITS_TO_LEARN_FROM = 2000;
const MAX_PROPOSALS = 2000;

/** All that a match of a site goes by. */
export interface SiteFacts {
  stays: Map<string, OpenStay>;
  exits: Map<string, PhotoRow>;
  /** The newest, in any state. */
  proposals: ProposalRow[];
  habits: SiteHabits;
  /** How many stays with equal plates at both ends the site has shown. */
  wholeStays: number;
  calibrated: (weight: number) => number;
}

export async function siteFacts(q: Queries, siteId: string, now: UtcTime): Promise<SiteFacts> {
  const ago = (ms: number) => utcTime(millis(now) - ms);
  const before = ago(SETTLED_MS);
  const stays = await openStays(q, siteId, { from: ago(ENTRY_DAYS * DAY_MS), by: before });
  const exits = onePerCar(await unmatchedExits(q, siteId, { from: ago(EXIT_DAYS * DAY_MS), before }));
  const proposals = await newestProposals(q, siteId, MAX_PROPOSALS);
  return {
    stays: new Map(stays.map((stay) => [stay.visit.id, stay])),
    exits: new Map(exits.map((exit) => [exit.id, exit])),
    proposals,
    ...(await habitsOf(q, siteId, exits, now)),
    calibrated: calibration(proposals.flatMap(judgedFrom)),
  };
}

/** One read of each car: the surest of a passage, and the first of a plate that a lane read twice in a queue. */
function onePerCar(exits: readonly PhotoRow[]): PhotoRow[] {
  const passages = groupBy(exits, ({ id, passageId }) => passageId ?? id);
  const surest = [...passages.values()].flatMap((reads) =>
    reads.toSorted((a, b) => b.score - a.score).slice(0, 1),
  );
  const lastOf = new Map<string, number>();
  return surest
    .toSorted((a, b) => millis(a.receivedAt) - millis(b.receivedAt))
    .filter(({ laneId, plate, receivedAt }) => {
      const key = `${laneId} ${plate}`;
      const before = lastOf.get(key);
      lastOf.set(key, millis(receivedAt));
      return before === undefined || millis(receivedAt) - before > TWICE_MS;
    });
}

async function habitsOf(
  q: Queries,
  siteId: string,
  exits: readonly PhotoRow[],
  now: UtcTime,
): Promise<Pick<SiteFacts, 'habits' | 'wholeStays'>> {
  const habits = { ...newHabits(), characters: await characterOddsOf(q, siteId) };
  const visits = await newestVisits(q, siteId, MAX_VISITS_TO_LEARN_FROM);
  let left = exits.length;
  let wholeStays = 0;
  for (const { plate, startedAt, endedAt, exitFoundBy } of visits) {
    if (plate !== null) habits.plates.learn(plate);
    if (endedAt === null || exitFoundBy === null) continue;
    left += 1;
    if (exitFoundBy !== 'equal') continue;
    wholeStays += 1;
    habits.lengths.learn(millis(endedAt) - millis(startedAt));
  }
  const oldest = visits.at(-1);
  if (oldest !== undefined && left > 0)
    habits.exitRate = left / Math.max(DAY_MS, millis(now) - millis(oldest.startedAt));
  return { habits, wholeStays };
}

/** What a person has said of a pair. */
function judgedFrom({ state, weight }: ProposalRow): JudgedPair[] {
  switch (state) {
    case 'accepted':
      return [{ probability: weight, isRight: true }];
    case 'rejected':
    case 'undone':
      return [{ probability: weight, isRight: false }];
    case 'open':
    case 'settled':
      return [];
    default:
      return state satisfies never;
  }
}

export function seenAtEntry({ visit, read }: OpenStay): SeenCar {
  return {
    id: visit.id,
    at: millis(visit.startedAt),
    camera: read?.cameraId ?? visit.entryLaneId ?? '',
    plates: platesAtEntry({ visit, read }),
    make: null,
    colour: null,
  };
}

/** A plate that a person gave is certain. */
function platesAtEntry({ visit: { plate, plateByPerson }, read }: OpenStay): PlateCandidate[] {
  if (plate === null) return [];
  const seen = read === null || plateByPerson ? [] : platesSeen(read);
  return seen[0]?.plate === plate ? seen : [{ plate, score: 1 }];
}

export function seenAtExit(photo: PhotoRow): SeenCar {
  const { id, receivedAt, cameraId } = photo;
  return {
    id,
    at: millis(receivedAt),
    camera: cameraId,
    plates: platesSeen(photo),
    make: null,
    colour: null,
  };
}
