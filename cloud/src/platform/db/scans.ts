import { anySignal } from '@hlid/node/deadline';
import type { Db } from './db.ts';
import type { FindScanJob, ScanKey } from './scan-job.ts';

/** Runs scans apart from requests. */
export interface Scans {
  /**
   * Runs a scan and gives its pieces as they are requested: a slow reader slows it down. It ends early when
   * the signal is aborted or the reader stops (`return`), and throws what went wrong.
   */
  run<Given, Piece>(scan: ScanKey<Given, Piece>, given: Given, signal: AbortSignal): AsyncGenerator<Piece>;
  /** Breaks off what runs. */
  close(): Promise<void>;
}

/**
 * For a remote database: its server does the work, and waiting for it holds up no other caller.
 *
 * @param choose chooses the database for the next scan
 */
export function remoteScans(findJob: FindScanJob, choose: () => Promise<Pick<Db, 'read'>>): Scans {
  const closing = new AbortController();
  return {
    async *run<Given, Piece>({ name }: ScanKey<Given, Piece>, given: Given, signal: AbortSignal) {
      const stop = anySignal([signal, closing.signal]);
      stop.throwIfAborted();
      const [job, db] = await Promise.all([findJob(name), choose()]);
      const interruptible: Pick<Db, 'read'> = {
        read: async (work) => {
          stop.throwIfAborted();
          return await db.read(work);
        },
      };
      for await (const piece of job(interruptible, given)) {
        yield piece as Piece;
        stop.throwIfAborted();
      }
    },
    close: async () => closing.abort(new Error('the scans are closed')),
  };
}
