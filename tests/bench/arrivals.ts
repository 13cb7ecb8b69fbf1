/**
 * Timers are about a millisecond late: the last bit before a car's arrival is polled in each turn of the
 * loop.
 */
const TIMER_LATE_MS = 2;

/**
 * Generates cars at a mean rate per second: several at once, or none for a while, even while others wait. The sequence
 * is the same each time (gaps fall off exponentially). A car that this program was too slow to send has arrived all the
 * same: what it waits counts from `due`, by `performance.now()`. @returns ends it
 */
export function arrivals(perSecond: number, arrive: (due: number) => void): () => void {
  let count = 0;
  let due = performance.now();
  let timer: NodeJS.Timeout | undefined;
  let turn: NodeJS.Immediate | undefined;

  function plan(): void {
    // Multiples of the golden ratio fall evenly between 0 and 1, in no order to speak of.
    const share = (++count * GOLDEN_RATIO) % 1;
    due += (-Math.log(1 - share) * 1000) / perSecond;
  }

  function look(): void {
    for (const now = performance.now(); due <= now; plan()) arrive(due);
    const aheadMs = due - performance.now();
    if (aheadMs > TIMER_LATE_MS) timer = setTimeout(look, aheadMs - TIMER_LATE_MS);
    else turn = setImmediate(look);
  }

  plan();
  look();
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;
