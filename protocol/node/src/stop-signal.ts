import { once } from 'node:events';

/** Resolves when the process is asked to stop (SIGTERM or SIGINT). Listens from the call on, so that none is lost. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return Promise.race(
    (['SIGTERM', 'SIGINT'] as const).map(async (signal) => {
      await once(process, signal);
      return signal;
    }),
  );
}
