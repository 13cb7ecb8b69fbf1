import { deflateSync, inflateSync } from 'node:zlib';
import { z } from 'zod';
import type { KnownDay } from './carry-over.ts';
import { DAY_SIDES, DAY_THINGS } from './day-facts.ts';

const KnownSchema = z.strictObject({
  rows: z.array(
    z.strictObject({
      side: z.enum(DAY_SIDES),
      thing: z.enum(DAY_THINGS),
      id: z.string(),
      label: z.string().nullable(),
      amountMinor: z.int(),
      currency: z.string(),
      subject: z.string(),
    }),
  ),
  differences: z.array(z.string()),
  expected: z.array(z.strictObject({ key: z.string(), amountMinor: z.int(), currency: z.string() })),
});

/** What a close knows: of its own day, and of earlier ones by their closes. */
export interface Snapshot {
  own: KnownDay;
  earlier: Readonly<Record<string, KnownDay>>;
}

const SnapshotSchema = z.strictObject({ own: KnownSchema, earlier: z.record(z.string(), KnownSchema) });

/** Packed: a day has a row for each payment, and its close is kept for years. */
export function packSnapshot(snapshot: Snapshot): Uint8Array {
  return deflateSync(JSON.stringify(snapshot));
}

export function unpackSnapshot(packed: Uint8Array | ArrayBuffer): Snapshot {
  return SnapshotSchema.parse(JSON.parse(inflateSync(packed).toString()));
}
