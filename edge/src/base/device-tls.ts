import type { SecureContextOptions } from 'node:tls';

/**
 * TLS options for a device on the site's own network. A device with a self-signed certificate is often too old for
 * today's ciphers as well.
 */
export function deviceTls(selfSigned: boolean): SecureContextOptions & { rejectUnauthorized: boolean } {
  return selfSigned
    ? { rejectUnauthorized: false, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' }
    : { rejectUnauthorized: true };
}
