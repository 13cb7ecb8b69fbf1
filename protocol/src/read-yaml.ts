import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
} from 'yaml';
import type { z } from 'zod';

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
      ({ message, pos }) => `line ${lines.linePos(pos[0]).line}: ${message}`,
    );
    return { ok: false, mistakes };
  }
  const parsed = schema.safeParse(document.toJS());
  if (parsed.success) return { ok: true, value: parsed.data };
  const mistakes = parsed.error.issues.flatMap(unfold).map(({ path, message }) => {
    const offset = offsetOf(document, path);
    const key = keyText(path) || 'the file';
    return { line: offset === null ? 1 : lines.linePos(offset).line, text: `${key}: ${message}` };
  });
  mistakes.sort((a, b) => a.line - b.line);
  return { ok: false, mistakes: mistakes.map(({ line, text: mistake }) => `line ${line}: ${mistake}`) };
}

/** What stands for a secret in the examples: whoever leaves it there has a password that everybody knows. */
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

interface Mistake {
  path: PropertyKey[];
  message: string;
}

/** Keys that the schema does not know are one issue of the object around them; each is a mistake of its own. */
function unfold(issue: z.core.$ZodIssue): Mistake[] {
  if (issue.code !== 'unrecognized_keys') return [issue];
  return issue.keys.map((key) => ({ path: [...issue.path, key], message: 'there is no such setting' }));
}

/** Where the thing stands in the text; for what is missing, where the thing around it begins. */
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

function keyText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`,
    '',
  );
}
