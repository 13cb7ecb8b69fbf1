import { comparePlates, normalisePlate } from '@hlid/protocol/plate/plate';
import { expect, it } from 'vitest';
import { misread, newPlate } from './plates.ts';
import { seededRandom } from './seeded-random.ts';

it('makes the same plates from the same seed, in normalised form', () => {
  const plates = (seed: number) => {
    const random = seededRandom(seed);
    return Array.from({ length: 200 }, () => newPlate(random));
  };
  expect(plates(7)).toEqual(plates(7));
  expect(plates(7)).not.toEqual(plates(8));
  for (const plate of plates(7)) expect(normalisePlate(plate)).toBe(plate);
});

it('misreads as cameras do', () => {
  const random = seededRandom(1);
  for (let tried = 0; tried < 300; tried++) {
    const plate = newPlate(random);
    const confusable = misread(plate, 'confusable', random);
    expect(confusable && comparePlates(plate, confusable)).toMatch(/equal|confusable/);
    const cut = misread(plate, 'lost-last', random);
    expect(cut && comparePlates(plate, cut)).toMatch(/equal|near/);
    expect(misread(plate, 'unreadable', random)).toBeNull();
  }
});
