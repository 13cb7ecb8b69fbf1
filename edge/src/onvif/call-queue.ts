import type { SoapFailure } from './soap-answer.ts';

/** Calls to one device, one after the other. */
export class CallQueue {
  #last: Promise<void> = Promise.resolve();

  /** Sends after the calls before it. A call that is aborted while it waits fails, and is not sent. */
  run<T>(send: () => Promise<T>, signal?: AbortSignal): Promise<T | SoapFailure> {
    return new Promise((resolve, reject) => {
      let isSent = false;
      const abort = () => {
        if (isSent) return;
        resolve({ ok: false, reason: 'unreachable', message: 'the device is busy with the login' });
      };
      signal?.addEventListener('abort', abort);
      this.#last = this.#last.then(async () => {
        if (signal?.aborted) return abort();
        isSent = true;
        await send().then(resolve, reject);
        signal?.removeEventListener('abort', abort);
      });
    });
  }
}
