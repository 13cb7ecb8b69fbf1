import { writeFileSync } from 'node:fs';

const PRELOAD = new URL('clock-ahead.mjs', import.meta.url).href;

/** The clock of a program that a test sets ahead, also while it runs. */
export interface AheadClock {
  /** The environment of the program. */
  env: Record<string, string>;
  /** Milliseconds; less than nothing sets it back. The program has it a moment later. */
  set(aheadMs: number): void;
}

/** @param file where the program reads how far its clock is ahead */
export function aheadClock(file: string): AheadClock {
  return {
    env: { NODE_OPTIONS: `--import=${PRELOAD}`, CLOCK_AHEAD_FILE: file },
    set: (aheadMs) => writeFileSync(file, String(aheadMs)),
  };
}
