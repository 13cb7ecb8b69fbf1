import type { z } from 'zod';
import type { CameraDocument, DocumentParser, DocumentRefusal } from '../plate-read.ts';
import { findJsonFault } from './json-fault.ts';

/** What any `DocumentParser` answers. */
export type ParsedDocument = ReturnType<DocumentParser>;

/** A value that was let in, or why not. */
export type Checked<T> = { ok: true; value: T } | { ok: false; refusal: DocumentRefusal };

const MOST_ISSUES_TOLD = 3;
const DEEPEST_NESTING = 200;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Decodes a body that should be JSON in UTF-8, with or without a byte order mark. Never throws. */
export function readJson(body: Uint8Array): Checked<unknown> {
  if (nestsTooDeeply(body)) return refuse('malformed', `the JSON is nested deeper than ${DEEPEST_NESTING}`);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return refuse('malformed', 'the body is not UTF-8 text');
  }
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return refuse('malformed', whyNotJson(text));
  }
}

/** Checks a value against a schema; the refusal names each path and what was expected there. Never throws. */
export function checkShape<S extends z.ZodType>(schema: S, value: unknown): Checked<z.output<S>> {
  const result = schema.safeParse(value);
  if (result.success) return { ok: true, value: result.data };
  const told = result.error.issues
    .slice(0, MOST_ISSUES_TOLD)
    .map((issue) => `${issue.path.join('.') || 'the document'}: ${issue.message}`);
  return refuse('wrong-shape', told.join('; '));
}

/** A document that was understood: what it says, and nothing of the rest. */
export function accept(part: Partial<CameraDocument> & { kind: string }): ParsedDocument {
  return { ok: true, document: { reads: [], heartbeat: false, pictures: [], ...part } };
}

/** The refusal of a document, for the technician: say what is wrong and where, and quote no plate. */
export function refuse(
  reason: DocumentRefusal['reason'],
  message: string,
): { ok: false; refusal: DocumentRefusal } {
  return { ok: false, refusal: { reason, message } };
}

/** A document's own word, short enough for a message. */
export function quoted(word: string): string {
  return JSON.stringify(word.length > 40 ? `${word.slice(0, 40)}…` : word);
}

/** Asked first, since `JSON.parse` takes seconds for some megabytes of brackets. */
function nestsTooDeeply(body: Uint8Array): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) inString = !inString;
    else if (inString) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++;
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    if (depth > DEEPEST_NESTING) return true;
  }
  return false;
}

function whyNotJson(text: string): string {
  if (text.trim() === '') return 'the body is empty';
  const fault = findJsonFault(text);
  if (fault === null) return 'the body is not JSON';
  if (fault.endsEarly) return `the JSON is cut off after ${fault.at} characters`;
  return `the body is not JSON: unexpected ${quoted(text.charAt(fault.at))} at character ${fault.at + 1}`;
}
