import type { DeclineReason } from '../gateway.ts';

/** The meaning of a response code for a payment. */
export type CodeMeaning =
  | { kind: 'approved' }
  | { kind: 'declined'; reason: DeclineReason }
  /** 3-D Secure is missing, wrong or used up: nothing was booked, and the driver may do it again. */
  | { kind: 'authenticate-again' }
  /** A system on the way is busy. The same request may be sent again. `certain`: nothing was booked. */
  | { kind: 'transient'; certain: boolean }
  /** A request with this correlation id was booked before. */
  | { kind: 'duplicate' }
  /** It may have been booked, or booked otherwise than ordered. */
  | { kind: 'uncertain' }
  /** There is no booked payment for the request's reference. */
  | { kind: 'no-original' }
  /** The payment has been taken back. */
  | { kind: 'reversed' };

const declined = (reason: DeclineReason): CodeMeaning => ({ kind: 'declined', reason });

/**
 * ValitorPay, "Response codes", and our reading of each. The list leaves some open:
 *
 * - `10` (approved in part) and `X1` (approved in another currency) pay for nothing that was ordered, so they
 *   are uncertain, and `findOut` takes the money back.
 * - `05` ("do not honor") counts among the security codes; drivers never learn their reason.
 * - Time-outs and errors behind ValitorPay (`AT`, `AW`, `AY`, `96`, `PP`, `Q2`, `V2`) do not prove that the
 *   card's bank has booked nothing. A look-up costs nothing; a forgotten booking costs the driver.
 * - `T2` (no action taken, already finalised) proves neither that a refund was made nor that it was not, so
 *   it declines, and a person must read the provider's portal.
 * - `85` and `V1` answer card checks and tokens, `C1` answers verifications: as the answer to a payment they
 *   decline.
 */
const CODES: readonly (readonly [CodeMeaning, codes: string])[] = [
  [{ kind: 'approved' }, '00 08 11'],
  [{ kind: 'uncertain' }, '10 X1 AT AY PP Q2 V2'],
  [{ kind: 'duplicate' }, 'T3 94'],
  [{ kind: 'no-original' }, 'T0 TC 76'],
  [{ kind: 'reversed' }, '79'],
  [{ kind: 'transient', certain: true }, '19 28 91 92 AU AV C5'],
  [{ kind: 'transient', certain: false }, '96 AW'],
  [{ kind: 'authenticate-again' }, '1A 65 AD AO AR T8 TB'],
  [declined('not-authenticated'), 'A0 C6 C7 Q4 V3'],
  [declined('insufficient-funds'), '51 N8'],
  [declined('card-expired'), '54'],
  [declined('card-data'), '14 82 C3 A5 A6 AE AF AG AL AQ N7 UD'],
  [declined('card-unsupported'), '15 46 AC AJ B2 B4 C4 C8 T7 TA'],
  [declined('security'), '04 05 06 07 41 43 59 63 93 P6'],
  [declined('stopped'), 'R0 R1 R3'],
  [declined('merchant'), '03 12 13 30 58 C2 M0 M1 M2 M3 M4 M5 M6 M7 M8 M9 MA MB MC MD ME PN S2 S3'],
  [declined('merchant'), 'A1 A2 A3 A4 A7 A8 A9 AA AB AH AI AK AM AN AP AS AX AZ P1 P2 T1 T2 T5 T6 T9 77'],
  [declined('refused'), '01 02 39 52 53 55 57 61 62 64 70 71 75 78 80 81 86 89 Q1'],
];

const MEANINGS = new Map(
  CODES.flatMap(([meaning, codes]) => codes.split(' ').map((code) => [code, meaning] as const)),
);

/** The meaning of a code by its first two characters; the rest is detail. An unknown code declines. */
export function meaningOf(responseCode: string): CodeMeaning {
  return MEANINGS.get(responseCode.slice(0, 2).toUpperCase()) ?? declined('other');
}
