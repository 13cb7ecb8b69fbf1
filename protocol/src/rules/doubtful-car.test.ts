import { describe, expect, it } from 'vitest';
import { carsInQuestion, type DoubtfulCar } from './doubtful-car.ts';

const NOBODY = new Set<string>();
const near: DoubtfulCar = { visitId: 'v1', visitPlate: 'BTE96', readPlates: ['BTE9Z'] };
const equal: DoubtfulCar = { visitId: 'v2', visitPlate: 'KLM45', readPlates: ['KLM45', 'KLN45'] };

const asked = (typed: string, found: ReadonlySet<string> = NOBODY) =>
  carsInQuestion(typed, [near, equal], found).map(({ visitId }) => visitId);

describe('carsInQuestion', () => {
  it.each([
    ['what was read', 'BTE9Z'],
    ['his own plate, one character from the visit’s', 'BTE97'],
    ['the beginning of either', 'BTE'],
    ['the beginning of a plate that is one character from it', 'BTX9'],
    ['something else altogether', 'XYZ11'],
  ])('asks a driver who types %s', (_what, typed) => {
    expect(asked(typed)).toContain('v1');
  });

  it('asks no driver who types the plate of the visit', () => {
    expect(asked('BTE96')).not.toContain('v1');
    expect(asked('KLM45')).not.toContain('v2');
  });

  it('asks no driver who finds his own car, unless what he types is like it', () => {
    expect(asked('MKJ45', new Set(['v9']))).toEqual([]);
    expect(asked('BTE97', new Set(['v9']))).toEqual(['v1']);
    expect(asked('BTE', new Set(['v1', 'v9']))).toEqual(['v1']);
  });

  it('asks of a car that was read as the plate of its visit only whose own plate is like it', () => {
    expect(asked('KLM46')).toContain('v2');
    expect(asked('XYZ11')).not.toContain('v2');
  });
});
