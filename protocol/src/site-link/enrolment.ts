import { z } from 'zod';
import { CurrencySchema } from '../base/money.ts';
import { TimeZoneSchema } from '../base/site-time.ts';

/**
 * `POST /edge/enrol`, without a bearer: exchanges a one-time code of an operator for the credentials of a site.
 * 404: no such code; 410: used or expired; 429: too many attempts.
 */
export const EDGE_ENROL_PATH = '/edge/enrol';

/** Characters of a code, without those that are easily confused (I L O U). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 8;

/** Makes a code of random bytes, formatted as `K7QF-3M2X`. @param random at least 8 */
export function enrolmentCode(random: Uint8Array): string {
  const letters = [...random.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET.charAt(byte & 31));
  if (letters.length < CODE_LENGTH) throw new RangeError(`a code takes ${CODE_LENGTH} random bytes`);
  return `${letters.slice(0, 4).join('')}-${letters.slice(4).join('')}`;
}

/** Normalises a typed code (`k7qf 3m2x`, O for 0, I or L for 1) to the form of `enrolmentCode`; null if invalid. */
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
 * The request of an edge. The edge makes the secret itself and stores it before it sends the request. So it
 * can repeat the request after a lost answer while the code is valid, and no other caller can. Without a
 * secret the cloud makes one, and the code is valid for one answer.
 */
export const EnrolBodySchema = z
  .strictObject({
    code: z.string().min(1).max(40),
    /** The secret: at least 256 random bits, in base64url. */
    secret: z
      .string()
      .regex(/^[A-Za-z0-9_-]{43,128}$/)
      .optional(),
  })
  .meta({ id: 'EnrolBody', example: { code: 'K7QF-3M2X' } });
export type EnrolBody = z.infer<typeof EnrolBodySchema>;

/** The credentials of a site, and what the cloud knows about it. */
export const EnrolmentSchema = z
  .object({
    siteId: z.string(),
    /** The secret of the request, or one made by the cloud. */
    secret: z.string(),
    mqttUrl: z.url({ protocol: /^(mqtts?|wss?)$/ }),
    /** The authority of the broker's certificate, in PEM, if it is the operator's own. */
    mqttCa: z.string().optional(),
    site: z.object({ name: z.string(), timeZone: TimeZoneSchema, currency: CurrencySchema }),
    /** The registered cameras, with the ids that the site uses. */
    cameras: z.array(z.object({ id: z.string(), name: z.string(), location: z.string() })),
  })
  .meta({ id: 'Enrolment' });
export type Enrolment = z.infer<typeof EnrolmentSchema>;
