import { readFileSync } from 'node:fs';
import { decode, encode, type RawImageData } from 'jpeg-js';

const FOLDER = new URL('../fixtures/cars/', import.meta.url);
const MODELS = ['estate', 'hatchback', 'jeep', 'sedan', 'suv', 'van'] as const;
type Scene = 'day' | 'night' | 'snow';

/** The characters of `plate-letters.jpg`, side by side. */
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZÁÐÉÍÓÚÝÞÆÖ0123456789';
const LETTER = { width: 20, height: 26 };
/** The plate in each picture, as `draw-cars.mjs` draws it. */
const PLATE = { left: 182, top: 255, width: 148, height: 34 };
const INK = [28, 40, 92] as const;
const MUD = [104, 84, 62] as const;
/** How much of a plate mud covers that no camera can read, 0 to 1. */
const DIRTY = 0.8;
const QUALITY = 70;

const read = new Map<string, RawImageData<Uint8Array>>();

/**
 * A JPEG of a car from the front. One plate always has the same car; the light is that of the hour in Iceland.
 *
 * @param isDirty no camera can read its plate
 */
export function carPicture(plate: string, at: Date, { isDirty = false } = {}): Buffer {
  const model = MODELS[hash(plate) % MODELS.length] ?? MODELS[0];
  const { width, height, data } = picture(`${model}-${sceneAt(at)}`);
  const drawn = { width, height, data: Uint8Array.from(data) };
  writePlate(drawn, plate);
  if (isDirty) cover(drawn);
  return Buffer.from(encode(drawn, QUALITY).data);
}

function sceneAt(at: Date): Scene {
  const hour = at.getUTCHours();
  const month = at.getUTCMonth() + 1;
  const isWinter = month >= 11 || month <= 3;
  if (hour < (isWinter ? 9 : 5) || hour >= (isWinter ? 17 : 22)) return 'night';
  return isWinter && at.getUTCDate() % 3 === 0 ? 'snow' : 'day';
}

function writePlate(image: RawImageData<Uint8Array>, plate: string): void {
  const letters = picture('plate-letters');
  const characters = [...plate.toUpperCase()].filter((character) => LETTERS.includes(character));
  const left = PLATE.left + Math.round((PLATE.width - characters.length * LETTER.width) / 2);
  const top = PLATE.top + (PLATE.height - LETTER.height) / 2;
  for (const [index, character] of characters.entries()) {
    const from = LETTERS.indexOf(character) * LETTER.width;
    for (let y = 0; y < LETTER.height; y++) {
      for (let x = 0; x < LETTER.width; x++) {
        const light = letters.data[4 * (y * letters.width + from + x)] ?? 255;
        mix(image, left + index * LETTER.width + x, top + y, INK, 1 - light / 255);
      }
    }
  }
}

function cover(image: RawImageData<Uint8Array>): void {
  for (let y = 0; y < PLATE.height; y++) {
    for (let x = 0; x < PLATE.width; x++) mix(image, PLATE.left + x, PLATE.top + y, MUD, DIRTY);
  }
}

/** @param share how much of the colour, 0 to 1 */
function mix(
  { width, data }: RawImageData<Uint8Array>,
  x: number,
  y: number,
  colour: readonly [number, number, number],
  share: number,
): void {
  const at = 4 * (y * width + x);
  for (const [index, part] of colour.entries()) {
    data[at + index] = Math.round((data[at + index] ?? 0) * (1 - share) + part * share);
  }
}

function picture(name: string): RawImageData<Uint8Array> {
  const known = read.get(name);
  if (known) return known;
  const image = decode(readFileSync(new URL(`${name}.jpg`, FOLDER)), { useTArray: true });
  read.set(name, image);
  return image;
}

function hash(text: string): number {
  return Array.from(text).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_003, 7);
}
