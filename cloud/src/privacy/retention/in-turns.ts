import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows that are worked on before other requests have a turn. */
const AT_ONCE = 10;

/**
 * Does work for the rows of a transaction, some at once. Calls and messages are answered in between; other writes wait for its
 * end.
 */
export async function inTurns<Row>(
  rows: readonly Row[],
  work: (some: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += AT_ONCE) {
    if (from > 0) await nextTurn();
    await work(rows.slice(from, from + AT_ONCE));
  }
}
