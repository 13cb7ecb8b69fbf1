import type { SoapFailure } from './soap-answer.ts';

/** Calls to one device, one after the other. */
export interface Turns {
  /** After the calls before it; who has no time to wait for them gives up, and nothing of it was sent. */
  take<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T | SoapFailure>;
}

export function createTurns(): Turns {
  let last: Promise<void> = Promise.resolve();
  return {
    take: <T>(ask: () => Promise<T>, signal?: AbortSignal) =>
      new Promise<T | SoapFailure>((resolve, reject) => {
        let begun = false;
        const giveUp = () => {
          if (!begun)
            resolve({ ok: false, reason: 'unreachable', message: 'the device is busy with the login' });
        };
        signal?.addEventListener('abort', giveUp);
        last = last.then(async () => {
          if (signal?.aborted) return giveUp();
          begun = true;
          await ask().then(resolve, reject);
          signal?.removeEventListener('abort', giveUp);
        });
      }),
  };
}
