import type { CameraDocument } from '../plate/plate-read.ts';
import { accept, type ParsedDocument, refuse } from './json-border.ts';
import { withKeysApart } from './read-parts.ts';

const MAX_VEHICLES = 100;

/** Several messages as one document, or the first refusal; its pictures are those of the first that has a read. */
export function joinDocuments<Message>(
  messages: readonly Message[],
  read: (message: Message) => ParsedDocument,
): ParsedDocument {
  const documents: CameraDocument[] = [];
  let vehicles = 0;
  for (const message of messages) {
    const parsed = read(message);
    if (!parsed.ok) return parsed;
    documents.push(parsed.document);
    vehicles += parsed.document.reads.length;
    if (vehicles > MAX_VEHICLES) return refuse('wrong-shape', `more than ${MAX_VEHICLES} vehicles`);
  }
  const first = documents.find(({ reads }) => reads.length > 0) ?? documents[0];
  if (first === undefined) return refuse('unknown-kind', 'there is no message');
  const faults = documents.flatMap((document) => document.faults ?? []);
  return accept({
    ...first,
    ...(faults.length > 0 && { faults: [...new Set(faults)] }),
    reads: withKeysApart(documents.flatMap(({ reads }) => reads)),
    heartbeat: documents.some(({ heartbeat }) => heartbeat),
    ...(first.summary && {
      summary: documents.every(({ reads, summary }) => reads.length === 0 || summary === true),
    }),
  });
}
