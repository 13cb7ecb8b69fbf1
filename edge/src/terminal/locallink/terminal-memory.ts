import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '@hlid/node/errors';
import { writeSecretFile } from '@hlid/node/private-files';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { ReceiptCardSchema } from '@hlid/protocol/records/payment';
import { z } from 'zod';

const TransactionSchema = z.object({
  reference: z.string(),
  terminalId: z.string(),
  amountMinor: z.int(),
  currency: z.string(),
  authorisation: z.string().nullable(),
  card: ReceiptCardSchema,
  at: z.string().nullable(),
  marks: z.record(z.string(), z.string()),
});

const OpenSaleSchema = z.object({
  orderId: z.string(),
  amountMinor: z.int(),
  currency: z.string(),
  /** The terminal's name for it (UTI); null: it has not reported it, or its answer was lost. */
  uti: z.string().nullable(),
  /** Sales less refunds of the terminal's day before it, as the terminal counts; null: it did not report them. */
  takenBefore: z.int().nullable(),
  at: UtcTimeSchema,
});
export type OpenSale = z.infer<typeof OpenSaleSchema>;

const MemorySchema = z.object({
  token: z.string().nullable(),
  /** The pairing code that was used last, and whether the terminal took it. */
  usedCode: z.string().nullable(),
  /** A sale that was begun, and of which the end was not seen. */
  open: OpenSaleSchema.nullable(),
  /** The newest booking of the terminal, as far as we know. */
  last: TransactionSchema.nullable(),
  /** An older memory was lost: that there is no last one means nothing. */
  isPartial: z.boolean(),
});
export type Memory = z.infer<typeof MemorySchema>;

const NOTHING: Memory = { token: null, usedCode: null, open: null, last: null, isPartial: false };

/** LocalLink finds a transaction by its name only, so its name must be on the disk before anything can be lost. */
export class TerminalMemory {
  readonly #dataDir: string;
  readonly #name: string;
  #memory: Memory | null = null;

  constructor(dataDir: string, id: string) {
    this.#dataDir = dataDir;
    this.#name = `terminal-${id}.json`;
  }

  get(): Memory {
    this.#memory ??= read(join(this.#dataDir, this.#name));
    return this.#memory;
  }

  /** Changes the memory, which is on the disk when this returns. */
  change(changes: Partial<Memory>): void {
    const next = { ...this.get(), ...changes };
    writeSecretFile(this.#dataDir, this.#name, next);
    this.#memory = next;
  }
}

function read(path: string): Memory {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return NOTHING;
    throw error;
  }
  try {
    return MemorySchema.parse(JSON.parse(text));
  } catch {
    return { ...NOTHING, isPartial: true };
  }
}
