import { describe, expect, it } from 'vitest';
import type { PassageOutcome } from '../base/statuses.ts';
import type { BoardCar } from '../site-link/site-board.ts';
import { carHere, carToOpenFor, passageOutcome } from './passage-outcome.ts';

const SEEN = '2026-11-21T08:00:00.000Z';
const LATER = '2026-11-21T08:00:01.000Z';
const opened: Parameters<typeof passageOutcome>[0] = { open: true, flags: [], seenAt: SEEN, gate: 'done' };
const sound = { lastError: null, since: LATER };

describe('what came of a passage', () => {
  it.each([
    [opened, 'opened'],
    [{ ...opened, gate: 'wanted' }, 'opening'],
    [{ ...opened, gate: 'untouched' }, 'let-through'],
    [{ ...opened, gate: 'refused' }, 'not-opened'],
    [{ ...opened, gate: 'unreachable' }, 'not-opened'],
    [{ ...opened, gate: 'unknown' }, 'unconfirmed'],
    [{ ...opened, flags: ['gate-unconfirmed'] }, 'unconfirmed'],
    [{ ...opened, open: false, gate: 'untouched' }, 'kept-closed'],
    [{ ...opened, open: false, gate: 'done' }, 'opened-by-hand'],
  ] satisfies [typeof opened, PassageOutcome][])('%o is %s', (passage, outcome) => {
    expect(passageOutcome(passage)).toBe(outcome);
    expect(passageOutcome(passage, sound)).toBe(outcome);
  });

  it('a fault of the gate since then makes an opening doubtful, an older one does not', () => {
    expect(passageOutcome(opened, { lastError: 'no answer', since: LATER })).toBe('unconfirmed');
    expect(passageOutcome({ ...opened, seenAt: LATER }, { lastError: 'no answer', since: SEEN })).toBe(
      'opened',
    );
  });
});

describe('the car for which a person opens', () => {
  const car: BoardCar = {
    ...opened,
    passageId: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
    visitId: null,
    plate: 'ABX12',
    reason: 'need-payment',
    flags: [],
    score: 0.97,
    cameAt: SEEN,
    photoId: 'p1',
    picture: 'none',
    due: null,
    enteredAt: null,
  };
  const gate = { state: 'closed', since: LATER, lastError: null, order: null } as const;

  it('is the one that stands there and has no opening', () => {
    const held: BoardCar = { ...car, open: false, gate: 'untouched' };
    expect(carToOpenFor({ state: 'waiting', since: SEEN, car: held, gate })).toBe(held);
    const stuck: BoardCar = { ...car, gate: 'unreachable' };
    expect(carToOpenFor({ state: 'now', since: SEEN, car: stuck, gate })).toBe(stuck);
  });

  it('is none on an idle lane, and none that was let through', () => {
    expect(carToOpenFor({ state: 'idle', since: SEEN, car: { ...car, open: false }, gate })).toBeNull();
    for (const answer of ['done', 'wanted', 'untouched'] as const) {
      expect(carToOpenFor({ state: 'now', since: SEEN, car: { ...car, gate: answer }, gate })).toBeNull();
    }
  });

  it('is none where the lane only shows that its gate moves, long after the car was there', () => {
    const held: BoardCar = { ...car, open: false, gate: 'untouched' };
    const lane = { state: 'now', since: LATER, car: held, gate } as const;
    expect([carHere(lane), carToOpenFor(lane)]).toEqual([null, null]);
    expect(carHere({ ...lane, since: SEEN })).toBe(held);
  });
});
