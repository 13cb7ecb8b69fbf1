import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { MIN_PASSWORD_CHARACTERS } from '@hlid/protocol/base/password-length';
import { z } from '@hono/zod-openapi';
import { COMMON_PASSWORDS } from './common-passwords.ts';

const MAX_CHARACTERS = 1024;

/** Digits and marks that people put after a word to satisfy rules. */
const TRAILING_MARKS = /[\d!?.,*#@$+_-]+$/;

/**
 * A password to be set: at least twelve characters of any kind, all of which count, and none of the passwords
 * that are tried first (ASVS 5.0, 6.2.1 to 6.2.9). There is no rule about kinds of characters.
 */
export const NewPasswordSchema = z
  .string()
  .max(MAX_CHARACTERS)
  .refine(
    (text) => characters(text) >= MIN_PASSWORD_CHARACTERS,
    wrong('too-short', { minimum: MIN_PASSWORD_CHARACTERS }),
  )
  .refine((text) => !isCommon(text), wrong('common-password'))
  .meta({
    minLength: MIN_PASSWORD_CHARACTERS,
    description: `At least ${MIN_PASSWORD_CHARACTERS} characters of any kind, and no common password.`,
  });

/** A password as it is hashed: one spelling of each character, however the keyboard composes it. */
export function normalPassword(typed: string): string {
  return typed.normalize('NFKC');
}

function characters(text: string): number {
  return [...normalPassword(text)].length;
}

function isCommon(text: string): boolean {
  const folded = normalPassword(text).toLowerCase();
  const word = folded.replace(TRAILING_MARKS, '');
  return COMMON_PASSWORDS.has(folded) || COMMON_PASSWORDS.has(word) || isOneCharacter(folded);
}

function isOneCharacter(text: string): boolean {
  return new Set(text).size === 1;
}
