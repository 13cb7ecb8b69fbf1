import { expect, it } from 'vitest';
import { MailAddressSchema } from './card-number.ts';
import { isMailAddress } from './mail-address.ts';

it.each([
  ['jon@example.is', true],
  ["o'brien+parking@mail.example.co.uk", true],
  [`${'a'.repeat(242)}@example.is`, true],
  [`${'a'.repeat(245)}@example.is`, false],
  ['jon@example', false],
  ['jón@example.is', false],
  ['jon..x@example.is', false],
  ['.jon@example.is', false],
  ['jon@exa mple.is', false],
  ['jon(at)example.is', false],
  ['@example.is', false],
  ['jon@-example.is', false],
  ['', false],
])('%s: page and server agree', (address, isRight) => {
  expect([isMailAddress(address), MailAddressSchema.safeParse(address).success]).toEqual([isRight, isRight]);
});

it('is not read with a card number in it, which only the server looks for', () => {
  expect(MailAddressSchema.safeParse('4111111111111111@example.is').success).toBe(false);
});
