import { randomBytes } from 'node:crypto';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { z } from 'zod';
import { seal, unseal } from '../../platform/seal.ts';

const PURPOSE = 'trusted browser';
export const TRUSTED_MS = 90 * DAY_MS;
/** People of an office share a machine. */
const MAX_LOGINS = 10;

const TrustedBrowserSchema = z.strictObject({
  id: z.string(),
  /** The logins that were used in it, the last one first. */
  loginIds: z.array(z.string()).max(MAX_LOGINS),
  /** Milliseconds since 1970. */
  expires: z.int(),
});

/**
 * A browser in which people have logged in. It is no proof of identity: it only has separate attempts at
 * these logins, so that strangers who use up the others lock nobody out. It is in a cookie, sealed, and
 * nothing is stored for it.
 */
export type TrustedBrowser = z.infer<typeof TrustedBrowserSchema>;

/** The cookie of a browser after a login in it. @param before what it was known for */
export function trustBrowser(
  secret: string,
  before: TrustedBrowser | undefined,
  loginId: string,
  now: UtcTime,
): string {
  const others = before?.loginIds.filter((one) => one !== loginId) ?? [];
  const trusted: TrustedBrowser = {
    id: before?.id ?? randomBytes(16).toString('base64url'),
    loginIds: [loginId, ...others].slice(0, MAX_LOGINS),
    expires: millis(now) + TRUSTED_MS,
  };
  return seal(secret, PURPOSE, Buffer.from(JSON.stringify(trusted)));
}

/** Undefined: there is no cookie, it was not made here, or it has expired. */
export function readTrustedBrowser(
  secret: string,
  cookie: string | undefined,
  now: UtcTime,
): TrustedBrowser | undefined {
  const content = cookie === undefined ? null : unseal(secret, PURPOSE, cookie);
  if (content === null) return undefined;
  const trusted = TrustedBrowserSchema.parse(JSON.parse(content.toString()));
  return trusted.expires > millis(now) ? trusted : undefined;
}
