import { expect, it } from 'vitest';
import { hashPassword, verifyPassword } from './password-hash.ts';
import { NewPasswordSchema } from './password-rules.ts';

const taken = (password: string) => NewPasswordSchema.safeParse(password).success;

it.each([
  ['twelve characters of any kind', 'kvörn og hús'],
  ['a sentence', 'hestur sem borðar ekki skyr'],
  ['emoji', '🦜🐟🦆🐝🐎🦊🐑🦉🐓🐈🐕🐬'],
  ['1024 characters', `${'aB'.repeat(511)}xy`],
])('%s is taken', (_what, password) => {
  expect(taken(password)).toBe(true);
});

it.each([
  ['eleven characters', 'kvörnoghús!'],
  ['eleven emoji, which are more code units', '🦜🐟🦆🐝🐎🦊🐑🦉🐓🐈🐕'],
  ['twelve code points that compose to eleven characters', 'kvo\u0308rnoghus!'],
  ['more than 1024', 'aB'.repeat(513)],
  ['a common one', 'qwertyuiop123'],
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
