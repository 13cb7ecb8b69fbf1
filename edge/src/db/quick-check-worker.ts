import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@hlid/protocol/base/fault';
import Database from 'better-sqlite3';
import type { QuickCheckAnswer } from './database-watch.ts';
import { isDamage } from './open-site.ts';

// The thread that database-watch.ts starts: reads the whole database once, and ends.
parentPort?.postMessage(quickCheck(String(workerData)));

function quickCheck(path: string): QuickCheckAnswer {
  try {
    const db = new Database(path, { fileMustExist: true, readonly: true });
    try {
      const finding = String(db.pragma('quick_check(1)', { simple: true }));
      return finding === 'ok' ? { kind: 'whole' } : { kind: 'damaged', finding };
    } finally {
      db.close();
    }
  } catch (error) {
    // A damaged schema is not found by the check: it cannot even begin.
    if (isDamage(error)) return { kind: 'damaged', finding: messageOf(error) };
    return { kind: 'unchecked', reason: messageOf(error) };
  }
}
