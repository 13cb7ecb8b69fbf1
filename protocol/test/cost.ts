import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Other work of the machine, and the first time of a piece of code, are no cost of the work: the best of some counts. */
const TRIES = 7;
/** Less is lost in the clock's own steps. */
const SHORTEST_MS = 0.5;

/** The factor by which the time of some work grows with its input. */
export interface Growth {
  /** The growth of the input: 8 is eight times as much. */
  input: number;
  work: number;
}

/**
 * How the CPU time of some work grows with its input: tests hold the ratio, not the time, which depends on
 * the machine. Work in proportion gives about `input`; work that grows with the square gives its square. The
 * large work is repeated only while it takes longer than work in proportion may.
 *
 * @param workOf makes the input of that size; what it returns is measured
 */
export function growthOf(workOf: (size: number) => () => unknown, size: number, input = 8): Growth {
  const small = workOf(Math.ceil(size / input));
  const large = workOf(size);
  const smallMs = Math.max(
    leastCpuMs(small, () => false),
    SHORTEST_MS,
  );
  const isEnough = (ms: number) => growsInProportion({ input, work: ms / smallMs });
  return { input, work: leastCpuMs(large, isEnough) / smallMs };
}

/** Whether work grows about as its input does: far below the square. */
export function growsInProportion({ input, work }: Growth): boolean {
  return work <= 3 * input;
}

function leastCpuMs(work: () => unknown, isEnough: (ms: number) => boolean): number {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < TRIES && !isEnough(least); n++) {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** The work is tried this often, since garbage that is collected later is no cost of it. */
const MEMORY_TRIES = 20;

/** How many bytes some work takes, the least of some tries: it is tried again only while it takes more than it may. */
export function memoryOf(work: () => unknown, allowedBytes: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < MEMORY_TRIES && least > allowedBytes; n++) {
    const before = memoryUsed();
    work();
    least = Math.min(least, memoryUsed() - before);
  }
  return least;
}

function memoryUsed(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  collect();
}

/** Bytes of JavaScript that is still needed. */
export function usedHeap(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
