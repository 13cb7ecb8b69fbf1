import type { PassageView } from '@hlid/edge/passage/passage-view';
import { expect, it } from 'vitest';
import { createPassageLines, passageLine } from './passage-line.ts';

const passage: PassageView = {
  id: 'p1',
  at: '2026-11-21T08:30:05.120Z',
  laneId: 'out-1',
  plate: 'ABX12',
  open: false,
  reason: 'need-payment',
  visitId: null,
  flags: ['uncertain-plate'],
  gate: 'untouched',
};

it('prints in one line what happened at a lane', () => {
  const options = { timeZone: 'Atlantic/Reykjavik', colour: false, journey: 'visitor' };
  expect(passageLine(passage, { name: 'Exit 1' }, options)).toBe(
    '08:30:05  ABX12     Exit 1      visitor        closed  Payment due [need-payment]  (Plate uncertain)',
  );
  expect(
    passageLine(
      { ...passage, plate: null, open: true, flags: [] },
      { name: 'Exit 1' },
      { ...options, journey: null },
    ),
  ).toContain('?         Exit 1                     OPEN  ');
});

it('prints each decision once, a later one with its own time', () => {
  const now = new Date('2026-11-21T08:30:09.000Z');
  const update = createPassageLines({ now: () => now });
  expect([update(passage), update(passage)]).toEqual([passage, null]);
  const paid = { ...passage, open: true, reason: 'paid' as const };
  expect(update(paid)).toEqual({ ...paid, at: '2026-11-21T08:30:09.000Z' });
  expect(update({ ...passage, id: 'p2' })).toMatchObject({ at: passage.at });
});
