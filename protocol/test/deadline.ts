/** How many times as long as a quiet machine this one took for the same work when the tests began (`tests/runner`). */
const slowness = Number(process.env['HLID_TEST_SLOWNESS'] ?? 1);

/** How long a test waits for what may never come: longer on a slow machine. */
export function deadline(ms: number): number {
  return Math.ceil(ms * slowness);
}
