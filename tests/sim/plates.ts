import type { SeededRandom } from './seeded-random.ts';

/** The letters that Icelandic plates of the present series begin with and use. */
const LETTERS = [...'ABDEFGHIJKLMNOPRSTUVXYZ'] as [string, ...string[]];
const DIGITS = [...'0123456789'] as [string, ...string[]];
const PRIVATE = ['ÞÓR', 'FJALL', 'SKATA', 'LUNDI', 'BIRTA', 'KRÍA', 'HEKLA', 'ELDUR'] as const;

/** The characters that a camera mistakes for each other, when the plate is dirty or the sun is low. */
// biome-ignore format: a table
const MISTAKEN: Readonly<Record<string, string>> = {
  '0': 'O', O: '0', D: '0', '1': 'I', I: '1', L: '1', '2': 'Z', Z: '2',
  '5': 'S', S: '5', '6': 'G', G: '6', '8': 'B', B: '8',
};

export type Misreading = 'none' | 'confusable' | 'lost-last' | 'unreadable';

/** A plate as on Icelandic cars: ABX12 (since 2007), sometimes MK345 (before), now and then a private one. */
export function newPlate(random: SeededRandom): string {
  const letters = (count: number) => Array.from({ length: count }, () => random.pick(LETTERS)).join('');
  const digits = (count: number) => Array.from({ length: count }, () => random.pick(DIGITS)).join('');
  const kind = random.next();
  if (kind < 0.04) return `${random.pick(PRIVATE)}${random.between(1, 9)}`;
  return kind < 0.2 ? letters(2) + digits(3) : letters(3) + digits(2);
}

/**
 * The plate as the camera reads it; null where it cannot read it. A plate without such a character reads
 * well.
 */
export function misread(plate: string, how: Misreading, random: SeededRandom): string | null {
  switch (how) {
    case 'none':
      return plate;
    case 'unreadable':
      return null;
    case 'lost-last':
      return plate.length > 4 ? plate.slice(0, -1) : plate;
    case 'confusable': {
      const at = [...plate].flatMap((character, index) => (MISTAKEN[character] ? [index] : []));
      const [first, ...rest] = at;
      if (first === undefined) return plate;
      const index = random.pick([first, ...rest]);
      return plate.slice(0, index) + (MISTAKEN[plate.charAt(index)] ?? '') + plate.slice(index + 1);
    }
    default:
      return how satisfies never;
  }
}
