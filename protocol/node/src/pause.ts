import { setTimeout as wait } from 'node:timers/promises';

interface PauseOptions {
  /** Ends the pause early, without an error. */
  signal?: AbortSignal | undefined;
  /** Whether the program goes on while nothing else is left to do than to wait. */
  ref?: boolean;
}

/** Resolves after this number of milliseconds, or as soon as the signal is aborted. */
export async function pause(ms: number, { signal, ref = true }: PauseOptions = {}): Promise<void> {
  await wait(ms, undefined, signal ? { signal, ref } : { ref }).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
}
