import { pause } from '@hlid/node/pause';
import { RetryPause } from '@hlid/node/retry-pause';
import type { Client, Transaction } from '@libsql/client';
import { isBusy } from './sqlite-fault.ts';

/** A writer waits this long for others. */
const TURN_MS = 15_000;
const PAUSE = { firstMs: 5, maxMs: 200 };

/** Begins a transaction that writes, when it is its turn among all processes. */
export async function beginWriting(client: Client): Promise<Transaction> {
  const deadline = performance.now() + TURN_MS;
  const retry = new RetryPause(PAUSE);
  for (;;) {
    const transaction = await client.transaction('write');
    try {
      // The client sends BEGIN with the first statement: nothing may run before this transaction has its turn.
      await transaction.execute('SELECT 1');
      return transaction;
    } catch (error) {
      transaction.close();
      if (!isBusy(error) || performance.now() > deadline) throw error;
    }
    await pause(retry.nextMs());
  }
}
