import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { comparePlates, foldPlate, normalisePlate } from './plate.ts';
import { nearKeys, plateDifferences } from './plate-search.ts';

const CHARACTERS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZÞÆÖØÅÜ'];
const plates = fc
  .array(fc.constantFrom(...CHARACTERS), { minLength: 3, maxLength: 8 })
  .map((letters) => normalisePlate(letters.join('')));

describe('the keys near a plate', () => {
  it('have all that one mistake leads to', () => {
    const mistake = fc.tuple(fc.nat(), fc.constantFrom('', ...CHARACTERS), fc.boolean());
    fc.assert(
      fc.property(plates, mistake, (plate, [place, character, replaces]) => {
        const at = place % (plate.length + 1);
        const other = plate.slice(0, at) + character + plate.slice(at + (replaces ? 1 : 0));
        if (comparePlates(plate, other) !== 'near') return;
        expect([foldPlate(plate), ...nearKeys(plate)], other).toContain(foldPlate(other));
      }),
    );
  });

  it('have what remains of a plate of which one line was read, or which was read with its country', () => {
    fc.assert(
      fc.property(
        plates,
        fc.constantFrom('IS', 'DK', 'D', 'N', 'S', 'FIN', 'PL'),
        fc.nat(),
        (plate, sign, at) => {
          expect([foldPlate(plate), ...nearKeys(plate)]).toContain(foldPlate(sign + plate));
          const [one, other] = [plate.slice(at % plate.length), plate.slice(0, at % plate.length)];
          for (const part of [one, other]) {
            if (comparePlates(plate, part) === 'near') {
              expect([foldPlate(plate), ...nearKeys(plate)]).toContain(foldPlate(part));
            }
          }
        },
      ),
    );
    expect(nearKeys('ISABX12')).toContain(foldPlate('ABX12'));
    expect(nearKeys('ABX12')).toContain(foldPlate('ISABX12'));
  });

  it('lead to nothing else', () => {
    for (const key of nearKeys('NKRV7')) expect(comparePlates('NKRV7', key)).toBe('near');
  });

  it('are some hundreds, each once', () => {
    const keys = nearKeys('ABX12');
    expect(keys.length).toBeLessThan(400);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).not.toContain(foldPlate('ABX12'));
    expect(nearKeys('AB')).toEqual([]);
  });
});

describe('the differences of two plates', () => {
  it.each([
    ['ABX12', 'ABX12', []],
    ['ABX12', 'A8X12', [{ at: 1, typed: 'B', found: '8' }]],
    ['ABX12', 'ABY12', [{ at: 2, typed: 'X', found: 'Y' }]],
    [
      'ABX12',
      'A8Y12',
      [
        { at: 1, typed: 'B', found: '8' },
        { at: 2, typed: 'X', found: 'Y' },
      ],
    ],
    ['ABX12', 'ABX123', [{ at: 5, typed: '', found: '3' }]],
    ['ABX12', 'KABX12', [{ at: 0, typed: '', found: 'K' }]],
    ['ABX123', 'BX123', [{ at: 0, typed: 'A', found: '' }]],
    [
      'ABX123',
      'A8X12',
      [
        { at: 1, typed: 'B', found: '8' },
        { at: 5, typed: '3', found: '' },
      ],
    ],
  ])('of %s and %s', (typed, found, differences) => {
    expect(plateDifferences(typed, found)).toEqual(differences);
  });
});
