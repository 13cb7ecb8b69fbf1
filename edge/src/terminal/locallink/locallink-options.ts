import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { z } from 'zod';
import { TERMINAL_SHAPE, TerminalHostSchema } from '../terminal-shape.ts';

const FINGERPRINT =
  'the SHA-256 fingerprint of its certificate, 64 hexadecimal digits, as "openssl x509 -fingerprint -sha256" writes it';
const ONE_OF_BOTH = `sha256 (${FINGERPRINT}) or ca (the certificate of its signer, as PEM), one of both`;

/** The certificates by which the terminal is trusted. It makes its own: no authority has signed it. */
const TrustSchema = z
  .strictObject(
    {
      /** Colons may be left out. */
      sha256: z
        .string(FINGERPRINT)
        .transform((text) => text.replaceAll(':', '').toLowerCase())
        .pipe(z.string().regex(/^[0-9a-f]{64}$/, FINGERPRINT))
        .optional(),
      /** The certificate of the authority that signed the terminal's certificate. */
      ca: z.string().startsWith('-----BEGIN CERTIFICATE-----', 'a certificate as PEM').optional(),
      /** The name in the terminal's certificate, beside `ca`; absent: the host. */
      name: z.string().min(1).optional(),
    },
    { error: ({ code }) => (code === 'invalid_type' ? ONE_OF_BOTH : undefined) },
  )
  .transform(({ sha256, ca, name }, context): Trust => {
    if (sha256 !== undefined && ca === undefined && name === undefined) return { sha256 };
    if (ca !== undefined && sha256 === undefined) return { ca, ...(name !== undefined && { name }) };
    context.addIssue({ code: 'custom', message: ONE_OF_BOTH });
    return z.NEVER;
  });
export type Trust = { sha256: string } | { ca: string; name?: string };

const TERMINAL_ID = 'the terminal’s own id (TID), its digits in quotes';
const PAIRING_CODE = 'the code that the terminal shows when it is to be paired, its digits in quotes';
const AMOUNT_DIGITS = 'how many decimal places the terminal’s amounts have; 2 for most, also of ISK';

/** A PAX terminal with Rapyd's LocalLink (docs.rapyd.net, "LocalLink"), over HTTPS in the local network. */
export const LocallinkTerminalSchema = z.strictObject({
  kind: z.literal('locallink'),
  ...TERMINAL_SHAPE,
  host: TerminalHostSchema,
  port: z.int().min(1).max(65_535).default(8080),
  trust: TrustSchema,
  /** The terminal's own id (TID). */
  terminalId: z.string(TERMINAL_ID).regex(/^\d{4,16}$/, TERMINAL_ID),
  /** The pairing code that the terminal shows; needed once, and again when it has forgotten us. */
  pairingCode: z.string(PAIRING_CODE).regex(/^\d+$/, PAIRING_CODE).optional(),
  /**
   * Decimal places of its amounts. Nothing is written on how it counts currencies without cents: its samples have
   * 5.000 kr. as 500000, so 2; a small sale at installation proves it. No default: a mistake is a hundredfold.
   */
  amountDigits: z.int(AMOUNT_DIGITS).min(0).max(3),
  /** How long it may take to answer a call. */
  replyTimeoutMs: z.int().min(200).max(MINUTE_MS).default(5000),
  /** How long a driver may take from the first prompt to the end. */
  completionTimeoutMs: z
    .int()
    .min(1000)
    .max(15 * MINUTE_MS)
    .default(3 * MINUTE_MS),
});
export type LocallinkOptions = z.infer<typeof LocallinkTerminalSchema>;
