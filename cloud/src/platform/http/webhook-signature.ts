import { createHmac, timingSafeEqual } from 'node:crypto';

/** How old or how far ahead a signed message may be: clocks differ, and a copied message must not be good for long. */
const TOLERANCE_S = 300;

/**
 * The signature of a message by the rules of Standard Webhooks (standardwebhooks.com), for messages that we
 * send or receive.
 *
 * @param secret `whsec_` and the key in base64
 * @param timestamp seconds
 * @param body the body as it is sent, before it is parsed
 */
export function signatureOf(secret: string, id: string, timestamp: number, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/** Whether it was signed with the secret, within the last five minutes. `signatures`: with blanks between. */
export function isGenuine(
  secret: string,
  { id, timestamp, signatures, body }: { id: string; timestamp: string; signatures: string; body: string },
  now: Date,
): boolean {
  if (!/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_S) return false;
  const wanted = Buffer.from(signatureOf(secret, id, Number(timestamp), body));
  return signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature);
    return given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}
