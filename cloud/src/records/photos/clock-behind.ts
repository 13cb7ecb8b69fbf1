import { millis } from '@hlid/protocol/base/utc-time';

/** A clock this far off is not believed to be right: the same span after which a read opens nothing. */
const BELIEVED_MS = 15_000;
/** How far the delays of a live camera may be apart. */
const STEADY_MS = 2000;
/** The number of reads in a row that must agree. */
const EVIDENCE_NEEDED = 5;
/** The same if they show a correct clock, which old news hardly looks like by chance. */
const EVIDENCE_NEEDED_FOR_RIGHT = 2;
/** Documents that arrive closer together may be one burst out of a buffer. */
const INDEPENDENT_MS = 1000;

/** The number of a camera's last reads that is enough to judge its clock. */
export const READS_TO_JUDGE_CLOCK = 20;

/**
 * The time by which a camera's clock is behind ours: below zero if it is ahead, 0 if it seems right. It is
 * found from the delays between capture and arrival of the last reads. These are small and steady for a live
 * camera, and shrink while a buffer empties.
 *
 * @param reads newest first
 */
export function clockBehindMs(reads: readonly { capturedAt: string | null; receivedAt: string }[]): number {
  const run: { delayMs: number; receivedMs: number; capturedAt: string }[] = [];
  for (const { capturedAt, receivedAt } of reads) {
    if (capturedAt === null) continue;
    const receivedMs = millis(receivedAt);
    const delayMs = receivedMs - millis(capturedAt);
    const last = run.at(-1);
    if (last && last.receivedMs - receivedMs < INDEPENDENT_MS) continue;
    if (run.some((one) => one.capturedAt === capturedAt)) continue;
    if (run.some((one) => Math.abs(one.delayMs - delayMs) > 2 * STEADY_MS)) run.length = 0;
    run.push({ delayMs, receivedMs, capturedAt });
    // The smallest delay has the least of the network in it.
    const behindMs = Math.min(...run.map((one) => one.delayMs));
    const right = Math.abs(behindMs) <= BELIEVED_MS;
    if (run.length >= (right ? EVIDENCE_NEEDED_FOR_RIGHT : EVIDENCE_NEEDED)) return right ? 0 : behindMs;
  }
  return 0;
}
