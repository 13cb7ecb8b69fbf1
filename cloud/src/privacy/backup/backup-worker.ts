import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { runBackup } from '@hlid/node/backup/run-backup';
import { systemClock } from '@hlid/node/clock';
import { messageOf } from '@hlid/protocol/base/fault';
import { backupSource } from './backup-source.ts';
import type { BackupAnswer, BackupOrder } from './backup-thread.ts';

// The thread that backup-thread.ts starts for each backup: it makes one, and ends.
// Callers that wait for an answer go first. On Linux this is about the one thread, elsewhere about the whole program.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
const { config, configPath, pictureDays } = workerData as BackupOrder;
const send = (answer: BackupAnswer) => parentPort?.postMessage(answer);
try {
  const stopping = new AbortController();
  parentPort?.once('message', () => stopping.abort(new Error('the cloud is stopping')));
  const source = backupSource(config, configPath);
  const done = await runBackup(source, {
    config: config.backup,
    pictureDays,
    clock: systemClock,
    signal: stopping.signal,
  });
  send({ ok: true, ...done });
} catch (error) {
  // Errors lose their class on the way.
  send({ ok: false, message: messageOf(error) });
} finally {
  parentPort?.close();
}
