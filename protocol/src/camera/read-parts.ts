import { z } from 'zod';
import { hideCardNumbers } from '../base/card-number.ts';
import { type PlateCandidate, readablePlate } from '../plate/plate.ts';
import type { PlateBox, PlateRead, ReadPicture, Travel } from '../plate/plate-read.ts';
import { isUnstated } from './unstated.ts';

const MAX_OTHER_CANDIDATES = 20;
const LONGEST_PLATE = 64;
const LONGEST_KEY = 200;

/** A plate as a camera writes it; may be empty. */
export const PlateTextSchema = z.string().max(LONGEST_PLATE);

/** A part of an event's key. */
export const KeyPartSchema = z.string().min(1).max(LONGEST_KEY);

/** A text that some firmware writes as a number; null if it is empty or a placeholder. */
export const GivenTextSchema = z
  .union([z.string().max(LONGEST_KEY), z.number(), z.boolean()])
  .nullish()
  .transform((given) => {
    const text = String(given ?? '').trim();
    return isUnstated(text) ? null : text;
  });

/** Accepts a member that comes several times, once, or not at all: always a list. */
export function oneOrMore<Item extends z.ZodType>(item: Item, most: number) {
  return z.preprocess(
    (value) => (Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]),
    z.array(item).max(most),
  );
}

/** A list that must be there, of which some write a single member without the list around it. */
export function listOf<Item extends z.ZodType>(item: Item, most: number) {
  return z.preprocess(aroundOne, z.array(item).max(most));
}

/** Reads a list as `listOf` does; it may be missing. */
export function listOrNone<Item extends z.ZodType>(item: Item, most: number) {
  return z.preprocess(aroundOne, z.array(item).max(most).nullish());
}

function aroundOne(value: unknown): unknown {
  return value === null || value === undefined || Array.isArray(value) ? value : [value];
}

/** A plate of a maker who may leave it out, or write it as a number. */
export const GivenPlateSchema = z
  .union([PlateTextSchema, z.number()])
  .nullish()
  .transform((given) => String(given ?? ''));

const TRAVEL_BY_WORD = new Map<string, Travel>([
  ...['forward', 'obverse', 'approach', 'approaching', 'in', 'enter', 'entry', 'front', 'towards'].map(
    (word) => [word, 'approaching'] as const,
  ),
  ...[
    'reverse',
    'backward',
    'away',
    'goaway',
    'leave',
    'leaving',
    'depart',
    'departing',
    'out',
    'exit',
    'rear',
    'back',
  ].map((word) => [word, 'leaving'] as const),
]);

/** Yes or no, as a maker's firmware has it: `true`, `1`, `"yes"`. */
export const FlagSchema = z
  .union([z.boolean(), z.number(), z.string().max(40)])
  .nullish()
  .transform((given) => /^(?:true|1|yes)$/i.test(String(given ?? '').trim()));

/** Direction of travel, by a maker's word in any case. */
export function travel(word: string | null | undefined): Travel {
  return TRAVEL_BY_WORD.get((word ?? '').trim().toLowerCase()) ?? 'unknown';
}

/** The camera's own zone, where it names one. */
export function inZone(zone: string | null | undefined): Pick<PlateRead, 'cameraZone'> {
  const cameraZone = zone?.trim().slice(0, LONGEST_KEY);
  return cameraZone ? { cameraZone } : {};
}

/** A number that some firmware writes as a text. */
const CoordinateSchema = z.coerce.number().min(-100_000).max(100_000);

/** Smaller boxes are placeholders: some makers write 0 or 1 for each side. */
const SMALLEST_BOX = 2;

/**
 * The plate's box in the picture, by its left upper corner and its size; nothing where the values are no box.
 */
export function boxAt(x: unknown, y: unknown, width: unknown, height: unknown): Pick<PlateRead, 'box'> {
  const numbers = z.tuple([CoordinateSchema, CoordinateSchema, CoordinateSchema, CoordinateSchema]);
  const given = [x, y, width, height].map((each) => (each === null || each === '' ? undefined : each));
  const read = numbers.safeParse(given);
  if (!read.success) return {};
  const [left, top, wide, high] = read.data;
  if (wide < SMALLEST_BOX || high < SMALLEST_BOX) return {};
  const box: PlateBox = { x: left, y: top, width: wide, height: high };
  return { box };
}

/** The same by two opposite corners. */
export function boxBetween(
  left: unknown,
  top: unknown,
  right: unknown,
  bottom: unknown,
): Pick<PlateRead, 'box'> {
  return boxAt(left, top, Number(right) - Number(left), Number(bottom) - Number(top));
}

/** Gives the reads of one document separate keys, even if the maker gives them one. */
export function withKeysApart(reads: readonly PlateRead[]): PlateRead[] {
  const used = new Map<string, number>();
  return reads.map((read) => {
    const before = used.get(read.eventKey) ?? 0;
    used.set(read.eventKey, before + 1);
    return before === 0 ? read : { ...read, eventKey: `${read.eventKey}#${before}` };
  });
}

/**
 * The parts of a read that depend on each other: an unreadable plate has no score, and the plate is its own
 * candidate.
 *
 * @param plateText the part of the camera's text that is the plate, if it is not the whole
 */
export function plateParts(
  plateRaw: string,
  score: number,
  others: readonly PlateCandidate[],
  plateText = plateRaw,
): Pick<PlateRead, 'plate' | 'plateRaw' | 'score' | 'candidates'> {
  const plate = isUnstated(plateText) ? null : readablePlate(plateText);
  const own = plate === null ? [] : [{ plate, score }];
  const candidates = rank([...own, ...rank(others).slice(0, MAX_OTHER_CANDIDATES)]);
  return { plate, plateRaw: hideCardNumbers(plateRaw), score: plate === null ? 0 : score, candidates };
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
 * (`...base64 jpeg data...`). Recognised by its first bytes, since declared types are often wrong.
 */
export function picture(kind: ReadPicture['kind'], text: string | null | undefined): ReadPicture[] {
  if (text === null || text === undefined) return [];
  const base64 = text.startsWith('data:') ? text.slice(text.indexOf(',') + 1) : text;
  if (/[^A-Za-z0-9+/=\r\n]/.test(base64)) return [];
  if (base64.startsWith('/9j/')) return [{ kind, contentType: 'image/jpeg', base64 }];
  if (base64.startsWith('iVBORw0KGgo')) return [{ kind, contentType: 'image/png', base64 }];
  return [];
}
