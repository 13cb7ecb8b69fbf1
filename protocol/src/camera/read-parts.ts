import { z } from 'zod';
import { type PlateCandidate, readablePlate } from '../plate.ts';
import type { PlateRead, ReadPicture, Travel } from '../plate-read.ts';
import { type UtcTime, utcTime } from '../utc-time.ts';

const END_OF_YEAR_9999_MS = 253_402_300_799_999;
/** Means of single-precision confidences can come out a hair above 100; another scale comes out far above. */
const HIGHEST_PERCENT = 100.01;
const MOST_OTHER_CANDIDATES = 20;
const LONGEST_PLATE = 64;
const LONGEST_KEY = 200;

/** Whole milliseconds since 1970, UTC, to a moment that `UtcTime` can write. */
export const EpochMsSchema = z
  .int()
  .min(0)
  .max(END_OF_YEAR_9999_MS)
  .transform((ms) => utcTime(ms));

/** Seconds, milli-, micro- or nanoseconds since 1970 in digits, told by how many these are; null for anything else. */
export function epochTime(digits: string | null): UtcTime | null {
  const unit = digits === null || !/^\d+$/.test(digits) ? -1 : [10, 13, 16, 19].indexOf(digits.length);
  if (digits === null || unit === -1) return null;
  return utcTime(unit === 0 ? Number(digits) * 1000 : Number(digits.slice(0, 13)));
}

/** A confidence of 0 to 100, to a score of 0 to 1. */
export const PercentSchema = z
  .number()
  .min(0)
  .max(HIGHEST_PERCENT)
  .transform((percent) => Math.min(percent / 100, 1));

/** A plate as a camera writes it; may be empty. */
export const PlateTextSchema = z.string().max(LONGEST_PLATE);

/** A part of an event's key. */
export const KeyPartSchema = z.string().min(1).max(LONGEST_KEY);

/** What makers write where they have nothing to say. */
const NOTHING = new Set(['', '-', '--', 'n/a', 'none', 'null', 'unknown', 'undefined']);

/** A text of a maker who writes numbers as text or not, as firmware has it; null where it says nothing. */
export const GivenTextSchema = z
  .union([z.string().max(LONGEST_KEY), z.number(), z.boolean()])
  .nullish()
  .transform((given) => {
    const text = given === null || given === undefined ? '' : String(given).trim();
    return NOTHING.has(text.toLowerCase()) ? null : text;
  });

/** A plate of a maker who may leave it out, or write it as a number. */
export const GivenPlateSchema = z
  .union([PlateTextSchema, z.number()])
  .nullish()
  .transform((given) => String(given ?? ''));

/** A camera that does not say how sure it is, is believed: it has a threshold of its own. As ONVIF has it. */
const UNSTATED_SCORE = 1;

/**
 * A maker's confidence, as a number or as text, to a score of 0 to 1.
 *
 * @param full what it says when it is certain; firmware that uses the other of the two scales is understood too
 * @param highest some firmware goes on to 255
 */
export function confidence(full: 1 | 100, highest: number = full): z.ZodType<number> {
  return z
    .union([z.string().max(40), z.number()])
    .nullish()
    .transform((given, context) => {
      const text = String(given ?? '').trim();
      if (NOTHING.has(text.toLowerCase())) return UNSTATED_SCORE;
      const [, digits, percent] = /^(-?\d{1,4}(?:[.,]\d{1,20})?) ?(%?)$/.exec(text) ?? [];
      const value = Number(digits?.replace(',', '.') ?? Number.NaN);
      // Less than nothing: no idea.
      if (value < 0) return 0;
      const scale = percent === '%' ? 100 : scaleOf(value, full);
      if (value / scale <= HIGHEST_PERCENT / 100) return Math.min(value / scale, 1);
      if (value <= highest) return value / highest;
      context.issues.push({
        code: 'custom',
        message: `expected a confidence from 0 to ${highest}`,
        input: given,
      });
      return z.NEVER;
    });
}

/** Nobody reports a plate of which he is less than one percent sure, nor one of 2 where 1 is certain. */
function scaleOf(value: number, full: 1 | 100): 1 | 100 {
  if (full === 100) return value > 0 && value < 1 ? 1 : 100;
  return value > HIGHEST_PERCENT / 100 ? 100 : 1;
}

const TRAVEL_BY_WORD = new Map<string, Travel>([
  ...['forward', 'obverse', 'approach', 'approaching', 'in', 'front', 'towards'].map(
    (word) => [word, 'approaching'] as const,
  ),
  ...['reverse', 'backward', 'away', 'leave', 'leaving', 'depart', 'departing', 'out', 'rear'].map(
    (word) => [word, 'leaving'] as const,
  ),
]);

/** Which way a vehicle moved, by a maker's word in any case. */
export function travel(word: string | null | undefined): Travel {
  return TRAVEL_BY_WORD.get((word ?? '').trim().toLowerCase()) ?? 'unknown';
}

/** Reads of one document have keys of their own, even where the maker gives them one. */
export function withKeysApart(reads: readonly PlateRead[]): PlateRead[] {
  const used = new Map<string, number>();
  return reads.map((read) => {
    const before = used.get(read.eventKey) ?? 0;
    used.set(read.eventKey, before + 1);
    return before === 0 ? read : { ...read, eventKey: `${read.eventKey}#${before}` };
  });
}

/**
 * The parts of a read that hang together: an unreadable plate has no score, and the plate is its own candidate.
 *
 * @param plateText what of the camera's text is the plate, where it is not the whole
 */
export function plateParts(
  plateRaw: string,
  score: number,
  others: readonly PlateCandidate[],
  plateText = plateRaw,
): Pick<PlateRead, 'plate' | 'plateRaw' | 'score' | 'candidates'> {
  const plate = readablePlate(plateText);
  const own = plate === null ? [] : [{ plate, score }];
  const candidates = rank([...own, ...rank(others).slice(0, MOST_OTHER_CANDIDATES)]);
  return { plate, plateRaw, score: plate === null ? 0 : score, candidates };
}

/** Best first, each plate once, normalised; of equal scores the earlier stays first. */
function rank(candidates: readonly PlateCandidate[]): PlateCandidate[] {
  const best = new Map<string, number>();
  for (const { plate: raw, score } of candidates) {
    const plate = readablePlate(raw);
    if (plate !== null) best.set(plate, Math.max(score, best.get(plate) ?? 0));
  }
  return [...best].map(([plate, score]) => ({ plate, score })).sort((a, b) => b.score - a.score);
}

/**
 * The picture of a base64 text, empty where it is none: makers and loggers put words in place of pictures
 * (`...base64 jpeg data...`). Told by its first bytes, since declared types are often wrong.
 */
export function picture(kind: ReadPicture['kind'], text: string | null | undefined): ReadPicture[] {
  if (text === null || text === undefined) return [];
  const base64 = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text;
  if (/[^A-Za-z0-9+/=\r\n]/.test(base64)) return [];
  if (base64.startsWith('/9j/')) return [{ kind, contentType: 'image/jpeg', base64 }];
  if (base64.startsWith('iVBORw0KGgo')) return [{ kind, contentType: 'image/png', base64 }];
  return [];
}

/** ISO 3166 alpha-2 of two letters in any case, else null. */
export function alpha2(code: string | null | undefined): string | null {
  return code !== null && code !== undefined && /^[A-Za-z]{2}$/.test(code) ? code.toUpperCase() : null;
}
