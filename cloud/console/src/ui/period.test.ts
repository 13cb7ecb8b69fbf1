import { describe, expect, it } from 'vitest';
import { periodOf } from './period.ts';

describe('periodOf', () => {
  it.each([
    ['today', '2026-03-01', '2026-03-01', '2026-03-01'],
    ['yesterday', '2026-03-01', '2026-02-28', '2026-02-28'],
    ['week', '2026-03-03', '2026-02-25', '2026-03-03'],
    ['days30', '2024-03-01', '2024-02-01', '2024-03-01'],
    ['month', '2026-12-31', '2026-12-01', '2026-12-31'],
    ['lastMonth', '2026-01-15', '2025-12-01', '2025-12-31'],
    ['lastMonth', '2024-03-31', '2024-02-01', '2024-02-29'],
  ] as const)('%s on %s is from %s to %s', (name, today, from, to) => {
    expect(periodOf(name, today)).toEqual({ from, to });
  });
});
