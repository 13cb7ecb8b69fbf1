import type { Client, Transaction } from '@libsql/client';
import { isBusy } from './sqlite-fault.ts';

/** A writer waits so long for others. */
const TURN_MS = 15_000;
const MAX_PAUSE_MS = 200;

/** Begins a transaction that writes, when it is its turn among all processes. */
export async function beginWriting(client: Client): Promise<Transaction> {
  const deadline = performance.now() + TURN_MS;
  for (let pauseMs = 5; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    const transaction = await client.transaction('write');
    try {
      // The client sends BEGIN with the first statement: nothing is to run before the turn is ours.
      await transaction.execute('SELECT 1');
      return transaction;
    } catch (error) {
      transaction.close();
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
  }
}
