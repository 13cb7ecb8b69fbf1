import { expect, it } from 'vitest';
import { CharacterOdds } from './character-odds.ts';

it('holds the same plate for likelier than one that looks alike, and that for likelier than another', () => {
  const odds = new CharacterOdds();
  const [same, alike, other] = ['ABO12', 'AB012', 'ABX12'].map((plate) => odds.logOf('ABO12', plate));
  expect(same).toBeGreaterThan(alike ?? 0);
  expect(alike).toBeGreaterThan(other ?? 0);
});

it('respects lengths: one character may be lost, not two, and never are two transposed', () => {
  const odds = new CharacterOdds();
  expect(odds.logOf('ABX12', 'ABX1')).toBeGreaterThan(odds.logOf('ABX12', 'ABY3'));
  expect(odds.logOf('ABX12', 'ABX')).toBe(Number.NEGATIVE_INFINITY);
  expect(odds.logOf('ABX12', 'ABX21')).toBeCloseTo(odds.logOf('ABX12', 'ABX77'), 9);
});

it('adds up to one over all reads of a character, before and after it has learned', () => {
  const odds = new CharacterOdds();
  const all = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];
  const sumOf = (before: string) => all.reduce((sum, now) => sum + Math.exp(odds.logOf(before, now)), 0);
  expect(sumOf('X')).toBeLessThanOrEqual(1.001);
  const before = odds.logOf('X', 'K');
  for (let n = 0; n < 200; n++) odds.learn('XXXXX', n % 4 === 0 ? 'XXKXX' : 'XXXXX');
  expect(sumOf('X')).toBeLessThanOrEqual(1.001);
  expect(odds.logOf('X', 'K')).toBeGreaterThan(before + 2);
});
