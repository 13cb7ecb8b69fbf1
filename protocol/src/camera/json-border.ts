import type { z } from 'zod';
import { beyondJsonBounds, type JsonBounds } from '../base/json-bounds.ts';
import { inputWords } from '../base/mistakes/input-words.ts';
import { mistake } from '../base/mistakes/mistake.ts';
import { REFUSALS_EN } from '../base/mistakes/refusals/refusals-en.ts';
import { refusalText } from '../base/mistakes/say-refusal.ts';
import type { CameraDocument, DocumentParser, DocumentRefusal } from '../plate/plate-read.ts';
import { fromUtf16 } from './body-text.ts';
import { findJsonFault } from './json-fault.ts';

/** Result of a `DocumentParser`. */
export type ParsedDocument = ReturnType<DocumentParser>;

/** A checked value, with what had to be left out of it, or the refusal. */
export type Checked<T> =
  | { ok: true; value: T; faults?: readonly string[] }
  | { ok: false; refusal: DocumentRefusal };

const MAX_ISSUES = 3;
/** How often values that are not understood are left out; each time may show others. */
const MAX_LEFT_OUT_ROUNDS = 4;
const BOUNDS: JsonBounds = {
  maxDepth: 200,
  // A camera's longest document has some thousands.
  maxValues: 25_000,
  // Some write every slash of a picture's base64 with a backslash before it.
  maxEscapes: 300_000,
};

/** How much of a body that is not JSON is searched for the fault. */
const LONGEST_BEGINNING = 1024;
const SPACES = new Set(new TextEncoder().encode(' \t\r\n'));
const FIRST_BYTES = new Set(new TextEncoder().encode('{["-0123456789tfn'));

/**
 * Decodes a body that should be JSON in UTF-8 or UTF-16, with or without a byte order mark. An invalid
 * byte, as in the name of a camera, becomes U+FFFD. Never throws.
 */
export function readJson(given: Uint8Array): Checked<unknown> {
  const utf8 = fromUtf16(given) ?? given;
  const body = utf8.subarray(0, endOfText(utf8));
  if (!canBegin(body)) {
    return refuse(
      'malformed',
      jsonErrorMessage(new TextDecoder().decode(body.subarray(0, LONGEST_BEGINNING))),
    );
  }
  const beyond = beyondJsonBounds(body, BOUNDS);
  if (beyond !== null)
    return refuse('malformed', refusalText(mistake('body-too-full', [], beyond), REFUSALS_EN));
  const text = new TextDecoder().decode(body);
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return refuse('malformed', jsonErrorMessage(text));
  }
}

/**
 * Checks a value against a schema. A value that is not understood is left out where the document can be read without
 * it, as a picture that is no text: it must not cost the plate. The refusal names each path and what was
 * expected there. Never throws.
 *
 * @param place where the value stands in the document
 */
export function checkShape<S extends z.ZodType>(
  schema: S,
  value: unknown,
  place = 'the document',
): Checked<z.output<S>> {
  const whole = schema.safeParse(value);
  if (whole.success) return { ok: true, value: whole.data };
  const faults: string[] = [];
  let { issues } = whole.error;
  let rest: unknown = value;
  for (let round = 0; round < MAX_LEFT_OUT_ROUNDS; round++) {
    const pruned = withoutDetails(rest, issues);
    if (pruned === null) break;
    faults.push(...issues.slice(0, MAX_ISSUES).map((issue) => `${wordsOf(issue, place)}, and is left out`));
    rest = pruned;
    const again = schema.safeParse(rest);
    if (again.success)
      return { ok: true, value: again.data, faults: [...new Set(faults)].slice(0, MAX_ISSUES) };
    issues = again.error.issues;
  }
  const words = whole.error.issues.slice(0, MAX_ISSUES).map((issue) => wordsOf(issue, place));
  return refuse('wrong-shape', words.join('; '));
}

function wordsOf(issue: z.core.$ZodIssue, place: string): string {
  return `${issue.path.join('.') || place}: ${inputWords(issue)}`;
}

/**
 * The members that are a plate's text. A document with a plate that is not understood is refused, so that its
 * installer sees it.
 */
const PLATE_NAMES = /^(?:best_?)?(?:licen[cs]e)?plate_?(?:text|utf8|number|string|read)?$/i;
/** The other candidates for a plate, of which none is needed. */
const CANDIDATES = 'candidates';

/** A copy of a value without the details that are not understood; null: one of them is no detail. */
function withoutDetails(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(value);
  const members: { list: unknown[]; at: number }[] = [];
  for (const issue of issues) {
    const path = issue.path.includes(CANDIDATES) ? candidatePath(issue.path) : issue.path;
    const found = isDetail(issue) ? memberAt(copy, path) : null;
    if (found === null) return null;
    const { holder, name } = found;
    if (Array.isArray(holder)) members.push({ list: holder, at: Number(name) });
    else Reflect.deleteProperty(holder, name);
  }
  // The walk begins at the end, so that the places of the others stay as they are.
  for (const { list, at } of members.toSorted((one, other) => other.at - one.at)) list.splice(at, 1);
  return copy;
}

/** Neither a plate's text nor a part that has others in it. */
function isDetail({ path, ...issue }: z.core.$ZodIssue): boolean {
  if (path.includes(CANDIDATES)) return true;
  const isPart = issue.code === 'invalid_type' && issue.expected === 'object';
  return !isPart && !PLATE_NAMES.test(String(path.findLast((step) => typeof step === 'string') ?? ''));
}

/** A candidate is left out whole. */
function candidatePath(path: readonly PropertyKey[]): readonly PropertyKey[] {
  return path.slice(0, path.indexOf(CANDIDATES) + 2);
}

/** The value at a path; null: there is none. A single value may be read as a list of one. */
function memberAt(
  value: unknown,
  path: readonly PropertyKey[],
): { holder: object; name: PropertyKey } | null {
  let found: { holder: object; name: PropertyKey } | null = null;
  let inside: unknown = value;
  for (const name of path) {
    if (name === 0 && !Array.isArray(inside)) continue;
    if (typeof inside !== 'object' || inside === null || !(name in inside)) return null;
    found = { holder: inside, name };
    inside = Reflect.get(inside, name);
  }
  return found;
}

/** Result for a document that was parsed. */
export function accept(part: Partial<CameraDocument> & { kind: string }): ParsedDocument {
  return { ok: true, document: { reads: [], heartbeat: false, pictures: [], ...part } };
}

/** The document with what had to be left out of it, for the installer. */
export function withFaults(parsed: ParsedDocument, faults: readonly string[] = []): ParsedDocument {
  if (!parsed.ok || faults.length === 0) return parsed;
  return {
    ok: true,
    document: { ...parsed.document, faults: [...(parsed.document.faults ?? []), ...faults] },
  };
}

/** Refuses a document. @param message for the technician: what is wrong and where, without a plate */
export function refuse(
  reason: DocumentRefusal['reason'],
  message: string,
): { ok: false; refusal: DocumentRefusal } {
  return { ok: false, refusal: { reason, message } };
}

/** Quotes a word of the document, shortened for a message. */
export function quoted(word: string): string {
  return JSON.stringify(word.length > 40 ? `${word.slice(0, 40)}…` : word);
}

/** Some cameras send the zero that ends a text of theirs. */
function endOfText(body: Uint8Array): number {
  let end = body.length;
  while (end > 0 && body[end - 1] === 0) end--;
  return end;
}

/** Whether the first byte that is not a space can begin a JSON value. */
function canBegin(body: Uint8Array): boolean {
  let at = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0;
  while (at < LONGEST_BEGINNING && SPACES.has(body[at] ?? 0)) at++;
  return at < body.length && FIRST_BYTES.has(body[at] ?? 0);
}

function jsonErrorMessage(text: string): string {
  if (!/[^ \t\r\n]/.test(text)) return 'the body is empty';
  const fault = findJsonFault(text);
  if (fault === null) return 'the body is not JSON';
  if (fault.endsEarly) return `the JSON is cut off after ${fault.at} characters`;
  return `the body is not JSON: unexpected ${quoted(text.charAt(fault.at))} at character ${fault.at + 1}`;
}
