import type { Db, Tx } from './db.ts';

/** Carries a refusal out of a transaction, which is taken back by it. */
class RolledBack extends Error {
  readonly refused: { ok: boolean };

  constructor(refused: { ok: boolean }) {
    super('refused after something was written');
    this.refused = refused;
  }
}

/** A transaction of several steps: where one of them is refused, what the steps before have written is taken back. */
export async function writeWhole<Result extends { ok: boolean }>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  try {
    return await db.write(async (tx) => {
      const result = await work(tx);
      if (!result.ok) throw new RolledBack(result);
      return result;
    });
  } catch (error) {
    // Thrown just above, with the result of this work.
    if (error instanceof RolledBack) return error.refused as Result;
    throw error;
  }
}
