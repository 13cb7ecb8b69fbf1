import type { AnyMistake } from '../../mistake.ts';
import type { Say } from '../say-refusal.ts';

/** What the schemas of the API refuse, and what their own rules add. */
export const INPUT_EN = {
  required: 'is required',
  'wrong-type': ({ expected }: { expected: string }) => `must be ${KINDS[expected] ?? expected}`,
  empty: 'must not be empty',
  'too-short': ({ minimum }: { minimum: number }) => `must have at least ${minimum} characters`,
  'too-long': ({ maximum }: { maximum: number }) => `must have at most ${maximum} characters`,
  'too-few': ({ minimum }: { minimum: number }) => `must have at least ${minimum} entries`,
  'too-many': ({ maximum }: { maximum: number }) => `must have at most ${maximum} entries`,
  'too-small': ({ minimum }: { minimum: number }) => `must be at least ${minimum}`,
  'too-big': ({ maximum }: { maximum: number }) => `must be at most ${maximum}`,
  'not-above': ({ limit }: { limit: number }) => `must be more than ${limit}`,
  'not-below': ({ limit }: { limit: number }) => `must be less than ${limit}`,
  'not-multiple': ({ divisor }: { divisor: number }) => `must be a multiple of ${divisor}`,
  'wrong-format': ({ format }: { format: string }) => FORMATS[format] ?? 'is not written as it is described',
  'not-one-of': ({ values, more }: { values: readonly string[]; more: number }) => {
    if (values.length === 1) return `must be ${values[0]}`;
    return `must be one of ${values.join(', ')}${more > 0 ? ' …' : ''}`;
  },
  'unknown-fields': ({ names, more }: { names: readonly string[]; more: number }) => {
    const named = names.map((name) => `“${name}”`).join(', ');
    return `there is no field ${named}${more > 0 ? ` (and ${more} more)` : ''}`;
  },
  'no-such-form': 'has none of the forms that are described',
  /** Of what has several forms: what each of them says. */
  'none-of': ({ forms }: { forms: readonly AnyMistake[] }, say: Say) => forms.map(say).join(', or '),
  'wrong-name-within': 'has a wrong name in it',
  'wrong-entry-within': 'has a wrong entry in it',
  wrong: 'is wrong',
  'more-mistakes': 'There are more mistakes.',
  /** What somebody else said, in words that have no code: a provider, or a file that a person wrote. */
  'in-words': ({ text }: { text: string }) => text,
};

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  email: 'is not an email address',
  url: 'is not a web address',
  date: 'must be a date such as 2026-11-21',
  datetime: 'must be a moment such as 2026-11-21T08:30:00Z',
  uuid: 'must be a UUID such as 0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
  json_string: 'must be JSON',
};
