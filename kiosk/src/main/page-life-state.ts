import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';

/** More faults than this within the window, and the page is not tried again at once. */
const MAX_FAULTS = 3;
const FAULTS_WITHIN_MS = 5 * MINUTE_MS;
const LOADS_WITHIN_MS = 20_000;
const MAX_SILENT_MS = 20_000;
/** An empty screen is a fault once it lasts: while it loads there is nothing on it. */
const MAX_EMPTY_MS = 10_000;
const HELP_SHOWN_MS = MINUTE_MS;
/** The number of recoveries in a row after which the program ends, so that its service restarts it. */
const MAX_HELPS = 5;
/** A page that has been up for a day reloads while the kiosk is idle; whatever it leaked is gone. */
const FRESH_FOR_MS = 24 * HOUR_MS;
/** A page that has run for this long is healthy again: the count of help starts at nothing. */
const HEALTHY_AFTER_MS = 10 * MINUTE_MS;

/** How the page does. Times are of a monotonic clock, in milliseconds. */
export interface PageLife {
  at: 'loading' | 'running' | 'helping';
  since: number;
  beatAt: number;
  shownAt: number;
  /** When the latest faults were. */
  faults: readonly number[];
  /** How often help was shown since it was last well. */
  helps: number;
}

export type PageEvent =
  | { type: 'beat'; shows: boolean; idle: boolean }
  /** Its process has ended, could not load it, or answers no more. */
  | { type: 'fault' }
  | { type: 'tick' };

/** The next act of the shell. */
export type PageStep = 'none' | 'load' | 'help' | 'leave';

/** The state at the start, together with a first `load`. */
export function newPageLife(now: number): PageLife {
  return { at: 'loading', since: now, beatAt: now, shownAt: now, faults: [], helps: 0 };
}

/**
 * The page's next state. A fault reloads it. Faults that come too fast show a help screen for a minute, then
 * the page is tried again. If that does not help either, the program ends.
 */
export function followPage(
  life: PageLife,
  event: PageEvent,
  now: number,
): { life: PageLife; step: PageStep } {
  if (event.type === 'fault') return life.at === 'helping' ? stay(life) : fail(life, now);
  if (event.type === 'beat') {
    // The help screen beats too.
    if (life.at === 'helping') return stay(life);
    const shownAt = event.shows ? now : life.shownAt;
    const running = life.at === 'running' || event.shows;
    const beaten: PageLife = {
      ...life,
      at: running ? 'running' : 'loading',
      beatAt: now,
      shownAt,
      since: life.at === 'running' || !running ? life.since : now,
    };
    if (now - shownAt > MAX_EMPTY_MS) return fail(beaten, now);
    if (event.idle && running && now - beaten.since > FRESH_FOR_MS) return load(beaten, now);
    return stay(beaten);
  }
  switch (life.at) {
    case 'loading':
      return now - life.since > LOADS_WITHIN_MS ? fail(life, now) : stay(life);
    case 'running':
      if (now - life.beatAt > MAX_SILENT_MS) return fail(life, now);
      return stay(life.helps > 0 && now - life.since > HEALTHY_AFTER_MS ? { ...life, helps: 0 } : life);
    case 'helping':
      return now - life.since > HELP_SHOWN_MS ? load({ ...life, faults: [] }, now) : stay(life);
  }
}

function stay(life: PageLife): { life: PageLife; step: PageStep } {
  return { life, step: 'none' };
}

function load(life: PageLife, now: number): { life: PageLife; step: PageStep } {
  return { life: { ...life, at: 'loading', since: now, beatAt: now, shownAt: now }, step: 'load' };
}

function fail(life: PageLife, now: number): { life: PageLife; step: PageStep } {
  const faults = [...life.faults.filter((at) => now - at < FAULTS_WITHIN_MS), now];
  if (faults.length <= MAX_FAULTS) return load({ ...life, faults }, now);
  const helps = life.helps + 1;
  if (helps > MAX_HELPS) return { life: { ...life, faults, helps }, step: 'leave' };
  return { life: { ...life, at: 'helping', since: now, faults, helps }, step: 'help' };
}
