import { setImmediate as nextTurn } from 'node:timers/promises';

/** Rows that are worked on before other requests have a turn. */
const AT_ONCE = 10;

/** Does work for each row of a transaction. Calls and messages are answered in between; other writes wait for its end. */
export async function inTurns<Row>(rows: readonly Row[], work: (row: Row) => Promise<void>): Promise<void> {
  for (const [at, row] of rows.entries()) {
    if (at > 0 && at % AT_ONCE === 0) await nextTurn();
    await work(row);
  }
}
