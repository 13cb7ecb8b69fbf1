import { DAY_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { clockText, dateText, siteWall } from '@hlid/protocol/site-link/site-wall';
import { durationText as lengthText } from '@hlid/protocol/words/length-text';
import { useSyncExternalStore } from 'react';
import { LANGUAGE, wordsOf } from '../words/words.ts';

const WORDS = wordsOf('time');

const TICK_MS = 10_000;

/** The browser's time zone. Reading it takes longer than formatting a time, so it is read once. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

let now = Date.now();
const listeners = new Set<() => void>();
setInterval(() => {
  now = Date.now();
  for (const listener of listeners) listener();
}, TICK_MS);

/** The time, to ten seconds; one clock for every text about how long ago something was. */
export function useNow(): number {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => now,
  );
}

/** A length of time in the words that people use: `2 h 10 min`. */
export function durationText(ms: number): string {
  return lengthText(ms, WORDS.length);
}

/** Day and time on the wall of a site; the year and the zone only where they are others than the browser's. */
export function wallText(at: string, timeZone: string, hasZone = true): string {
  const { day, time } = siteWall(new Date(at), timeZone);
  const zone = isSameClock(timeZone, new Date(at)) || !hasZone ? '' : ` (${timeZone})`;
  const year = day.slice(0, 4) === String(new Date(now).getFullYear()) ? '' : ` ${day.slice(0, 4)}`;
  return `${dateText(day, LANGUAGE)}${year} ${clockText(time, LANGUAGE)}${zone}`;
}

/** Whether the clocks of a site and of this browser show the same at a moment, whatever their zones are called. */
export function isSameClock(timeZone: string, at: Date): boolean {
  const here = siteWall(at, OWN_ZONE);
  const there = siteWall(at, timeZone);
  return here.day === there.day && here.time === there.time;
}

/** A moment: how long ago, with the exact time of the site under the pointer and for screen readers. */
export function Moment({
  at,
  timeZone,
  isExact = false,
}: {
  at: string;
  timeZone: string;
  isExact?: boolean;
}) {
  const present = useNow();
  const exact = wallText(at, timeZone);
  return (
    <time dateTime={at} title={exact}>
      {isExact ? exact : agoText(present - Date.parse(at), exact)}
    </time>
  );
}

function agoText(ms: number, exact: string): string {
  if (Math.abs(ms) < MINUTE_MS) return WORDS.now;
  if (Math.abs(ms) >= 7 * DAY_MS) return exact;
  const text = durationText(Math.abs(ms));
  return ms > 0 ? WORDS.ago({ text }) : WORDS.ahead({ text });
}
