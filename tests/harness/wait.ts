/** How often a condition is looked at. */
const LOOK_EVERY_MS = 15;
/** On a machine that is busy; what has come is seen at once. */
const PATIENCE_MS = 30_000;

export interface Patience {
  /** What is waited for, in the words of the failure. */
  what: string;
  withinMs?: number;
  /** Adds what is known when the deadline has passed, such as the last log lines. */
  detail?: () => string;
}

/**
 * Waits until `look` gives something else than undefined, null or false, and gives that. The one place in the tests
 * where time is waited for. An error that `look` throws counts as "not yet"; the last is named as the cause.
 */
export async function waitFor<T>(
  check: () => T | Promise<T>,
  patience: Patience,
): Promise<Exclude<T, undefined | null | false>> {
  const deadline = performance.now() + (patience.withinMs ?? PATIENCE_MS);
  let lastError: unknown;
  for (;;) {
    try {
      const seen = await check();
      if (isThere(seen)) return seen;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= deadline) throw inVain(patience, lastError);
    await pause(LOOK_EVERY_MS);
  }
}

/** The promise's value, or an error when the deadline passes first. */
export async function withDeadline<T>(promise: Promise<T>, patience: Patience): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(inVain(patience)), patience.withinMs ?? PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
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
