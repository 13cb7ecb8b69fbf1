import { describe, expect, it } from 'vitest';
import { VisitStatusSchema } from '../records/visit.ts';
import { moveBetween, moveVisit, type VisitMove } from './visit-state.ts';

const STATUSES = [null, ...VisitStatusSchema.options] as const;

/** The status to which each move leads from each status; moves that are not named are refused. */
const TABLE: Record<
  VisitMove,
  Partial<Record<'none' | 'new' | 'need-plate' | 'need-payment' | 'completed', string>>
> = {
  entered: { none: 'new' },
  'entered-unreadable': { none: 'need-plate', new: 'need-plate' },
  'plate-given': { 'need-plate': 'new' },
  'asked-to-leave': { new: 'need-payment', 'need-plate': 'need-payment', 'need-payment': 'need-payment' },
  paid: { new: 'new', 'need-payment': 'new' },
  'left-settled': { new: 'completed', 'need-plate': 'completed', 'need-payment': 'completed' },
  voided: { new: 'completed', 'need-plate': 'completed', 'need-payment': 'completed' },
  reopened: { completed: 'new' },
  'reopened-unpaid': { completed: 'need-payment' },
};

const MOVES = [
  'entered',
  'entered-unreadable',
  'plate-given',
  'asked-to-leave',
  'paid',
  'left-settled',
  'voided',
  'reopened',
  'reopened-unpaid',
] as const satisfies readonly VisitMove[];
const CASES = MOVES.flatMap((move) =>
  STATUSES.map((from) => [from, move, TABLE[move][from ?? 'none']] as const),
);

describe('moveVisit', () => {
  it.each(CASES)('moves from %s by %s to %s', (from, move, to) => {
    const result = moveVisit(from, move);
    if (to === undefined) expect(result).toEqual({ ok: false, message: expect.any(String) });
    else expect(result).toEqual({ ok: true, status: to });
  });

  it('says what cannot be', () => {
    expect(moveVisit('completed', 'asked-to-leave')).toEqual({
      ok: false,
      message: 'A visit that is completed cannot become need-payment (asked to leave).',
    });
    expect(moveVisit(null, 'reopened')).toEqual({
      ok: false,
      message: 'A visit that does not exist cannot become new (reopened).',
    });
  });
});

describe('moveBetween', () => {
  /** The design's table: each pair of statuses, and whether a person may make the one the other. */
  it.each([
    ['new', 'new', false],
    ['new', 'need-plate', true],
    ['new', 'need-payment', true],
    ['new', 'completed', true],
    ['need-plate', 'new', true],
    ['need-plate', 'need-plate', false],
    ['need-plate', 'need-payment', true],
    ['need-plate', 'completed', true],
    ['need-payment', 'new', true],
    ['need-payment', 'need-plate', false],
    ['need-payment', 'need-payment', false],
    ['need-payment', 'completed', true],
    ['completed', 'new', true],
    ['completed', 'need-plate', false],
    ['completed', 'need-payment', true],
    ['completed', 'completed', false],
  ] as const)('from %s to %s: %s', (from, to, allowed) => {
    const move = moveBetween(from, to);
    expect(move !== null).toBe(allowed);
    if (move !== null) expect(moveVisit(from, move)).toEqual({ ok: true, status: to });
  });
});
