import type { Queries } from './db.ts';

/** A value as our tables store it. */
export type StoredValue = string | number | Uint8Array | null;

/** Runs a statement with the values of its marks, in their order. */
export type RunText = (text: string, values: StoredValue[]) => void | Promise<void>;

const runners = new WeakMap<Queries, RunText>();

/** Queries on which `runText` works too. */
export function withRunText(q: Queries, run: RunText): Queries {
  runners.set(q, run);
  return q;
}

/** Runs a statement with a known text; embedded, it is prepared once and kept. */
export async function runText(q: Queries, text: string, values: StoredValue[]): Promise<void> {
  const run = runners.get(q);
  if (run === undefined) throw new TypeError('these queries were not opened by Db');
  await run(text, values);
}
