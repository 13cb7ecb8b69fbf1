import { z } from 'zod';
import { type PlateCandidate, readablePlate } from '../plate.ts';
import type { PlateRead, ReadPicture } from '../plate-read.ts';
import { utcTime } from '../utc-time.ts';

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

/** The parts of a read that hang together: an unreadable plate has no score, and the plate is its own candidate. */
export function plateParts(
  plateRaw: string,
  score: number,
  others: readonly PlateCandidate[],
): Pick<PlateRead, 'plate' | 'plateRaw' | 'score' | 'candidates'> {
  const plate = readablePlate(plateRaw);
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
export function picture(kind: ReadPicture['kind'], base64: string | null | undefined): ReadPicture[] {
  if (base64 === null || base64 === undefined || /[^A-Za-z0-9+/=\r\n]/.test(base64)) return [];
  if (base64.startsWith('/9j/')) return [{ kind, contentType: 'image/jpeg', base64 }];
  if (base64.startsWith('iVBORw0KGgo')) return [{ kind, contentType: 'image/png', base64 }];
  return [];
}

/** ISO 3166 alpha-2 of two letters in any case, else null. */
export function alpha2(code: string | null | undefined): string | null {
  return code !== null && code !== undefined && /^[A-Za-z]{2}$/.test(code) ? code.toUpperCase() : null;
}
