/**
 * Takes turns: one piece of long work, for any site, in a turn of the event loop. After an outage hundreds of sites
 * may take a snapshot at once; everybody else still waits for one piece at most.
 */
export function createTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => new Promise<void>((resolve) => setImmediate(resolve)));
    return last;
  };
}
