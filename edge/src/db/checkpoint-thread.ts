import { Worker } from 'node:worker_threads';
import type { FromCheckpointThread, ToCheckpointThread } from './checkpoint-messages.ts';
import type { SiteDb } from './site-db.ts';

/**
 * Brings the write-ahead log into the database from a thread of its own, while long work fills it: copying the pages
 * and two flushes of the disk take longer than a car should wait, on a memory card much longer.
 */
export interface CheckpointThread {
  /**
   * Resolves when what was in the log is in the database, or at once as long as the thread is not there yet. One at a
   * time. Never rejects: without it SQLite does the same by itself, later, within a commit.
   */
  checkpoint(): Promise<void>;
}

/** Nothing to do for so long: it ends, and is started again when it is needed. */
const IDLE_MS = 1000;
const LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 64 };

/** From source, or built: the thread runs what this runs. */
const FROM_SOURCE = import.meta.url.endsWith('.ts');
const ENTRY = new URL(
  FROM_SOURCE ? 'checkpoint-worker-from-source.mjs' : 'checkpoint-worker.js',
  import.meta.url,
);

export function createCheckpointThread(db: SiteDb): CheckpointThread {
  let worker: Worker | null = null;
  let ready = false;
  let working = false;
  let done: () => void = () => undefined;
  const idle = setTimeout(end, IDLE_MS).unref();

  function tell(message: ToCheckpointThread): void {
    worker?.postMessage(message);
  }

  function start(): void {
    const started = new Worker(ENTRY, {
      workerData: db.name,
      execArgv: FROM_SOURCE ? ['--conditions=source'] : [],
      resourceLimits: LIMITS,
    });
    worker = started;
    // It keeps no program alive.
    started.unref();
    started.on('message', (message: FromCheckpointThread) => {
      if (message === 'ready') ready = started === worker;
      else done();
    });
    const gone = () => {
      if (worker !== started) return;
      worker = null;
      ready = false;
      done();
    };
    started.on('error', gone);
    started.on('exit', gone);
  }

  function end(): void {
    if (working) return void idle.refresh();
    tell('end');
    worker = null;
    ready = false;
  }

  return {
    async checkpoint() {
      idle.refresh();
      if (worker === null) start();
      if (!ready) return;
      working = true;
      await new Promise<void>((resolve) => {
        done = resolve;
        tell('checkpoint');
      });
      working = false;
    },
  };
}
