import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { type UtcTime, UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import type { Context, TypedResponse } from 'hono';
import type { JsonText } from '../db/json-object.ts';

/** The rows on a page, unless a collection sets another number. */
export const PAGE_ROWS = 50;

/** Larger sets are counted up to here only; counting them all on each page would cost more than the page. */
export const COUNTED_UP_TO = 1000;

/** A place in a list sorted newest first, and which way to go from there; see keyset.ts. */
const CursorSchema = z.strictObject({
  go: z.enum(['older', 'newer']),
  rank: z.int().min(0).max(2),
  at: UtcTimeSchema,
  id: z.string(),
});
export type Cursor = z.infer<typeof CursorSchema>;

/** The same in a list that may be sorted by a text, which then stands in `at`. */
const TextCursorSchema = z.strictObject({ ...CursorSchema.shape, at: z.string() });

/** The place of a row in its list. */
export type Place = Omit<Cursor, 'go'>;

/** The place of a row in a list that is sorted by creation. */
export function placeByCreation({ createdAt, id }: { createdAt: UtcTime; id: string }): Place {
  return { rank: 0, at: createdAt, id };
}

function cursorParam(schema: typeof CursorSchema | typeof TextCursorSchema) {
  return z
    .string()
    .transform((text, check): Cursor => {
      const cursor = schema.safeParse(decode(text));
      if (cursor.success) return cursor.data;
      check.addIssue({ code: 'custom', message: wrong('no-cursor') });
      return z.NEVER;
    })
    .openapi({ type: 'string', description: '`next` or `previous` of an answer.' });
}

/** The query parameter `next`: what an answer gave as `next` or `previous`. */
export const CursorParamSchema = cursorParam(CursorSchema);

/** The same where the list may be sorted by a text. */
export const TextCursorParamSchema = cursorParam(TextCursorSchema);

/** The envelope of every list. */
export function listOf<Row extends z.ZodType>(row: Row) {
  return z.strictObject({
    /** The query parameter `next` of the next page; null: this is the last page. */
    next: z.string().nullable(),
    previous: z.string().nullable(),
    /** Rows of all pages; see `extra.totalIs`. */
    total: z.int().min(0),
    extra: z.strictObject({ totalIs: z.enum(['exact', 'at-least']) }),
    data: z.array(row),
  });
}

export interface List<Row> {
  next: string | null;
  previous: string | null;
  total: number;
  extra: { totalIs: 'exact' | 'at-least' };
  data: Row[];
}

/**
 * One page of a list.
 *
 * @param read reads rows beyond a cursor in its direction, nearest first, and one more than a page has
 * @param count counts all rows, up to one more than COUNTED_UP_TO
 */
export async function readPage<Row>(
  question: { cursor: Cursor | undefined; rows?: number },
  placeOf: (row: Row) => Place,
  read: (limit: number) => Promise<Row[]>,
  count: () => Promise<number>,
): Promise<List<Row>> {
  const { cursor, rows = PAGE_ROWS } = question;
  const found = await read(rows + 1);
  const more = found.length > rows;
  const nearest = found.slice(0, rows);
  const data = cursor?.go === 'newer' ? nearest.reverse() : nearest;
  const hasOlder = cursor?.go === 'newer' || more;
  const hasNewer = cursor?.go === 'newer' ? more : cursor !== undefined;
  const first = data[0];
  const last = data.at(-1);
  const counted = hasOlder || hasNewer ? await count() : data.length;
  return {
    next: hasOlder && last ? encode({ go: 'older', ...placeOf(last) }) : null,
    previous: hasNewer && first ? encode({ go: 'newer', ...placeOf(first) }) : null,
    total: Math.min(counted, COUNTED_UP_TO),
    extra: { totalIs: counted > COUNTED_UP_TO ? 'at-least' : 'exact' },
    data,
  };
}

/** A list that is always whole on one page. */
export function wholeList<Row>(data: Row[]): List<Row> {
  return { next: null, previous: null, total: data.length, extra: { totalIs: 'exact' }, data };
}

function encode(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.go, cursor.rank, cursor.at, cursor.id])).toString('base64url');
}

function decode(text: string): unknown {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    if (!Array.isArray(parts)) return null;
    const [go, rank, at, id] = parts;
    return { go, rank, at, id };
  } catch {
    return null;
  }
}

/** A list of rows that are JSON already, with whatever else its envelope holds. */
export function jsonList<Row, Envelope extends List<JsonText<Row>>>(
  list: Envelope,
): JsonText<Omit<Envelope, 'data'> & { data: Row[] }> {
  const { data, ...envelope } = list;
  const text = `${JSON.stringify(envelope).slice(0, -1)},"data":[${data.join(',')}]}`;
  return text as JsonText<Omit<Envelope, 'data'> & { data: Row[] }>;
}

/** Does the same as `c.json` for a text that is JSON already. */
export function jsonAnswer<Shown>(c: Context, text: JsonText<Shown>): TypedResponse<Shown, 200, 'json'> {
  const response: unknown = c.body(text, 200, { 'Content-Type': 'application/json' });
  // Hono types a response by what it was made of.
  return response as TypedResponse<Shown, 200, 'json'>;
}
