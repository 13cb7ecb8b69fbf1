import { ScanThread } from '../../platform/db/scan-thread.ts';

/** A scan's thread runs from source, or built, as this does. */
const FROM_SOURCE = import.meta.url.endsWith('.ts');
const ENTRY = new URL(FROM_SOURCE ? 'scan-worker-from-source.mjs' : 'scan-worker.js', import.meta.url);

/** Starts a thread for scans of a database file. @param onGone called once, when it has ended */
export function startScanThread(path: string, onGone: (reason: Error) => void): ScanThread {
  return new ScanThread(path, onGone, ENTRY);
}
