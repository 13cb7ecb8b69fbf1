import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

// The thread that database-watch.ts starts: reads the whole database once, and ends.
const db = new Database(String(workerData), { fileMustExist: true, readonly: true });
try {
  parentPort?.postMessage(db.pragma('quick_check(1)', { simple: true }));
} finally {
  db.close();
}
