import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { FromCheckpointThread, ToCheckpointThread } from './checkpoint-messages.ts';

// The thread that checkpoint-thread.ts starts. It writes nothing of its own: what is in the log is committed.
const db = new Database(String(workerData), { fileMustExist: true });
db.pragma('synchronous = FULL');
const tell = (message: FromCheckpointThread) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToCheckpointThread) => {
  if (message === 'end') {
    db.close();
    parentPort?.close();
    return;
  }
  try {
    db.pragma('wal_checkpoint(PASSIVE)');
  } catch {
    // A disk that is full or broken shows at the next commit, where it is dealt with.
  }
  tell('done');
});
tell('ready');
