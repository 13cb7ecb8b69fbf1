import { describe, expect, it } from 'vitest';
import { permitState, ruleText } from './permit-state.ts';

const NOW = Date.parse('2026-11-23T12:00:00.000Z');
const entry = { status: 'active', activeFrom: null, expireOn: null } as const;

describe('the state of a permit', () => {
  it('goes by its status before its time', () => {
    const over = '2026-11-23T12:00:00.000Z';
    expect(permitState(entry, NOW)).toBe('active');
    expect(permitState({ ...entry, expireOn: over }, NOW)).toBe('expired');
    expect(permitState({ ...entry, activeFrom: '2026-11-23T12:00:00.001Z' }, NOW)).toBe('waiting');
    expect(permitState({ ...entry, status: 'paused', expireOn: over }, NOW)).toBe('paused');
  });
});

describe('weekdays and hours', () => {
  const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
  it.each([
    [[5, 1, 2, 3, 4], '07:00', '19:00', 'Mon–Fri 07:00–19:00'],
    [[6, 7], '00:00', '23:59', 'Sat, Sun'],
    [[1, 3, 4, 5], '22:00', '06:00', 'Mon, Wed–Fri 22:00–06:00'],
  ])('%j from %s to %s are %s', (weekdays, from, to, text) => {
    expect(ruleText({ weekdays, from, to }, names)).toBe(text);
  });
});
