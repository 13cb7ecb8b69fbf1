import { inputMistakes } from '@hlid/protocol/base/mistakes/input-mistakes';
import { readNewer } from '@hlid/protocol/base/read-newer';
import type { z } from 'zod';
import { englishLines } from '../refused.ts';

export type ReadMessage<Message> = { ok: true; message: Message } | { ok: false; reason: string };

/** A site's message under its schema; additional fields of a newer site are ignored. */
export function readMessage<Schema extends z.ZodType>(
  schema: Schema,
  payload: Uint8Array,
): ReadMessage<z.infer<Schema>> {
  let document: unknown;
  try {
    document = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    return { ok: false, reason: 'not JSON' };
  }
  const read = readNewer(schema, document);
  if (read.success) return { ok: true, message: read.data };
  return { ok: false, reason: englishLines(inputMistakes(read.error)).join('; ') };
}
