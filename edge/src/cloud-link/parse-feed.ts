import { readNewer } from '@hlid/protocol/base/read-newer';
import { type SnapshotLine, SnapshotLineSchema } from '@hlid/protocol/site-link/edge-api';
import { FeedHeadSchema, MessageVersionSchema } from '@hlid/protocol/site-link/envelope';
import { FeedMarkSchema, LIST_KINDS, SiteChangeBodySchema } from '@hlid/protocol/site-link/site-change';
import { z } from 'zod';
import type { ParsedBatch, ParsedChange } from '../site-lists/feed-book.ts';

/**
 * A message about the lists, parsed as far as it is known. A newer cloud may send kinds that this site does not know:
 * they are skipped, by their number. An item is kept as it was sent, with its unknown fields: the content hash includes
 * them.
 */
const EnvelopeSchema = z.object({
  v: MessageVersionSchema,
  changes: z.array(
    z.object({
      n: z.int().min(1),
      mark: FeedMarkSchema,
      change: z.looseObject({ kind: z.string() }),
    }),
  ),
  head: z.unknown(),
});

const KNOWN_KINDS: ReadonlySet<string> = new Set(
  SiteChangeBodySchema.options.map((option) => option.shape.kind.value),
);

/** A ChangeBatch. Throws where it makes no sense. */
export function parseChangeBatch(document: unknown): ParsedBatch {
  const { changes, head } = EnvelopeSchema.parse(document);
  return { changes: changes.map(readChange), head: parsed(readNewer(FeedHeadSchema, head)) };
}

function readChange({
  n,
  mark,
  change: sent,
}: z.infer<typeof EnvelopeSchema>['changes'][number]): ParsedChange {
  if (!KNOWN_KINDS.has(sent.kind)) return { n, mark, change: null };
  const change = parsed(readNewer(SiteChangeBodySchema, sent));
  return { n, mark, change: isOfList(change) ? asSent(change, sent) : change };
}

/** A line of a snapshot: a request names the version that the site reads, and gets no lines of other kinds. */
export function parseSnapshotLine(document: unknown): z.ZodSafeParseResult<SnapshotLine> {
  const read = readNewer(SnapshotLineSchema, document);
  if (!read.success) return read;
  const { data: line } = read;
  if (line.kind === 'change') {
    return { ...read, data: { ...line, change: asSent(line.change, memberOf(document, 'change')) } };
  }
  return isOfList(line) ? { ...read, data: asSent(line, document) } : read;
}

function isOfList({ kind }: { kind: string }): boolean {
  return LIST_KINDS.some((known) => known === kind);
}

/** The same with its item word for word. */
function asSent<Parsed extends object>(line: Parsed, sent: unknown): Parsed {
  return 'item' in line ? { ...line, item: memberOf(sent, 'item') } : line;
}

function memberOf(document: unknown, name: string): unknown {
  return typeof document === 'object' && document !== null ? Reflect.get(document, name) : undefined;
}

function parsed<T>(read: z.ZodSafeParseResult<T>): T {
  if (read.success) return read.data;
  throw read.error;
}
