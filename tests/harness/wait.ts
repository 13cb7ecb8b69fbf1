import { deadline } from '@hlid/protocol/test/deadline';
import { measureSlowness } from '../runner/slowness.ts';

/** How often a condition is checked: less often what has been waited for long, since each check is work for programs. */
const CHECK_EVERY_MS = 15;
const CHECK_AT_LEAST_EVERY_MS = 50;
const CHECKS_PER_WAIT = 20;
const PATIENCE_MS = 30_000;

export interface Patience {
  /** What is waited for, in the words of the failure. */
  what: string;
  /** The deadline on a quiet machine. */
  withinMs?: number;
  /** Adds what is known when the deadline has passed, such as the last log lines. */
  detail?: () => string;
}

/**
 * Waits until `check` returns something else than undefined, null or false, and returns that. The one place in the tests
 * where time is waited for. An error that `check` throws counts as "not yet"; the last is named as the cause.
 */
export async function waitFor<T>(
  check: () => T | Promise<T>,
  patience: Patience,
): Promise<Exclude<T, undefined | null | false>> {
  const end = new Deadline(patience.withinMs);
  let lastError: unknown;
  for (;;) {
    try {
      const seen = await check();
      if (isThere(seen)) return seen;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (end.hasPassed()) throw inVain(patience, lastError);
    await pause(
      Math.min(Math.max(end.waitedMs() / CHECKS_PER_WAIT, CHECK_EVERY_MS), CHECK_AT_LEAST_EVERY_MS),
    );
  }
}

/** The promise's value, or an error when the deadline passes first. */
export async function withDeadline<T>(promise: Promise<T>, patience: Patience): Promise<T> {
  const end = new Deadline(patience.withinMs);
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    const check = () => {
      if (end.hasPassed()) reject(inVain(patience));
      else timer = setTimeout(check, end.leftMs());
    };
    timer = setTimeout(check, end.leftMs());
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Grows with the slowness of the machine: as it was when the run began, and as it is when the time is over. */
class Deadline {
  readonly #from = performance.now();
  readonly #withinMs: number;
  #maxMs: number;

  constructor(withinMs = PATIENCE_MS) {
    this.#withinMs = withinMs;
    this.#maxMs = deadline(withinMs);
  }

  waitedMs(): number {
    return performance.now() - this.#from;
  }

  leftMs(): number {
    return Math.max(this.#from + this.#maxMs - performance.now(), 0);
  }

  hasPassed(): boolean {
    if (this.leftMs() > 0) return false;
    this.#maxMs = Math.max(this.#maxMs, this.#withinMs * measureSlowness());
    return this.leftMs() === 0;
  }
}

function inVain({ what, withinMs = PATIENCE_MS, detail }: Patience, cause?: unknown): Error {
  const last = cause instanceof Error ? ` The last try: ${cause.message}` : '';
  const more = detail ? `\n${detail()}` : '';
  return new Error(`Waited ${withinMs} ms for ${what}, in vain.${last}${more}`, { cause });
}

function isThere<T>(seen: T): seen is Exclude<T, undefined | null | false> {
  return seen !== undefined && seen !== null && seen !== false;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
