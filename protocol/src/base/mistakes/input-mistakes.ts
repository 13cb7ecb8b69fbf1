import type { z } from 'zod';
import type { MistakePath } from './any-mistake.ts';
import { type Mistake, mistake, mistakeOfMessage } from './mistake.ts';

type Issue = z.core.$ZodIssue;

/** A longer list would not be read. */
export const MAX_MISTAKES = 50;
const MAX_PATH_STEPS = 20;
const MAX_VALUES_NAMED = 40;
const MAX_KEYS_NAMED = 5;
const MAX_NAME_LENGTH = 60;

/** How the validator's own messages begin; other messages are from the schema. */
const VALIDATOR_MESSAGE = /^(Invalid |Too (big|small)|Unrecognized key)/;
const MISSING = /, received undefined$/;

/** The mistakes of an input, each with its place. */
export function inputMistakes({ issues }: z.core.$ZodError): Mistake[] {
  const mistakes: Mistake[] = [];
  for (const issue of issues) {
    for (const found of mistakesOf(issue, [])) {
      if (mistakes.length === MAX_MISTAKES) return [...mistakes, mistake('more-mistakes')];
      mistakes.push(found);
    }
  }
  return mistakes;
}

/** The mistakes of one issue. For a union, they are those of the nearest form, or those of every form. */
function mistakesOf(issue: Issue, within: readonly PropertyKey[]): Mistake[] {
  const path = [...within, ...issue.path];
  const ownWords = issue.message !== 'Invalid input';
  if (issue.code !== 'invalid_union' || ownWords || issue.errors.length === 0) {
    return [issueMistake(issue, shortPath(path))];
  }
  const [nearest = [], next] = issue.errors.toSorted((a, b) => a.length - b.length);
  if (next === undefined || nearest.length < next.length) {
    return nearest.slice(0, MAX_MISTAKES).flatMap((part) => mistakesOf(part, path));
  }
  const forms = issue.errors.flatMap((some) =>
    some.slice(0, MAX_MISTAKES).flatMap((part) => mistakesOf(part, [])),
  );
  const different = new Map(forms.map((form) => [JSON.stringify(form), form]));
  return [mistake('none-of', shortPath(path), { forms: [...different.values()] })];
}

/** The mistake of one issue of the validator, whatever it is within. */
export function issueMistake(issue: Issue, path: MistakePath = []): Mistake {
  const own = mistakeOfMessage(issue.message, path);
  if (own !== null) return own;
  if (!VALIDATOR_MESSAGE.test(issue.message)) return mistake('in-words', path, { text: issue.message });
  switch (issue.code) {
    case 'invalid_type':
      if (MISSING.test(issue.message)) return mistake('required', path);
      return mistake('wrong-type', path, { expected: issue.expected });
    case 'too_big':
      return tooBig(issue, path);
    case 'too_small':
      return tooSmall(issue, path);
    case 'invalid_format':
      return mistake('wrong-format', path, { format: issue.format });
    case 'not_multiple_of':
      return mistake('not-multiple', path, { divisor: issue.divisor });
    case 'unrecognized_keys':
      return mistake('unknown-fields', path, {
        names: issue.keys.slice(0, MAX_KEYS_NAMED).map(shortName),
        more: Math.max(0, issue.keys.length - MAX_KEYS_NAMED),
      });
    case 'invalid_value':
      return mistake('not-one-of', path, {
        values: issue.values.slice(0, MAX_VALUES_NAMED).map(String),
        more: Math.max(0, issue.values.length - MAX_VALUES_NAMED),
      });
    case 'invalid_union':
      return MISSING.test(issue.message) ? mistake('required', path) : mistake('no-such-form', path);
    case 'invalid_key':
      return mistake('wrong-name-within', path);
    case 'invalid_element':
      return mistake('wrong-entry-within', path);
    case 'custom':
      return mistake('wrong', path);
    default:
      return issue satisfies never;
  }
}

function tooBig(issue: z.core.$ZodIssueTooBig, path: MistakePath): Mistake {
  const maximum = Number(issue.maximum);
  if (issue.origin === 'string') return mistake('too-long', path, { maximum });
  if (issue.origin === 'array' || issue.origin === 'set') return mistake('too-many', path, { maximum });
  return issue.inclusive === false
    ? mistake('not-below', path, { limit: maximum })
    : mistake('too-big', path, { maximum });
}

function tooSmall(issue: z.core.$ZodIssueTooSmall, path: MistakePath): Mistake {
  const minimum = Number(issue.minimum);
  if (issue.origin === 'string') {
    return minimum === 1 ? mistake('empty', path) : mistake('too-short', path, { minimum });
  }
  if (issue.origin === 'array' || issue.origin === 'set') return mistake('too-few', path, { minimum });
  return issue.inclusive === false
    ? mistake('not-above', path, { limit: minimum })
    : mistake('too-small', path, { minimum });
}

/** A given name, short enough for a message. */
export function shortName(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

function shortPath(path: readonly PropertyKey[]): MistakePath {
  return path
    .slice(0, MAX_PATH_STEPS)
    .map((step) => (typeof step === 'number' ? step : shortName(String(step))));
}
