import { describe, expect, it } from 'vitest';
import { plateCharacters } from './plate-doubt.ts';

const doubts = (...given: Parameters<typeof plateCharacters>) =>
  plateCharacters(...given).map(({ character, doubt, others }) => [character, doubt > 0, others]);

describe('plateCharacters', () => {
  it('marks where candidates differ, the likeliest alternative first', () => {
    const candidates = [
      { plate: 'AB012', score: 0.5 },
      { plate: 'ABO12', score: 0.2 },
      { plate: 'ABD12', score: 0.3 },
    ];
    expect(doubts('AB012', 0.5, candidates)).toEqual([
      ['A', false, []],
      ['B', false, []],
      ['0', true, ['D', 'O']],
      ['1', false, []],
      ['2', false, []],
    ]);
    expect(plateCharacters('AB012', 0.5, candidates)[2]?.doubt).toBe(0.5);
  });

  it('finds a lost and a surplus character', () => {
    expect(doubts('ABX12', 0.6, [{ plate: 'AB12', score: 0.3 }])[2]).toEqual(['X', true, ['']]);
    expect(doubts('AB12', 0.6, [{ plate: 'ABX12', score: 0.3 }])[1]).toEqual(['B', true, ['BX']]);
  });

  it('doubts what is easily mixed up where there is nothing to compare with', () => {
    const marked = plateCharacters('KO1X', 0.6, [{ plate: 'KO1X', score: 0.6 }]);
    expect(marked.map(({ doubt }) => doubt)).toEqual([0, 0.4, 0.4, 0]);
    expect(plateCharacters('KO1X', 1, []).map(({ doubt }) => doubt)).toEqual([0, 0, 0, 0]);
  });

  it('has the characters of the plate, whatever the candidates are', () => {
    const candidates = [
      { plate: 'X', score: 1 },
      { plate: 'ÞÆÖ123456789', score: 0 },
      { plate: '999999', score: 0.1 },
    ];
    const found = plateCharacters('AB12', 0.2, candidates);
    expect(found.map(({ character }) => character).join('')).toBe('AB12');
    expect(found.every(({ doubt }) => doubt >= 0 && doubt <= 1)).toBe(true);
  });
});
