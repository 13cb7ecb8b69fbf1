import { Worker } from 'node:worker_threads';
import { withTimeout } from '@hlid/node/with-timeout';
import { type FromScanThread, PIECES_AHEAD, type ToScanThread } from './scan-messages.ts';

/** A scan that leaks must not take the whole program with it. */
const MAX_HEAP_MB = 192;
/** Rows are garbage as soon as they are written: collected often, they take little room. */
const MAX_YOUNG_MB = 8;
/** No statement of a scan takes longer. */
const STOP_MS = 5000;

/** One scan as its asker sees it. */
export interface RunningScan {
  /** The next piece; null: there are no more. One at a time. */
  next(): Promise<{ piece: unknown } | null>;
  /** Breaks it off; what waits for a piece learns why. */
  cancel(reason: Error): void;
}

/** A worker thread with the scans that run in it. */
export class ScanThread {
  readonly #worker: Worker;
  readonly #scans = new Map<number, Pieces>();
  readonly #exited: Promise<unknown>;
  #nextId = 1;
  #gone: Error | null = null;

  /**
   * @param onGone called once, when the thread has ended, however it did
   * @param entry the module that the thread runs: it calls serve-scans.ts
   */
  constructor(path: string, onGone: (reason: Error) => void, entry: URL) {
    this.#worker = new Worker(entry, {
      workerData: path,
      execArgv: import.meta.url.endsWith('.ts') ? ['--conditions=source'] : [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: MAX_YOUNG_MB },
    });
    // It keeps no program alive that has nothing else to do.
    this.#worker.unref();
    this.#worker.on('message', (message: FromScanThread) => this.#take(message));
    this.#worker.on('error', (error) => this.#end(error));
    this.#exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    this.#worker.once('exit', () => {
      this.#end(new Error('the thread of the scans has ended'));
      onGone(this.#gone ?? new Error('gone'));
    });
  }

  get running(): number {
    return this.#scans.size;
  }

  begin(name: string, given: unknown): RunningScan {
    if (this.#gone) throw this.#gone;
    const id = this.#nextId++;
    const pieces = new Pieces(() => this.#post({ kind: 'more', id }));
    this.#scans.set(id, pieces);
    this.#post({ kind: 'start', id, name, given });
    return {
      next: () => pieces.next(),
      cancel: (reason) => {
        if (pieces.ended) return;
        pieces.end(reason);
        // It is over once the thread reports so: its place is taken until then.
        this.#post({ kind: 'cancel', id });
      },
    };
  }

  /** A thread that is ended in the middle of a statement can take the whole program with it: the statement ends first. */
  async stop(): Promise<void> {
    this.#end(new Error('the thread of the scans has ended'));
    this.#worker.postMessage({ kind: 'stop' } satisfies ToScanThread);
    await withTimeout(this.#exited, STOP_MS, () => undefined);
    await this.#worker.terminate();
  }

  #post(message: ToScanThread): void {
    if (this.#gone === null) this.#worker.postMessage(message);
  }

  #take(message: FromScanThread): void {
    const pieces = this.#scans.get(message.id);
    switch (message.kind) {
      case 'piece':
        pieces?.add(message.piece);
        return;
      case 'end':
        this.#scans.delete(message.id);
        pieces?.end(null);
        return;
      case 'failed':
        this.#scans.delete(message.id);
        pieces?.end(new Error(`the scan failed: ${message.message}`));
        return;
      default:
        message satisfies never;
    }
  }

  #end(reason: Error): void {
    this.#gone ??= reason;
    for (const pieces of this.#scans.values()) pieces.end(this.#gone);
    this.#scans.clear();
  }
}

/** Pieces that have come and were not asked for yet: PIECES_AHEAD at most. */
class Pieces {
  readonly #ready: unknown[] = [];
  readonly #taken: () => void;
  #waiting: { resolve: (next: { piece: unknown } | null) => void; reject: (error: Error) => void } | null =
    null;
  #end: { error: Error | null } | null = null;

  constructor(taken: () => void) {
    this.#taken = taken;
  }

  get ended(): boolean {
    return this.#end !== null;
  }

  add(piece: unknown): void {
    if (this.#end) return;
    if (this.#ready.length >= PIECES_AHEAD) throw new RangeError('a scan sent more than there was room for');
    this.#ready.push(piece);
    this.#settle();
  }

  /** @param error null: all pieces are there */
  end(error: Error | null): void {
    this.#end ??= { error };
    if (error) this.#ready.length = 0;
    this.#settle();
  }

  next(): Promise<{ piece: unknown } | null> {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#settle();
    });
  }

  #settle(): void {
    const waiting = this.#waiting;
    if (waiting === null) return;
    if (this.#ready.length > 0) {
      this.#waiting = null;
      const piece = this.#ready.shift();
      this.#taken();
      waiting.resolve({ piece });
    } else if (this.#end) {
      this.#waiting = null;
      if (this.#end.error) waiting.reject(this.#end.error);
      else waiting.resolve(null);
    }
  }
}
