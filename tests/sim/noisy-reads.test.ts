import { createTestSite } from '@hlid/edge/test/site';
import { expect, it } from 'vitest';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

const CARS = 24;
const FRAMES = 6;
const MISREAD = 0.4;
const CHARACTERS = [...'ABDEFGHIJKLMNOPRSTUVXYZ0123456789'] as [string, ...string[]];

/** One character is taken for another, is lost, or comes in beside it. */
function misread(plate: string, random: SeededRandom): string {
  const at = random.between(0, plate.length - 1);
  const instead = random.pick(['other', 'other', 'other', 'lost', 'more'] as const);
  const character = random.pick(CHARACTERS);
  const rest = plate.slice(instead === 'more' ? at : at + 1);
  return plate.slice(0, at) + (instead === 'lost' ? '' : character) + rest;
}

function newPlate(random: SeededRandom): string {
  const letters = Array.from({ length: 3 }, () => random.pick(CHARACTERS));
  return `${letters.join('')}${random.between(10, 99)}`;
}

it.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'makes one visit of each car, with its plate, where two frames of five are misread (seed %d)',
  async (seed) => {
    const random = seededRandom(seed);
    const site = createTestSite();
    try {
      const plates = Array.from({ length: CARS }, () => newPlate(random));
      for (const plate of plates) {
        for (let frame = 0; frame < FRAMES; frame++) {
          const read = random.chance(MISREAD) ? misread(plate, random) : plate;
          await site.read('in-1', read, { score: random.between(75, 97) / 100 });
          site.wait(300);
        }
        site.wait(15_000);
      }
      const visits = site.visits();
      expect(visits).toHaveLength(CARS);
      const right = visits.filter((visit, nth) => visit.plate === plates[nth]).length;
      // If half of a car's frames are misread, no vote finds its plate.
      expect(right).toBeGreaterThanOrEqual(CARS - 3);
      expect(site.gates['in-1'].pulses).toBe(CARS);
    } finally {
      site.close();
    }
  },
);
