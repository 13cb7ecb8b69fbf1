import { createHash, createHmac } from 'node:crypto';
import type { SignCode } from '@hlid/protocol/records/exit-code';

/**
 * Signs the codes of one site. Site and cloud have the key without sending it: it comes from the digest of the site's secret,
 * which the cloud stores.
 *
 * @param secretHash SHA-256 of the secret, hexadecimal
 */
export function codeSigner(secretHash: string): SignCode {
  const key = createHmac('sha256', Buffer.from(secretHash, 'hex')).update('hlid exit code').digest();
  return (text) => createHmac('sha256', key).update(text).digest();
}

/** The same by the secret itself. */
export function codeSignerOf(secret: string): SignCode {
  return codeSigner(createHash('sha256').update(secret).digest('hex'));
}

/**
 * The id of the settlement that a code makes at its site. It comes from what was paid, so the site recognises the payment when
 * the cloud sends its settlement.
 */
export function codeSettlementId(paid: {
  visitId: string;
  paidAt: string;
  units: number;
  amountMinor: number;
}): string {
  const { visitId, paidAt, units, amountMinor } = paid;
  const hex = createHash('sha256')
    .update(['exit-code', visitId, paidAt, units, amountMinor].join('\n'))
    .digest('hex');
  // Version 8: the program defines the content (RFC 9562).
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
