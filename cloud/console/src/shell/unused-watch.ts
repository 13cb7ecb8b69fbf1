import { MINUTE_MS } from '@hlid/protocol/base/durations';

/** The time after the last key or touch at which the console counts as unused. */
const UNUSED_AFTER_MS = 5 * MINUTE_MS;

/**
 * Whether the page is unused: nothing was pressed for some time, no dialog is open, and nothing typed would
 * be lost.
 */
export function createUnusedWatch(): () => boolean {
  let usedAt = performance.now();
  for (const event of ['pointerdown', 'keydown', 'wheel'] as const) {
    addEventListener(event, () => (usedAt = performance.now()), { passive: true });
  }
  return () =>
    performance.now() - usedAt > UNUSED_AFTER_MS &&
    document.querySelector('[role=dialog], [role=alertdialog], form') === null;
}
