import type { Db, Tx } from '../src/platform/db/db.ts';

/**
 * A database with a process that dies in its n-th transaction from now, after its work and before it is
 * durable.
 */
export function diesAfter(db: Db, transactions: number): Db {
  let left = transactions;
  return {
    read: (work) => db.read(work),
    onAnnounced: (listener) => db.onAnnounced(listener),
    announced: (names) => db.announced(names),
    close: () => db.close(),
    async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      if (left < 0) throw new Error('dead');
      return await db.write(async (tx) => {
        const result = await work(tx);
        left--;
        if (left < 0) throw new Error('died');
        return result;
      });
    },
  };
}
