import { z } from 'zod';
import { CurrencySchema } from './money.ts';
import { TimeZoneSchema } from './site-time.ts';

/**
 * `POST /edge/enrol`, without a bearer: a one-time code that an operator has made turns into a site's credentials.
 * 404: there is no such code; 410: it is used or has run out; 429: too many attempts.
 */
export const EDGE_ENROL_PATH = '/edge/enrol';

/** Characters of a code, without those that are read or heard as others (I L O U). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 8;

/** A code of random bytes, as it is said and typed: `K7QF-3M2X`. @param random at least 8 */
export function enrolmentCode(random: Uint8Array): string {
  const letters = [...random.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET.charAt(byte & 31));
  if (letters.length < CODE_LENGTH) throw new RangeError(`a code takes ${CODE_LENGTH} random bytes`);
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}

/**
 * A code as somebody typed it (`k7qf 3m2x`, O for 0, I or L for 1), as `enrolmentCode` writes it; null where it cannot
 * be one.
 */
export function readEnrolmentCode(typed: string): string | null {
  const letters = typed
    .toUpperCase()
    .replace(/[\s._-]/g, '')
    .replace(/O/g, '0')
    .replace(/[IL]/g, '1');
  const right = letters.length === CODE_LENGTH && [...letters].every((letter) => ALPHABET.includes(letter));
  return right ? `${letters.slice(0, 4)}-${letters.slice(4)}` : null;
}

/**
 * What an edge asks with. It makes the secret itself and has it on its disk before it asks: whose answer was lost asks
 * again with the same, as long as the code lives, and nobody else can. Without a secret the cloud makes one, and then
 * the code is good for one answer.
 */
export const EnrolBodySchema = z
  .strictObject({
    code: z.string().min(1).max(40),
    /** At least 256 random bits, in base64url. */
    secret: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43,128}$/)
      .optional(),
  })
  .meta({ id: 'EnrolBody', example: { code: 'K7QF-3M2X' } });
export type EnrolBody = z.infer<typeof EnrolBodySchema>;

/** What a site needs to know of itself to log in, and what the cloud knows of it. */
export const EnrolmentSchema = z
  .object({
    siteId: z.string(),
    /** As it was given, or else made by the cloud. */
    secret: z.string(),
    mqttUrl: z.url({ protocol: /^(mqtts?|wss?)$/ }),
    site: z.object({ name: z.string(), timeZone: TimeZoneSchema, currency: CurrencySchema }),
    /** The cameras that are registered there, by the ids that their site gives them. */
    cameras: z.array(z.object({ id: z.string(), name: z.string(), location: z.string() })),
  })
  .meta({ id: 'Enrolment' });
export type Enrolment = z.infer<typeof EnrolmentSchema>;
