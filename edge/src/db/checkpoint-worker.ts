import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { FromCheckpointThread, ToCheckpointThread } from './checkpoint-messages.ts';
import { checkpointNow } from './checkpoint-now.ts';

// The thread that checkpoint-thread.ts starts. It only writes what is committed in the log.
const db = new Database(String(workerData), { fileMustExist: true });
db.pragma('synchronous = FULL');
const post = (message: FromCheckpointThread) => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToCheckpointThread) => {
  if (message === 'end') {
    db.close();
    parentPort?.close();
    return;
  }
  checkpointNow(db);
  post('done');
});
post('ready');
