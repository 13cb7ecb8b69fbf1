import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DoneBackup } from '@hlid/node/backup/run-backup';
import { messageOf } from '@hlid/protocol/base/fault';
import type { CloudBackupConfig } from '../../platform/config.ts';
import type { BackedUpConfig } from './backup-source.ts';

/** A backup that leaks must not take the whole program with it. */
const MAX_HEAP_MB = 192;
/** The thread runs from source, or built, as this does. */
const FROM_SOURCE = import.meta.url.endsWith('.ts');
const ENTRY = new URL(FROM_SOURCE ? 'backup-worker-from-source.mjs' : 'backup-worker.js', import.meta.url);

export interface BackupOrder {
  config: BackedUpConfig & { backup: CloudBackupConfig };
  configPath: string;
  /** The age at which pictures are erased. */
  pictureDays: number;
}

export type BackupAnswer = ({ ok: true } & DoneBackup) | { ok: false; message: string };

/**
 * Makes a backup in a separate thread: compressing and encrypting would hold up every caller.
 *
 * @param entry the file that the thread runs; absent: the one beside this file
 */
export async function backupInThread(
  order: BackupOrder,
  signal: AbortSignal,
  entry = ENTRY,
): Promise<DoneBackup> {
  signal.throwIfAborted();
  const worker = new Worker(entry, {
    workerData: order,
    execArgv: FROM_SOURCE ? ['--conditions=source'] : [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const stop = () => worker.postMessage('stop');
  signal.addEventListener('abort', stop);
  try {
    const answer = await Promise.race([answerOf(worker), endOf(worker)]);
    if (answer.ok) return answer;
    throw new Error(answer.message);
  } finally {
    signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}

async function answerOf(worker: Worker): Promise<BackupAnswer> {
  const [answer]: unknown[] = await once(worker, 'message');
  // The thread's own type, across a border that has none.
  return answer as BackupAnswer;
}

async function endOf(worker: Worker): Promise<BackupAnswer> {
  try {
    await once(worker, 'exit');
    return { ok: false, message: 'the thread of the backup ended' };
  } catch (error) {
    return { ok: false, message: messageOf(error) };
  }
}
