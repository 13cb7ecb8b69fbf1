import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from '@hlid/protocol/base/durations';

/**
 * How often a camera sends something. Some send heartbeats: three missing ones are too many. Others send
 * something only when a car comes, and a quiet night is no fault. For them the longest usual silence is kept
 * for each hour of the week, and twice that is too long.
 */
export interface CameraActivity {
  /** The last gaps between heartbeats, in milliseconds. */
  beatGaps: readonly number[];
  lastBeatAt: number | null;
  /**
   * The longest silence of each recent week by hour of the week (UTC, 0 is Thursday 0:00) that it reached
   * into.
   */
  quiet: Readonly<Record<number, readonly Quiet[]>>;
  /** The time for which it has been observed. */
  watchedMs: number;
  /** When it last sent something, milliseconds since 1970; null: not since the program started. */
  lastAt: number | null;
}

interface Quiet {
  gapMs: number;
  /** When it ended, milliseconds since 1970. */
  at: number;
}

export const NO_ACTIVITY: CameraActivity = {
  beatGaps: [],
  lastBeatAt: null,
  quiet: {},
  watchedMs: 0,
  lastAt: null,
};

const HOURS_OF_WEEK = 168;

const BEATS_NEEDED = 5;
const MAX_HEARTBEAT_GAPS = 10;
/** The longest interval of a heartbeat. */
const MAX_BEAT_MS = HOUR_MS;
/** A camera takes some minutes to restart. */
const MIN_BEAT_LIMIT_MS = 5 * MINUTE_MS;

/** Shorter silences are no concern, and not kept. */
const MIN_LIMIT_MS = HOUR_MS;
const MIN_NOTED_MS = MIN_LIMIT_MS / 2;
/** Longer than a closed weekend. */
const LEARNING_LIMIT_MS = 3 * DAY_MS;
/** The limit for a camera from which nothing was ever received. */
const NEVER_SEEN_LIMIT_MS = DAY_MS;
/** A longer silence was a fault. */
const MAX_NOTED_MS = WEEK_MS;
/** The time after which a silence (a holiday, a fault) is forgotten. */
const USUAL_FOR_MS = 5 * WEEK_MS;

/** The activity after the camera has sent something. */
export function noteActivity(activity: CameraActivity, at: number, heartbeat: boolean): CameraActivity {
  const gapMs = activity.lastAt === null ? 0 : Math.max(0, at - activity.lastAt);
  return {
    beatGaps: beatGapsAfter(activity, at, heartbeat),
    lastBeatAt: heartbeat ? at : activity.lastBeatAt,
    quiet: gapMs < MIN_NOTED_MS ? activity.quiet : quietAfter(activity.quiet, at, gapMs),
    watchedMs: activity.watchedMs + gapMs,
    lastAt: at,
  };
}

/** The site's clock was set, or the program did not run: the silence until now does not count. */
export function forgiveSilence(activity: CameraActivity): CameraActivity {
  return { ...activity, lastAt: null, lastBeatAt: null };
}

/** How long the camera may be silent now. */
export function silenceLimit(
  activity: CameraActivity,
  now: number,
): { limitMs: number; because: 'heartbeats' | 'hour-of-week' | 'still-learning' | 'never-heard' } {
  if (activity.beatGaps.length >= BEATS_NEEDED) {
    return { limitMs: Math.max(3 * median(activity.beatGaps), MIN_BEAT_LIMIT_MS), because: 'heartbeats' };
  }
  const hour = hourOfWeek(now);
  // Cars do not come to the minute.
  const around = [hour - 1, hour, hour + 1].map((one) => (one + HOURS_OF_WEEK) % HOURS_OF_WEEK);
  const usual = Math.max(...around.map((one) => longest(activity.quiet[one], now)));
  const limitMs = Math.max(2 * usual, MIN_LIMIT_MS);
  if (activity.watchedMs >= WEEK_MS) return { limitMs, because: 'hour-of-week' };
  const nothingReceived = activity.watchedMs === 0 && activity.lastAt === null;
  return nothingReceived
    ? { limitMs: NEVER_SEEN_LIMIT_MS, because: 'never-heard' }
    : { limitMs: Math.max(limitMs, LEARNING_LIMIT_MS), because: 'still-learning' };
}

function beatGapsAfter(
  { beatGaps, lastBeatAt }: CameraActivity,
  at: number,
  heartbeat: boolean,
): readonly number[] {
  if (lastBeatAt === null) return beatGaps;
  const gapMs = at - lastBeatAt;
  // It sends something, but no heartbeats any more.
  if (!heartbeat) return gapMs > 3 * median(beatGaps) + MAX_BEAT_MS ? [] : beatGaps;
  return gapMs <= 0 || gapMs > MAX_BEAT_MS ? beatGaps : [...beatGaps, gapMs].slice(-MAX_HEARTBEAT_GAPS);
}

/** A single outage does not change it. */
function median(gaps: readonly number[]): number {
  return gaps.toSorted((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? 0;
}

function quietAfter(quiet: CameraActivity['quiet'], at: number, gapMs: number): CameraActivity['quiet'] {
  const noted = Math.min(gapMs, MAX_NOTED_MS);
  const next = { ...quiet };
  const hours = Math.min(Math.floor(at / HOUR_MS) - Math.floor((at - noted) / HOUR_MS) + 1, HOURS_OF_WEEK);
  for (let back = 0; back < hours; back++) {
    const hour = hourOfWeek(at - back * HOUR_MS);
    next[hour] = noteQuiet(recent(quiet[hour], at), { gapMs: noted, at });
  }
  return next;
}

/** Keeps the longest of each week. */
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
