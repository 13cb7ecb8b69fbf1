import { z } from 'zod';
import { nearestWord } from '../nearest-word.ts';
import { shortName } from './input-mistakes.ts';
import { inputWords } from './input-words.ts';

type Issue = z.core.$ZodIssue;

/** A mistake in something that a person wrote, and its place. */
export interface Mistake {
  path: PropertyKey[];
  message: string;
}

/**
 * Every mistake of a configuration or another file that a person wrote: what is wrong, what is written there (unless it
 * is a secret), and what was probably meant.
 */
export function mistakesIn(schema: z.ZodType, value: unknown, error: z.ZodError): Mistake[] {
  // Once, and only where there are mistakes.
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return error.issues.flatMap((issue) => mistakesOf(issue, [], { described, value }));
}

/** The same in lines, each with its key: `http.port: must be a number (written: “eighty”)`. */
export function mistakeLines(schema: z.ZodType, value: unknown, error: z.ZodError): string[] {
  return mistakesIn(schema, value, error).map(({ path, message }) =>
    path.length === 0 ? message : `${keyText(path)}: ${message}`,
  );
}

/** The written text and the one that was probably meant, to be put behind the mistake. Empty for a secret. */
export function writtenWords(written: string, known: readonly string[] = []): string {
  if (SECRET_VALUE.test(written)) return '';
  const meant = nearestWord(written, known);
  const text = shortName(written.replace(CREDENTIALS, '…@'));
  return ` (written: “${text}”${meant === null ? '' : `; did you mean “${meant}”?`})`;
}

/** `cameras[0].token` */
export function keyText(path: readonly PropertyKey[]): string {
  return path.reduce<string>(
    (text, step) =>
      typeof step === 'number' ? `${text}[${step}]` : text === '' ? String(step) : `${text}.${String(step)}`,
    '',
  );
}

/** User and password of an address, however badly that is written. */
const CREDENTIALS = /^.*:.*@/s;
const SECRET_KEY = /password|secret|token|key(id)?$|pairing|\bpin\b/i;
/** A secret key is one wherever it is pasted: of age, in PEM, or of a card gateway. */
const SECRET_VALUE = /secret|private|^[sr]k_/i;

interface Place {
  described: z.core.JSONSchema.BaseSchema;
  value: unknown;
}

function mistakesOf(issue: Issue, within: readonly PropertyKey[], place: Place): Mistake[] {
  const path = [...within, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const known = keysOf(schemasAt(place.described, path));
    return issue.keys.map((key) => {
      const meant = nearestWord(key, known);
      const hint = meant === null ? '' : `; did you mean ${meant}?`;
      return { path: [...path, key], message: `there is no such setting${hint}` };
    });
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = nearestForm(issue.errors);
    if (nearest) return nearest.flatMap((part) => mistakesOf(part, path, place));
  }
  const values = valuesOf(schemasAt(place.described, path));
  const isChoice = issue.code === 'invalid_union' && values.length > 0;
  const words = isChoice ? `must be one of ${values.join(', ')}` : inputWords(issue);
  return [{ path, message: `${words}${behind(issue, words, { path, values, value: place.value })}` }];
}

/** The form that was probably meant: the one with the fewest mistakes, unless it is another kind of thing. */
function nearestForm(forms: readonly (readonly Issue[])[]): readonly Issue[] | null {
  const fitting = forms.filter((issues) =>
    issues.every(({ code, path }) => code !== 'invalid_type' || path.length > 0),
  );
  return fitting.toSorted((a, b) => a.length - b.length)[0] ?? null;
}

function behind(
  issue: Issue,
  words: string,
  { path, values, value }: { path: readonly PropertyKey[]; values: readonly string[]; value: unknown },
): string {
  const written = path.reduce<unknown>(
    (within, step) => (typeof within === 'object' && within !== null ? Reflect.get(within, step) : undefined),
    value,
  );
  const isPlain = typeof written === 'string' || typeof written === 'number' || typeof written === 'boolean';
  if (!isPlain) return '';
  const quotes = issue.code === 'invalid_type' ? quotesHint(issue.expected, written) : '';
  if (path.some((step) => SECRET_KEY.test(String(step)))) return quotes;
  const text = String(written);
  if (text !== '' && words.includes(text)) return quotes;
  return `${writtenWords(text, values)}${quotes}`;
}

/** YAML makes a number of `12345678`, and a text of `"80"`. */
function quotesHint(expected: string, written: unknown): string {
  if (expected === 'string') return '; put it in quotes';
  const isNumber = expected === 'number' || expected === 'int';
  return isNumber && typeof written === 'string' && written.trim() !== '' && Number.isFinite(Number(written))
    ? '; without quotes'
    : '';
}

type Described = z.core.JSONSchema.BaseSchema;

/** All that may stand at a place. */
function schemasAt(root: Described, path: readonly PropertyKey[]): Described[] {
  const formsOf = (schema: z.core.JSONSchema._JSONSchema | undefined): Described[] => {
    if (schema === undefined || typeof schema === 'boolean') return [];
    const name = schema.$ref?.replace('#/$defs/', '');
    const parts = [
      ...(schema.anyOf ?? []),
      ...(schema.oneOf ?? []),
      ...(schema.allOf ?? []),
      ...(name === undefined ? [] : [root.$defs?.[name]]),
    ];
    return [schema, ...parts.flatMap(formsOf)];
  };
  return path.reduce<Described[]>(
    (schemas, step) =>
      schemas.flatMap(({ properties, additionalProperties, items }) => {
        if (typeof step !== 'number') return formsOf(properties?.[String(step)] ?? additionalProperties);
        return Array.isArray(items) ? formsOf(items[step]) : formsOf(items);
      }),
    formsOf(root),
  );
}

function keysOf(schemas: readonly Described[]): string[] {
  return [...new Set(schemas.flatMap(({ properties }) => Object.keys(properties ?? {})))];
}

function valuesOf(schemas: readonly Described[]): string[] {
  const values = schemas.flatMap(
    (schema) => schema.enum ?? (schema.const === undefined ? [] : [schema.const]),
  );
  return [...new Set(values.map(String))];
}
