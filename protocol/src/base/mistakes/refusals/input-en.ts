import type { AnyMistake, Say } from '../any-mistake.ts';

/** Refusals of the API's schemas and of their own rules. */
export const INPUT_EN = {
  required: 'is required',
  'wrong-type': ({ expected }: { expected: string }) => `must be ${KINDS[expected] ?? expected}`,
  empty: 'must not be empty',
  'too-short': 'must have at least {minimum} characters',
  'too-long': 'must have at most {maximum} characters',
  'too-few': 'must have at least {minimum} entries',
  'too-many': 'must have at most {maximum} entries',
  'too-small': 'must be at least {minimum}',
  'too-big': 'must be at most {maximum}',
  'not-above': 'must be more than {limit}',
  'not-below': 'must be less than {limit}',
  'not-multiple': 'must be a multiple of {divisor}',
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
  /** Lists the mistakes of every form. */
  'none-of': ({ forms }: { forms: readonly AnyMistake[] }, say: Say) => forms.map(say).join(', or '),
  'wrong-name-within': 'has a wrong name in it',
  'wrong-entry-within': 'has a wrong entry in it',
  wrong: 'is wrong',
  'more-mistakes': 'There are more mistakes.',
  /** The words of others, without a code: of a provider, or of a file that a person wrote. */
  'in-words': ({ text }: { text: string }) => text,
  'time-zone': 'an IANA time zone such as Atlantic/Reykjavik',
  'currency-form': 'a currency is three capital letters, such as ISK',
  'card-number-within': 'has a card number in it',
  'language-form': 'a language is named by its two letters, such as is or en',
  'calendar-day-form': 'a date such as 2026-12-24, or 12-24 of every year',
  'local-day-form': 'a date such as 2026-12-24',
  'no-such-day': 'there is no such day',
  'no-weekday': 'names at least one weekday',
  'weekday-twice': 'names each weekday once',
  'lane-twice': 'names a lane twice',
  'subject-needed': 'say of what kind the subjectId is',
  'email-or-ssn': 'give either email or ssn',
  'not-beside-expire-time': 'not beside expireTime',
  'site-of-kiosks': 'only a token of the role kiosk has a site',
  'options-of-whitelists': 'only a token of the role whitelist has options',
  'no-cursor': 'is not a cursor of this server',
  'year-out-of-range': 'a moment in the years 0 to 9999',
  'no-ssn': 'is not a national id',
  'plate-form': 'a plate has a letter or a digit',
  'account-or-new-account': 'the id of an account, or a new account with its role and status',
  'no-line-breaks': 'no line breaks',
  'common-password': 'is one of those that are tried first; take another',
  'four-digits': 'four digits',
  'no-ip-address': 'is not an address',
  'base64url-form': 'base64url',
  'logo-form': 'a logo is a picture such as data:image/png;base64,…',
  'electronic-address-form': 'a scheme of four digits and an id, such as 0196:5501012340',
  'country-form': 'two capital letters',
  'weekday-form': 'a weekday is a number from 1 (Monday) to 7 (Sunday)',
  'time-of-day-form': 'a time of day such as 08:30',
  'phone-form': 'a phone number, perhaps with + and the country',
} as const;

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
  datetime: 'must be a moment such as 2026-11-21T08:30:00.000Z',
  uuid: 'must be a UUID such as 0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
  json_string: 'must be JSON',
};
