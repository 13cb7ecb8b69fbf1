import { expect, it } from 'vitest';
import { choicesOf } from './choices.ts';

const startedOn = '2026-11-21T08:00:00.000Z';

it('lists what the camera read, then other visits, each plate once', () => {
  const visit = {
    id: 'v1',
    plate: 'ABO12',
    startedOn,
    inside: true,
    match: 'equal',
    matchedPlate: 'ABO12',
  } as const;
  const other = { ...visit, id: 'v2', plate: 'ABD12', match: 'near' } as const;
  const choices = choicesOf({
    plate: 'AB012',
    score: 0.4,
    nearby: [visit, { ...visit, id: 'v3', inside: false }, other],
    candidates: [{ plate: 'ABO12', score: 0.3 }],
  });
  expect(choices).toEqual([
    { plate: 'AB012', score: 0.4, visit: null },
    { plate: 'ABO12', score: 0.3, visit },
    { plate: 'ABD12', score: null, visit: other },
  ]);
});
