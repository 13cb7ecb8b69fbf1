import {
  type Document,
  type ErrorCode,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import type { z } from 'zod';
import { keyText, mistakesIn } from '../base/mistakes/mistake-words.ts';

/**
 * Reads YAML by a schema. Every mistake names its line and its key: `line 7: cameras[0].token: at least 8 characters`.
 */
export function readYaml<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
): { ok: true; value: z.output<Schema> } | { ok: false; mistakes: string[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) {
    const mistakes = document.errors.map(
      ({ code, message, pos }) => `line ${lines.linePos(pos[0]).line}: ${yamlWords(code, message)}`,
    );
    return { ok: false, mistakes: [...new Set(mistakes)] };
  }
  const value: unknown = document.toJS();
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const mistakes = mistakesIn(schema, value, parsed.error).map(({ path, message }) => {
    const offset = offsetOf(document, path);
    const key = keyText(path) || 'the file';
    return { line: offset === null ? 1 : lines.linePos(offset).line, text: `${key}: ${message}` };
  });
  mistakes.sort((a, b) => a.line - b.line);
  return { ok: false, mistakes: mistakes.map(({ line, text: mistake }) => `line ${line}: ${mistake}`) };
}

const YAML_WORDS: Partial<Record<ErrorCode, string>> = {
  BAD_INDENT: 'the indentation does not fit the lines above',
  BLOCK_IN_FLOW: 'an indented block cannot stand within { } or [ ]',
  BAD_ALIAS: 'an alias (*) has no name',
  BAD_DQ_ESCAPE: 'within " " a backslash has a meaning of its own: use single quotation marks',
  BAD_SCALAR_START: 'a text that begins with this character goes in quotation marks',
  BLOCK_AS_IMPLICIT_KEY:
    'there are two colons in this line, or the line below is indented too far: a text with a colon goes in quotation marks',
  DUPLICATE_KEY: 'this key stands here twice',
  MULTILINE_IMPLICIT_KEY: 'a colon is missing behind the key',
  MULTIPLE_DOCS: 'the file goes on after the end of its document (---)',
  TAB_AS_INDENT: 'indent with spaces, not with tabs',
};

/** A mistake of YAML itself, in words for people. */
function yamlWords(code: ErrorCode, message: string): string {
  const [, missing] = /(?:end with an?|Missing(?: closing)?) (\S+)/.exec(message) ?? [];
  if (missing !== undefined) return `${missing} is missing, or the indentation is wrong`;
  const words = YAML_WORDS[code];
  if (words !== undefined) return words;
  return 'this is not YAML: a colon, a quotation mark or a bracket may be missing here or above';
}

/** Placeholder for a secret in the examples. Left in place, it would be a public password. */
const PLACEHOLDER = 'change-me';

export function isPlaceholder(text: string): boolean {
  return text.includes(PLACEHOLDER);
}

/** The lines of a YAML file that still have a secret of the examples. */
export function placeholdersIn(text: string): string[] {
  const lines = new LineCounter();
  const mistakes: string[] = [];
  visit(parseDocument(text, { lineCounter: lines, prettyErrors: false }), {
    Scalar(key, { value, range }) {
      if (key === 'key' || typeof value !== 'string' || !isPlaceholder(value)) return;
      mistakes.push(`line ${lines.linePos(range?.[0] ?? 0).line}: ${PLACEHOLDER_LEFT}`);
    },
  });
  return mistakes;
}

export const PLACEHOLDER_LEFT = `\`${PLACEHOLDER}\` is the example’s secret: put one of your own there`;

/** The place of a setting in the text; for a missing one, the beginning of what is around it. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number | null {
  let node: unknown = document.contents;
  let offset: number | null = startOf(node);
  for (const step of path) {
    const key = keyOf(node, step);
    if (!isCollection(node)) break;
    node = node.get(step, true);
    offset = startOf(key) ?? startOf(node) ?? offset;
  }
  return offset;
}

function keyOf(node: unknown, step: PropertyKey): unknown {
  if (!isMap(node)) return null;
  return node.items.find(({ key }) => (isScalar(key) ? key.value : key) === step)?.key ?? null;
}

function startOf(node: unknown): number | null {
  return isNode(node) ? (node.range?.[0] ?? null) : null;
}
