import { expect, it } from 'vitest';
import { SsnSchema } from './input-fields.ts';

it.each([
  ['of a person', '120160-3389', '1201603389'],
  ['whose check digit is wrong, as since 2026', '1201603379', '1201603379'],
  ['of a company', '530575-0209', '5305750209'],
  ['that is temporary', '812345-6793', '8123456793'],
  ['with blanks', ' 120160 3389 ', '1201603389'],
])('a national id %s is kept as ten digits', (_what, written, kept) => {
  expect(SsnSchema.parse(written)).toBe(kept);
});

it.each([
  ['of nine digits', '120160338'],
  ['of no day', '3201603389'],
  ['of a day that the month has not', '3102603389'],
  ['in words', 'twelve'],
  ['of nobody, for tests', '010130-2989'],
  ['empty', ''],
])('a national id %s is refused', (_what, written) => {
  expect(SsnSchema.safeParse(written).success).toBe(false);
});
