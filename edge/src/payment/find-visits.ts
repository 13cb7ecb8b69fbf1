import { carsInQuestion, type DoubtfulCar } from '@hlid/protocol/doubtful-car';
import { type KioskVisit, MAX_ENTRIES } from '@hlid/protocol/kiosk-api';
import { foldPlate, normalisePlate } from '@hlid/protocol/plate';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import type { SiteDb } from '../db/site-db.ts';

/** Drivers look for their own cars, and learn nothing of others beyond what they know. */
export interface VisitFinder {
  /**
   * Open visits whose plate begins so, or can be taken for one that does; of two letters those whose whole plate it is;
   * and those that exits ask for of cars which may be another's. Null: too little was typed.
   */
  byPlate(typed: string, doubtful: readonly DoubtfulCar[]): KioskVisit[] | null;
  /** A few open visits by the time of entry, without their plates. */
  byEntry(from: UtcTime, to: UtcTime): KioskVisit[];
  /** A visit as its driver sees it, who has typed so much of its plate. */
  view(visit: Visit, typed: string): KioskVisit;
}

/** As short as private plates are. */
export const MIN_TYPED = 2;
/** The beginning of a plate: fewer letters would show everybody who is here. */
const MIN_BEGINNING = 3;
/** More than a driver looks through. */
const MAX_FOUND = 12;
const HIDDEN = '•';

export function createVisitFinder(db: SiteDb, hasPicture: (readId: string) => boolean): VisitFinder {
  const byKey = db
    .prepare<[string, string, number], string>(
      `SELECT body FROM visit WHERE plate_key >= ? AND plate_key < ? AND ended_at IS NULL
       ORDER BY plate_key LIMIT ?`,
    )
    .pluck();
  const byId = db
    .prepare<[string], string>('SELECT body FROM visit WHERE id = ? AND ended_at IS NULL')
    .pluck();
  const byEntry = db
    .prepare<[UtcTime, UtcTime, UtcTime, UtcTime, number], string>(
      `SELECT body FROM visit WHERE ended_at IS NULL
         AND json_extract(body, '$.startedAt') >= ? AND json_extract(body, '$.startedAt') < ?
       ORDER BY abs(2 * julianday(json_extract(body, '$.startedAt')) - julianday(?) - julianday(?)) LIMIT ?`,
    )
    .pluck();

  function view({ id, plate, startedAt, entryReadId }: Visit, typed: string): KioskVisit {
    return {
      id,
      plate: plate === null ? null : masked(plate, normalisePlate(typed)),
      startedAt,
      hasPicture: entryReadId !== null && hasPicture(entryReadId),
    };
  }

  return {
    view,
    byPlate(typed, doubtful) {
      const plate = normalisePlate(typed);
      const { length } = [...plate];
      if (length < MIN_TYPED) return null;
      const key = foldPlate(plate);
      // No character of a key comes after the one, none before the other.
      const end = length < MIN_BEGINNING ? `${key}\0` : `${key}\u{10ffff}`;
      const found = byKey.all(key, end, MAX_FOUND).map((body): Visit => JSON.parse(body));
      // What was typed exactly comes first.
      const rank = ({ plate: other }: Visit) => (other?.startsWith(plate) ? 0 : 1);
      const foundIds = new Set(found.map(({ id }) => id));
      const asked = new Set(carsInQuestion(plate, doubtful, foundIds).map(({ visitId }) => visitId));
      const others = [...asked].filter((id) => !foundIds.has(id)).flatMap((id) => byId.all(id));
      const visits = [
        ...found.toSorted((a, b) => rank(a) - rank(b)),
        ...others.map((body): Visit => JSON.parse(body)),
      ];
      return visits.map((visit) => ({
        ...view(visit, plate),
        ...(asked.has(visit.id) && { doubtful: true as const }),
      }));
    },
    byEntry: (from, to) =>
      byEntry.all(from, to, from, to, MAX_ENTRIES).map((body) => {
        const visit: Visit = JSON.parse(body);
        return view(visit, '');
      }),
  };
}

/** As much of the plate as was typed, the rest dots. */
function masked(plate: string, typed: string): string {
  const characters = [...plate];
  const shown = foldPlate(plate).startsWith(foldPlate(typed)) ? [...typed].length : 0;
  return characters.map((character, at) => (at < shown ? character : HIDDEN)).join('');
}
