import { type SnapshotLine, SnapshotLineSchema } from '@hlid/protocol/edge-api';
import { FeedHeadSchema, MessageVersionSchema } from '@hlid/protocol/envelope';
import { readNewer } from '@hlid/protocol/read-newer';
import { FeedMarkSchema, LIST_KINDS, SiteChangeBodySchema } from '@hlid/protocol/site-change';
import { z } from 'zod';
import type { ParsedBatch, ParsedChange } from './feed-book.ts';

/**
 * What the cloud tells of the lists, read as far as it is understood. A newer cloud may tell of kinds that this site
 * does not know: they are passed over, by their number. And an item is kept as it was sent, with whatever else stands
 * in it: the content hash is over that.
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

/** A line of a snapshot: whoever asks for one names the version it reads, and gets no lines of other kinds. */
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
function asSent<Told extends object>(told: Told, sent: unknown): Told {
  return 'item' in told ? { ...told, item: memberOf(sent, 'item') } : told;
}

function memberOf(document: unknown, name: string): unknown {
  return typeof document === 'object' && document !== null ? Reflect.get(document, name) : undefined;
}

function parsed<T>(read: z.ZodSafeParseResult<T>): T {
  if (read.success) return read.data;
  throw read.error;
}
