import { constants, setPriority } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '@hlid/protocol/base/fault';
import { type Connection, openConnection } from './connection.ts';
import type { Queries } from './db.ts';
import type { FindScanJob, ScanDb } from './scan-job.ts';
import { type FromScanThread, PIECES_AHEAD, type ToScanThread } from './scan-messages.ts';

/** A scan at work in this thread. */
interface Running {
  /** Pieces that may still be sent. */
  room: number;
  cancelled: boolean;
  /** Wakes it where it waits for room. */
  wake: () => void;
}

const CACHE_KIB = 4096;

class Cancelled extends Error {}

/** The thread in which worker-scans.ts runs scans on a database file, several in turn. */
function serve(port: MessagePort, path: string, findJob: FindScanJob): void {
  const scans = new Map<number, Running>();
  let isStopping = false;
  const endIfIdle = () => {
    if (isStopping && scans.size === 0) port.close();
  };
  const cancel = (scan: Running | undefined) => {
    if (scan) scan.cancelled = true;
    scan?.wake();
  };
  port.on('message', (message: ToScanThread) => {
    switch (message.kind) {
      case 'start': {
        const { id } = message;
        const begun: Running = { room: PIECES_AHEAD, cancelled: false, wake: () => undefined };
        scans.set(id, begun);
        runScan(port, { path, findJob }, message, begun).finally(() => {
          scans.delete(id);
          endIfIdle();
        });
        return;
      }
      case 'more': {
        const scan = scans.get(message.id);
        if (scan) scan.room++;
        scan?.wake();
        return;
      }
      case 'cancel':
        cancel(scans.get(message.id));
        return;
      case 'stop':
        isStopping = true;
        for (const scan of scans.values()) cancel(scan);
        endIfIdle();
        return;
      default:
        message satisfies never;
    }
  });
}

async function runScan(
  port: MessagePort,
  { path, findJob }: { path: string; findJob: FindScanJob },
  { id, name, given }: Extract<ToScanThread, { kind: 'start' }>,
  scan: Running,
): Promise<void> {
  const send = (message: FromScanThread, owned: ArrayBuffer[] = []) => port.postMessage(message, owned);
  let connection: Connection | null = null;
  try {
    connection = openConnection(path, 'reader');
    // A scan comes by each page once.
    connection.exec(`PRAGMA cache_size = -${CACHE_KIB}`);
    const job = await findJob(name);
    for await (const piece of job(readsOn(connection, scan), given)) {
      await room(scan);
      scan.room--;
      send({ kind: 'piece', id, piece }, ownedBy(piece));
    }
    send({ kind: 'end', id });
  } catch (error) {
    if (error instanceof Cancelled) send({ kind: 'end', id });
    // Errors of the database lose their words on the way.
    else send({ kind: 'failed', id, message: messageOf(error) });
  } finally {
    connection?.close();
  }
}

/** Messages and other scans get a turn before each read. */
function readsOn(connection: Connection, scan: Running): ScanDb {
  return {
    async read<T>(work: (q: Queries) => Promise<T>): Promise<T> {
      await new Promise((resolve) => setImmediate(resolve));
      if (scan.cancelled) throw new Cancelled();
      connection.exec('BEGIN');
      try {
        return await work(connection.q);
      } finally {
        connection.exec('COMMIT');
      }
    },
  };
}

async function room(scan: Running): Promise<void> {
  while (scan.room <= 0 && !scan.cancelled) {
    await new Promise<void>((resolve) => {
      scan.wake = resolve;
    });
  }
  if (scan.cancelled) throw new Cancelled();
}

/** Bytes go over to the other thread as they are, where nothing else lies in the same memory. */
function ownedBy(piece: unknown): ArrayBuffer[] {
  if (!(piece instanceof Uint8Array)) return [];
  const { buffer, byteLength } = piece;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : [];
}

/** Serves scans on the database file that this thread was started with. */
export function serveScans(findJob: FindScanJob): void {
  // Callers that wait for an answer go first. On Linux this is about the one thread, elsewhere about the whole program.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
  if (parentPort === null) throw new Error('scans are served in a worker thread');
  serve(parentPort, String(workerData), findJob);
}
