import { expect, it } from 'vitest';
import { DUTY_NAMES, dutyOf, permissionsOf } from './duties.ts';

it('finds the work of its own permissions, in any order', () => {
  for (const duty of DUTY_NAMES) {
    const permissions = permissionsOf(duty);
    expect(dutyOf(permissions && [...permissions].reverse())).toBe(duty);
  }
});

it('finds none for other permissions', () => {
  expect(dutyOf([])).toBeNull();
  expect(dutyOf(['money', 'tariffs'])).toBeNull();
});
