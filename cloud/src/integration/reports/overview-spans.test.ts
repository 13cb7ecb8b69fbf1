import { expect, it } from 'vitest';
import { type Compared, spanBefore } from './overview-spans.ts';

it.each<[string, string, Compared, string | null]>([
  ['2026-11-17', '2026-11-23', 'week', '2026-11-10 2026-11-16'],
  ['2026-11-17', '2026-11-24', 'week', null],
  ['2026-11-01', '2026-11-23', 'month', '2026-10-01 2026-10-23'],
  ['2026-02-01', '2026-02-28', 'month', '2026-01-01 2026-01-31'],
  ['2026-03-29', '2026-03-31', 'month', '2026-02-28 2026-02-28'],
  ['2026-11-01', '2026-12-02', 'month', null],
  ['2024-02-29', '2024-02-29', 'year', '2023-02-28 2023-02-28'],
  ['2026-01-01', '2026-12-31', 'year', '2025-01-01 2025-12-31'],
  ['2025-12-31', '2027-01-01', 'year', null],
])('%s to %s has as the same days a %s before: %s', (from, to, compared, expected) => {
  const span = spanBefore({ from, to }, compared);
  expect(span && `${span.from} ${span.to}`).toBe(expected);
});
