import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { z } from '@hono/zod-openapi';
import { daySpan } from '../../platform/day-span.ts';

const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** A month or a day. */
export const PeriodSchema = z
  .union([z.iso.date(), z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)])
  .describe('A month, `2026-11`, or a day, `2026-11-28`, where each site is.');

/** Days, both included. */
export interface BookPeriod {
  name: string;
  from: string;
  to: string;
}

export function bookPeriod(name: string): BookPeriod {
  if (name.length === DAY_LENGTH) return { name, from: name, to: name };
  const [year = 0, month = 1] = name.split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 1) - DAY_MS).toISOString().slice(0, DAY_LENGTH);
  return { name, from: `${name}-01`, to: last };
}

export function daysOf({ from, to }: BookPeriod): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = dayAfter(day, 1)) days.push(day);
  return days;
}

/** Whether the last day is over in all these zones. */
export function isOver({ to }: BookPeriod, zones: readonly string[], now: string): boolean {
  return zones.every((zone) => daySpan(to, zone).before <= now);
}
