import type { SecureContextOptions } from 'node:tls';

/**
 * How a device on the site's own network is spoken to over https. Whoever made his own certificate is often too old for
 * today's ciphers as well.
 */
export function deviceTls(selfSigned: boolean): SecureContextOptions & { rejectUnauthorized: boolean } {
  return selfSigned
    ? { rejectUnauthorized: false, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }
    : { rejectUnauthorized: true };
}
