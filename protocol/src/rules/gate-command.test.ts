import { describe, expect, it } from 'vitest';
import { GATE_REASONS } from '../records/gate-reason.ts';
import { endChoices, needsNote, reasonsFor, usualInput } from './gate-command.ts';

describe('a command for a gate', () => {
  it.each(['open', 'hold', 'close', 'release'] as const)('offers every reason once to %s', (action) => {
    expect(reasonsFor(action).toSorted()).toEqual(GATE_REASONS.toSorted());
    expect(reasonsFor(action)).toContain(usualInput(action, null).reasonCode);
  });

  it('begins with the likeliest reason for the car that is meant', () => {
    expect(usualInput('open', null).reasonCode).toBe('guest');
    expect(usualInput('open', { plate: null, reason: 'need-payment' }).reasonCode).toBe('unreadable-plate');
    expect(usualInput('open', { plate: 'ABX12', reason: 'need-payment' }).reasonCode).toBe('cannot-pay');
    expect(usualInput('hold', null)).toEqual({ reasonCode: 'event', note: '', lapseMinutes: 60 });
    expect(usualInput('close', null)).toEqual({ reasonCode: 'works', note: '', lapseMinutes: 15 });
  });

  it('keeps an exit closed for a short time only', () => {
    expect(endChoices('close', 'exit')).toEqual([5, 15]);
    expect(endChoices('close', 'entry')).toContain(1440);
    expect(endChoices('hold', 'exit')).toContain(1440);
  });

  it('needs a note for another reason than the given ones', () => {
    expect(needsNote({ ...usualInput('open', null), reasonCode: 'other' })).toBe(true);
    expect(needsNote(usualInput('open', null))).toBe(false);
  });
});
