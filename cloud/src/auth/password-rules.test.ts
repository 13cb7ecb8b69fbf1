import { expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { NewPasswordSchema } from './password-rules.ts';

const taken = (password: string) => NewPasswordSchema.safeParse(password).success;

it.each([
  ['eight characters of any kind', 'kvörnhús'],
  ['a sentence', 'hestur sem borðar ekki skyr'],
  ['emoji', '🦜🐟🦆🐝🐎🦊🐑🦉'],
  ['1024 characters', `${'aB'.repeat(511)}xy`],
])('%s is taken', (_what, password) => {
  expect(taken(password)).toBe(true);
});

it.each([
  ['seven characters', 'kvörnhú'],
  ['seven emoji, which are more code units', '🦜🐟🦆🐝🐎🦊🐑'],
  ['eight code points that compose to seven characters', 'kvo\u0308rnhu'],
  ['more than 1024', 'aB'.repeat(513)],
  ['a common one', 'qwertyuiop'],
  ['in capitals', 'LYKILORÐ'],
  ['with digits after it', 'Reykjavik2026!'],
  ['one character over and over', '!!!!!!!!!!!!'],
])('%s is not', (_what, password) => {
  expect(taken(password)).toBe(false);
});

it('all of a password counts, in whatever way its characters are composed', async () => {
  const long = 'x'.repeat(200);
  const hash = await hashPassword(`${long}é`);
  expect(await verifyPassword(hash, `${long}e\u0301`)).toBe(true);
  expect(await verifyPassword(hash, `${long}e`)).toBe(false);
});
