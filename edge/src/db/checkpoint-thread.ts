import { Worker } from 'node:worker_threads';
import type { FromCheckpointThread, ToCheckpointThread } from './checkpoint-messages.ts';
import type { SiteDb } from './site-db.ts';

/** The thread ends after this long without work, and starts again when it is needed. */
const IDLE_MS = 1000;
const LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 };

/** The thread runs the same way as the program: from source, or built. */
const FROM_SOURCE = import.meta.url.endsWith('.ts');
const ENTRY = new URL(
  FROM_SOURCE ? 'checkpoint-worker-from-source.mjs' : 'checkpoint-worker.js',
  import.meta.url,
);

/**
 * Writes the write-ahead log back into the database from its own thread, while long work fills it. Copying
 * the pages and flushing the disk twice take longer than a car should wait, on a memory card much longer.
 */
export class CheckpointThread {
  readonly #db: SiteDb;
  #worker: Worker | null = null;
  #ready = false;
  #working = false;
  #onDone: () => void = () => undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(db: SiteDb) {
    this.#db = db;
  }

  /**
   * Resolves when the content of the log is in the database, or at once as long as the thread is starting. One at a
   * time. Never rejects: without it SQLite does the same by itself, later, within a commit.
   */
  async checkpoint(): Promise<void> {
    this.#idle ??= setTimeout(() => this.#end(), IDLE_MS).unref();
    this.#idle.refresh();
    if (this.#worker === null) this.#start();
    if (!this.#ready) return;
    this.#working = true;
    await new Promise<void>((resolve) => {
      this.#onDone = resolve;
      this.#post('checkpoint');
    });
    this.#working = false;
  }

  #start(): void {
    const started = new Worker(ENTRY, {
      workerData: this.#db.name,
      execArgv: FROM_SOURCE ? ['--conditions=source'] : [],
      resourceLimits: LIMITS,
    });
    this.#worker = started;
    // It keeps no program alive.
    started.unref();
    started.on('message', (message: FromCheckpointThread) => {
      if (message === 'ready') this.#ready = started === this.#worker;
      else this.#onDone();
    });
    const onGone = () => {
      if (this.#worker !== started) return;
      this.#worker = null;
      this.#ready = false;
      this.#onDone();
    };
    started.on('error', onGone);
    started.on('exit', onGone);
  }

  #end(): void {
    if (this.#working) return void this.#idle?.refresh();
    this.#post('end');
    this.#worker = null;
    this.#ready = false;
  }

  #post(message: ToCheckpointThread): void {
    this.#worker?.postMessage(message);
  }
}
