import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of JavaScript that is still needed, after all else was collected. */
export function usedHeap(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
  return process.memoryUsage().heapUsed;
}
