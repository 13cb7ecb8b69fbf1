import { accept, type ParsedDocument, refuse } from './json-border.ts';
import { readEach } from './read-each.ts';
import { withKeysApart } from './read-parts.ts';

const MAX_VEHICLES = 100;

/** Several messages as one document, each read by itself; its pictures are those of the first that has a read. */
export function joinDocuments<Message>(
  messages: readonly Message[],
  read: (message: Message) => ParsedDocument,
): ParsedDocument {
  const each = readEach(messages, (message) => {
    const parsed = read(message);
    return parsed.ok ? { ok: true, value: parsed.document, faults: parsed.document.faults ?? [] } : parsed;
  });
  if (!each.ok) return each;
  const documents = each.value;
  const reads = documents.flatMap((document) => document.reads);
  if (reads.length > MAX_VEHICLES) return refuse('wrong-shape', `more than ${MAX_VEHICLES} vehicles`);
  const first = documents.find((document) => document.reads.length > 0) ?? documents[0];
  if (first === undefined) return refuse('unknown-kind', 'there is no message');
  const faults = [...new Set(each.faults)];
  return accept({
    ...first,
    ...(faults.length > 0 && { faults }),
    reads: withKeysApart(reads),
    heartbeat: documents.some(({ heartbeat }) => heartbeat),
    ...(first.summary && {
      summary: documents.every((document) => document.reads.length === 0 || document.summary === true),
    }),
  });
}
