import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

const MAX_VALUES_NAMED = 40;
const MAX_KEYS_NAMED = 5;
const MAX_NAME_LENGTH = 60;

/** How the validator's own messages begin; other messages are ours, from the schema. */
const VALIDATOR_MESSAGE = /^(Invalid |Too (big|small)|Unrecognized key)/;
const MISSING = /, received undefined$/;

/** What is wrong, in words for people; to be read after the name of the field. */
export function inputWords(issue: Issue): string {
  if (!VALIDATOR_MESSAGE.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return MISSING.test(issue.message) ? 'is required' : `must be ${kindWords(issue.expected)}`;
    case 'too_big':
      return limitWords('at most', 'less than', issue.origin, issue.maximum, issue.inclusive ?? true);
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty';
      return limitWords('at least', 'more than', issue.origin, issue.minimum, issue.inclusive ?? true);
    case 'invalid_format':
      return FORMAT_WORDS[issue.format] ?? 'is not written as it is described';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return unknownKeys(issue.keys);
    case 'invalid_value':
      return valueWords(issue.values.map(String));
    case 'invalid_union':
      return MISSING.test(issue.message) ? 'is required' : 'has none of the forms that are described';
    case 'invalid_key':
      return 'has a wrong name in it';
    case 'invalid_element':
      return 'has a wrong entry in it';
    case 'custom':
      return 'is wrong';
    default:
      return issue satisfies never;
  }
}

/** A name that somebody gave, short enough for a message. */
export function shortName(name: string): string {
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH)}…` : name;
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const FORMAT_WORDS: Readonly<Record<string, string>> = {
  email: 'is not an email address',
  url: 'is not a web address',
  date: 'must be a date such as 2026-11-21',
  datetime: 'must be a moment such as 2026-11-21T08:30:00Z',
  uuid: 'must be a UUID such as 0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
  json_string: 'must be JSON',
};

function kindWords(expected: string): string {
  return KIND_WORDS[expected] ?? expected;
}

function limitWords(
  inclusive: string,
  exclusive: string,
  origin: string,
  limit: number | bigint,
  isInclusive: boolean,
): string {
  const bound = `${isInclusive ? inclusive : exclusive} ${limit}`;
  if (origin === 'string') return `must have ${bound} characters`;
  if (origin === 'array' || origin === 'set') return `must have ${bound} entries`;
  return `must be ${bound}`;
}

function valueWords(values: readonly string[]): string {
  if (values.length === 1) return `must be ${values[0]}`;
  const named = values.slice(0, MAX_VALUES_NAMED).join(', ');
  return `must be one of ${named}${values.length > MAX_VALUES_NAMED ? ' …' : ''}`;
}

function unknownKeys(keys: readonly string[]): string {
  const named = keys.slice(0, MAX_KEYS_NAMED).map((key) => `“${shortName(key)}”`);
  const more = keys.length - named.length;
  return `there is no field ${named.join(', ')}${more > 0 ? ` (and ${more} more)` : ''}`;
}
