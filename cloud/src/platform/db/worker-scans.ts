import { anySignal } from '@hlid/node/deadline';
import { messageOf } from '@hlid/protocol/base/fault';
import type { Logger } from 'pino';
import { EVENTS } from '../events.ts';
import type { ScanKey } from './scan-job.ts';
import type { ScanThread } from './scan-thread.ts';
import type { Scans } from './scans.ts';

/** A report and an export at once; more of them share these. */
const THREADS = 2;
/** The most scans at once, each on a separate connection; more wait their turn. */
const SCANS_AT_ONCE = 8;

/** Starts the thread in which scans of a database file run; `onGone` is called once, when it has ended. */
export type StartScanThread = (path: string, onGone: (reason: Error) => void) => ScanThread;

/** Scans of a database file in worker threads: started when first needed, and again after one has broken down. */
export class WorkerScans implements Scans {
  readonly #path: string;
  readonly #log: Logger;
  readonly #start: StartScanThread;
  readonly #threads = new Set<ScanThread>();
  readonly #waiting: (() => void)[] = [];
  readonly #closing = new AbortController();
  #running = 0;

  constructor(path: string, log: Logger, start: StartScanThread) {
    this.#path = path;
    this.#log = log;
    this.#start = start;
  }

  async *run<Given, Piece>(
    scan: ScanKey<Given, Piece>,
    given: Given,
    signal: AbortSignal,
  ): AsyncGenerator<Piece> {
    const stop = anySignal([signal, this.#closing.signal]);
    await this.#turn(stop);
    try {
      yield* this.#runNow(scan, given, stop);
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running--;
    }
  }

  async *#runNow<Given, Piece>(
    { name }: ScanKey<Given, Piece>,
    given: Given,
    stop: AbortSignal,
  ): AsyncGenerator<Piece> {
    const scan = this.#thread().begin(name, given);
    const breakOff = () => scan.cancel(abortReason(stop));
    stop.addEventListener('abort', breakOff);
    try {
      for (let next = await scan.next(); next !== null; next = await scan.next()) {
        // The thread's own types, across a border that has none.
        yield next.piece as Piece;
      }
    } finally {
      stop.removeEventListener('abort', breakOff);
      scan.cancel(new Error('nobody reads on'));
    }
  }

  async #turn(stop: AbortSignal): Promise<void> {
    stop.throwIfAborted();
    if (this.#running < SCANS_AT_ONCE) {
      this.#running++;
      return;
    }
    // A finished scan gives its place to the first that waits.
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        stop.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        const place = this.#waiting.indexOf(begin);
        if (place !== -1) this.#waiting.splice(place, 1);
        reject(abortReason(stop));
      };
      stop.addEventListener('abort', giveUp, { once: true });
      this.#waiting.push(begin);
    });
  }

  /** The one with least to do; a new one rather than one that works, while there may be more. */
  #thread(): ScanThread {
    const [idlest] = [...this.#threads].sort((a, b) => a.running - b.running);
    if (idlest && (idlest.running === 0 || this.#threads.size >= THREADS)) return idlest;
    const thread: ScanThread = this.#start(this.#path, (reason) => {
      this.#threads.delete(thread);
      if (this.#closing.signal.aborted) return;
      this.#log.error({ event: EVENTS.scanThreadEnded, err: reason, message: messageOf(reason) });
    });
    this.#threads.add(thread);
    return thread;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the scans are closed'));
    await Promise.all([...this.#threads].map((thread) => thread.stop()));
  }
}

function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error(String(reason));
}
