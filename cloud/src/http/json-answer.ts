import type { Context, TypedResponse } from 'hono';
import type { JsonText } from '../db/json-object.ts';
import type { List } from './list-envelope.ts';

/** A list of rows that are JSON already, with whatever else its envelope holds. */
export function jsonList<Row, Envelope extends List<JsonText<Row>>>(
  list: Envelope,
): JsonText<Omit<Envelope, 'data'> & { data: Row[] }> {
  const { data, ...envelope } = list;
  const text = `${JSON.stringify(envelope).slice(0, -1)},"data":[${data.join(',')}]}`;
  return text as JsonText<Omit<Envelope, 'data'> & { data: Row[] }>;
}

/** What `c.json` does, for what is JSON already. */
export function jsonAnswer<Shown>(c: Context, text: JsonText<Shown>): TypedResponse<Shown, 200, 'json'> {
  const response: unknown = c.body(text, 200, { 'Content-Type': 'application/json' });
  // Hono types a response by what it was made of.
  return response as TypedResponse<Shown, 200, 'json'>;
}
