import { scryptSync } from 'node:crypto';

const ROUNDS = 4;
/** The time of the rounds on a quiet machine of the size that the tests are for. */
const QUIET_MS = 160;
/** A test that hangs must end some day. */
const MAX_SLOWNESS = 12;

/** How many times as long as a quiet machine this one takes now for the same work; at least 1. Blocks meanwhile. */
export function measureSlowness(): number {
  const from = performance.now();
  for (let round = 0; round < ROUNDS; round++) scryptSync('speed', `round ${round}`, 32);
  return Math.min(Math.max((performance.now() - from) / QUIET_MS, 1), MAX_SLOWNESS);
}

/** The slowness at the start of this run, which the processes of the tests inherit (`protocol/test/deadline.ts`). */
export function slownessOfRun(): number {
  process.env['HLID_TEST_SLOWNESS'] ??= String(measureSlowness());
  return Number(process.env['HLID_TEST_SLOWNESS']);
}
