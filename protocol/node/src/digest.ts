import { createHash } from 'node:crypto';

/** The first 128 bits of SHA-256, as 32 hexadecimal digits: it names an event of the site link or an item of its lists. */
export function contentDigest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** The value of an `ETag` header (RFC 9110): another one for every other content. */
export function entityTag(content: string | Uint8Array): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/** The source expression that allows an inline script or style in a content security policy (CSP level 3). */
export function policyHash(inline: string): string {
  return `'sha256-${createHash('sha256').update(inline).digest('base64')}'`;
}

/** A short mark of a program and its files: another one for every other content. */
export function versionMark(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url').slice(0, 11);
}
