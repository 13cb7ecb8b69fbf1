import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { type KioskVisit, MAX_ENTRIES } from '@hlid/protocol/pages/kiosk-api';
import {
  comparePlates,
  foldPlate,
  HIDDEN_CHARACTER,
  isLookalike,
  knownPlate,
  normalisePlate,
  typedLength,
} from '@hlid/protocol/plate/plate';
import { MIN_NEAR_TYPED } from '@hlid/protocol/plate/plate-search';
import type { Visit } from '@hlid/protocol/records/visit';
import { carsInQuestion, type DoubtfulCar } from '@hlid/protocol/rules/doubtful-car';
import type { SiteDb } from '../db/site-db.ts';

/** The shortest text that is searched: private plates can be that short. */
export const MIN_TYPED = 2;
/** The beginning of a plate: fewer letters would show every visitor who is here. */
const MIN_BEGINNING = 3;
/** More than a driver looks through. */
const MAX_FOUND = 12;
/** The most visits of a key that are searched: not every plate of a key begins as it was typed. */
const MAX_WITH_KEY = 100;

/** Finds visits for drivers, who look for their own cars and learn nothing of others beyond what they know. */
export class VisitFinder {
  readonly #byKey;
  readonly #byId;
  readonly #byEntry;
  readonly #hasPicture: (readId: string) => boolean;

  constructor(db: SiteDb, hasPicture: (readId: string) => boolean) {
    this.#hasPicture = hasPicture;
    this.#byKey = db
      .prepare<[string, string, number], string>(
        `SELECT body FROM visit WHERE plate_key >= ? AND plate_key < ? AND ended_at IS NULL
         ORDER BY plate_key LIMIT ?`,
      )
      .pluck();
    this.#byId = db
      .prepare<[string], string>('SELECT body FROM visit WHERE id = ? AND ended_at IS NULL')
      .pluck();
    this.#byEntry = db
      .prepare<[UtcTime, UtcTime, UtcTime, UtcTime, number], string>(
        `SELECT body FROM visit WHERE ended_at IS NULL
           AND json_extract(body, '$.startedAt') >= ? AND json_extract(body, '$.startedAt') < ?
         ORDER BY abs(2 * julianday(json_extract(body, '$.startedAt')) - julianday(?) - julianday(?)) LIMIT ?`,
      )
      .pluck();
  }

  /** A visit as its driver sees it, with the part of the plate that was typed. */
  view({ id, plate, startedAt, entryReadId }: Visit, typed: string): KioskVisit {
    return {
      id,
      plate: plate === null ? null : masked(plate, normalisePlate(typed)),
      startedAt,
      hasPicture: entryReadId !== null && this.#hasPicture(entryReadId),
    };
  }

  /**
   * Finds open visits by a plate that begins with the typed text, in any spelling of its letters, or can be
   * mistaken for one that does. Two typed letters must be the whole plate. It adds visits of waiting cars
   * with a similar plate, and visits that an exit asks about because of a doubtful car. Null: too little was
   * typed.
   */
  byPlate(typed: string, doubtful: readonly DoubtfulCar[], waiting: readonly Visit[]): KioskVisit[] | null {
    const plate = normalisePlate(typed);
    const { length } = [...plate];
    if (length < MIN_TYPED) return null;
    const key = foldPlate(plate);
    // No character of a key comes after the one, none before the other.
    const end = length < MIN_BEGINNING ? `${key}\0` : `${key}\u{10ffff}`;
    const fits = (other: string) =>
      length < MIN_BEGINNING ? isLookalike(other, plate) : typedLength(other, plate) !== null;
    const begins = this.#byKey
      .all(key, end, MAX_WITH_KEY)
      .map((body): Visit => JSON.parse(body))
      .filter((visit) => visit.plate !== null && fits(visit.plate))
      .slice(0, MAX_FOUND);
    const found = [...begins, ...nearOf(plate, waiting, begins)];
    // Exact matches come first.
    const rank = ({ plate: other }: Visit) => (other?.startsWith(plate) ? 0 : 1);
    const foundIds = new Set(found.map(({ id }) => id));
    const asked = new Set(carsInQuestion(plate, doubtful, foundIds).map(({ visitId }) => visitId));
    const others = [...asked].filter((id) => !foundIds.has(id)).flatMap((id) => this.#byId.all(id));
    const visits = [
      ...found.toSorted((a, b) => rank(a) - rank(b)),
      ...others.map((body): Visit => JSON.parse(body)),
    ];
    return visits.map((visit) => ({
      ...this.view(visit, plate),
      ...(asked.has(visit.id) && { doubtful: true as const }),
    }));
  }

  /** A few open visits by the time of entry, without their plates. */
  byEntry(from: UtcTime, to: UtcTime): KioskVisit[] {
    return this.#byEntry.all(from, to, from, to, MAX_ENTRIES).map((body) => {
      const visit: Visit = JSON.parse(body);
      return this.view(visit, '');
    });
  }
}

/** The waiting cars with a similar plate: the driver, or the camera, has one character wrong. */
function nearOf(typed: string, waiting: readonly Visit[], found: readonly Visit[]): Visit[] {
  if (typed.length < MIN_NEAR_TYPED) return [];
  return waiting.filter(
    ({ id, plate }) =>
      plate !== null && comparePlates(typed, plate) === 'near' && !found.some((visit) => visit.id === id),
  );
}

/** The plate with the typed characters, and dots for the rest. */
function masked(plate: string, typed: string): string {
  const characters = [...plate];
  const shown = typedLength(plate, typed);
  const isNear = typed.length >= MIN_NEAR_TYPED && comparePlates(typed, plate) === 'near';
  if (shown === null && isNear) return knownPlate(plate, typed);
  return characters.map((character, at) => (at < (shown ?? 0) ? character : HIDDEN_CHARACTER)).join('');
}

/** A driver who types searches a few times; more than this is not people paying. */
const SPANS = [
  { span: 'minute', ms: MINUTE_MS, max: 60 },
  { span: 'hour', ms: HOUR_MS, max: 1000 },
] as const;

/**
 * Limits how often the site's kiosks may search for visits: a found plate shows who is here, and trying all
 * plates must be impossible.
 */
export class SearchLimit {
  readonly #count;
  readonly #forget;

  constructor(db: SiteDb) {
    this.#count = db
      .prepare<[string, UtcTime], number>(
        `INSERT INTO kiosk_search (span, began, searches) VALUES (?, ?, 1) ON CONFLICT (span, began) DO UPDATE SET searches = searches + 1 RETURNING searches`,
      )
      .pluck();
    this.#forget = db.prepare<[string, UtcTime]>('DELETE FROM kiosk_search WHERE span = ? AND began <> ?');
  }

  /** Counts one more search, within the running transaction; false: there were too many. */
  allows(at: UtcTime): boolean {
    const counts = SPANS.map(({ span, ms, max }) => {
      const began = utcTime(Math.floor(Date.parse(at) / ms) * ms);
      this.#forget.run(span, began);
      return (this.#count.get(span, began) ?? 0) <= max;
    });
    return counts.every(Boolean);
  }
}
