import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/utc-time';

/**
 * When a camera's silence is worth a look. Some send heartbeats: three that do not come are too many. Others say
 * something only when a car comes, and a quiet night is no fault: for each hour of the week, the longest silence that
 * was usual then is remembered, and twice that is too long.
 */
export interface CameraHabit {
  /** The last gaps between heartbeats, in milliseconds. */
  beatGaps: readonly number[];
  lastBeatAt: number | null;
  /** By hour of the week (UTC, 0 is Thursday 0:00): the longest silence that reached into it, of each recent week. */
  quiet: Readonly<Record<number, readonly Quiet[]>>;
  /** How long it has been watched. */
  watchedMs: number;
  /** When it last said something, milliseconds since 1970; null: not since the program started. */
  lastAt: number | null;
}

interface Quiet {
  gapMs: number;
  /** When it ended, milliseconds since 1970. */
  at: number;
}

export const NO_HABIT: CameraHabit = {
  beatGaps: [],
  lastBeatAt: null,
  quiet: {},
  watchedMs: 0,
  lastAt: null,
};

const WEEK_MS = 7 * DAY_MS;
const HOURS_OF_WEEK = 168;

const BEATS_NEEDED = 5;
const BEATS_KEPT = 10;
/** What comes less often is not meant to tell that somebody is alive. */
const MAX_BEAT_MS = HOUR_MS;
/** A camera that starts anew takes some minutes. */
const MIN_BEAT_LIMIT_MS = 5 * MINUTE_MS;

/** Shorter silences are nobody's concern, and not remembered. */
const MIN_LIMIT_MS = HOUR_MS;
const WORTH_NOTING_MS = MIN_LIMIT_MS / 2;
/** A closed weekend is shorter. */
const LEARNING_LIMIT_MS = 3 * DAY_MS;
/** A camera of which nobody has heard yet. */
const NEVER_HEARD_LIMIT_MS = DAY_MS;
/** A longer silence was a fault, whatever was said of it. */
const MAX_NOTED_MS = WEEK_MS;
/** A silence is usual for so long: a holiday, or a fault, is forgotten after that. */
const USUAL_FOR_MS = 5 * WEEK_MS;

/** The habit after the camera has said something. */
export function noteAlive(habit: CameraHabit, at: number, heartbeat: boolean): CameraHabit {
  const gapMs = habit.lastAt === null ? 0 : Math.max(0, at - habit.lastAt);
  return {
    beatGaps: beatGapsAfter(habit, at, heartbeat),
    lastBeatAt: heartbeat ? at : habit.lastBeatAt,
    quiet: gapMs < WORTH_NOTING_MS ? habit.quiet : quietAfter(habit.quiet, at, gapMs),
    watchedMs: habit.watchedMs + gapMs,
    lastAt: at,
  };
}

/** The site's clock was set, or nobody listened: the silence until now says nothing. */
export function forgiveSilence(habit: CameraHabit): CameraHabit {
  return { ...habit, lastAt: null, lastBeatAt: null };
}

/** How long the camera may be silent now. */
export function silenceLimit(
  habit: CameraHabit,
  now: number,
): { limitMs: number; because: 'heartbeats' | 'hour-of-week' | 'still-learning' | 'never-heard' } {
  if (habit.beatGaps.length >= BEATS_NEEDED) {
    return { limitMs: Math.max(3 * median(habit.beatGaps), MIN_BEAT_LIMIT_MS), because: 'heartbeats' };
  }
  const hour = hourOfWeek(now);
  // Nobody keeps to the minute.
  const around = [hour - 1, hour, hour + 1].map((one) => (one + HOURS_OF_WEEK) % HOURS_OF_WEEK);
  const usual = Math.max(...around.map((one) => longest(habit.quiet[one], now)));
  const limitMs = Math.max(2 * usual, MIN_LIMIT_MS);
  if (habit.watchedMs >= WEEK_MS) return { limitMs, because: 'hour-of-week' };
  const unheard = habit.watchedMs === 0 && habit.lastAt === null;
  return unheard
    ? { limitMs: NEVER_HEARD_LIMIT_MS, because: 'never-heard' }
    : { limitMs: Math.max(limitMs, LEARNING_LIMIT_MS), because: 'still-learning' };
}

function beatGapsAfter(
  { beatGaps, lastBeatAt }: CameraHabit,
  at: number,
  heartbeat: boolean,
): readonly number[] {
  if (lastBeatAt === null) return beatGaps;
  const gapMs = at - lastBeatAt;
  // It speaks, but has sent no heartbeat for so long: it does not do that any more.
  if (!heartbeat) return gapMs > 3 * median(beatGaps) + MAX_BEAT_MS ? [] : beatGaps;
  return gapMs <= 0 || gapMs > MAX_BEAT_MS ? beatGaps : [...beatGaps, gapMs].slice(-BEATS_KEPT);
}

/** An outage among them is no habit. */
function median(gaps: readonly number[]): number {
  return gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0;
}

function quietAfter(quiet: CameraHabit['quiet'], at: number, gapMs: number): CameraHabit['quiet'] {
  const noted = Math.min(gapMs, MAX_NOTED_MS);
  const next = { ...quiet };
  const hours = Math.min(Math.floor(at / HOUR_MS) - Math.floor((at - noted) / HOUR_MS) + 1, HOURS_OF_WEEK);
  for (let back = 0; back < hours; back++) {
    const hour = hourOfWeek(at - back * HOUR_MS);
    next[hour] = noteQuiet(recent(quiet[hour], at), { gapMs: noted, at });
  }
  return next;
}

/** One of each week. */
function noteQuiet(known: readonly Quiet[], quiet: Quiet): readonly Quiet[] {
  const weekOf = ({ at }: Quiet) => Math.floor(at / WEEK_MS);
  const thisWeek = known.find((one) => weekOf(one) === weekOf(quiet));
  if (thisWeek && thisWeek.gapMs >= quiet.gapMs) return known;
  return [...known.filter((one) => one !== thisWeek), quiet];
}

function recent(known: readonly Quiet[] = [], now: number): readonly Quiet[] {
  return known.filter(({ at }) => now - at < USUAL_FOR_MS);
}

function longest(known: readonly Quiet[] | undefined, now: number): number {
  return Math.max(0, ...recent(known, now).map(({ gapMs }) => gapMs));
}

function hourOfWeek(at: number): number {
  return Math.floor(at / HOUR_MS) % HOURS_OF_WEEK;
}
