import { randomBytes, randomInt, scrypt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** 32 MB and some 100 ms a try: a PIN is short. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const BYTES = 32;
const DIGITS = 6;

/** `scrypt$<salt>$<hash>`, both in base64url. */
export const PinHashSchema = z
  .string()
  .regex(/^scrypt\$[\w-]{20,44}\$[\w-]{43}$/, 'the line that `pin new` prints, not the PIN itself');

/** A PIN is generated, because chosen PINs are guessed. */
export function makePin(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
}

export async function hashPin(pin: string): Promise<string> {
  const salt = randomBytes(16);
  return `scrypt$${salt.toString('base64url')}$${(await derive(pin, salt)).toString('base64url')}`;
}

/** @param hash as `PinHashSchema` has it */
export async function isPin(pin: string, hash: string): Promise<boolean> {
  const [, salt = '', expected = ''] = hash.split('$');
  const derived = await derive(pin, Buffer.from(salt, 'base64url'));
  const known = Buffer.from(expected, 'base64url');
  return derived.length === known.length && timingSafeEqual(derived, known);
}

function derive(pin: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(pin, salt, BYTES, COST, (error, key) => (error ? reject(error) : resolve(key))),
  );
}
