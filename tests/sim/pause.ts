import { setTimeout as wait } from 'node:timers/promises';

/** Lets time pass in the simulated car park; ends early, without an error, when the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
