import { expect, it } from 'vitest';
import { meaningOf } from './response-codes.ts';

/** ValitorPay, "Response codes", by what each must mean for a payment. */
const DOCUMENTED: readonly (readonly [meaning: object, codes: string])[] = [
  [{ kind: 'approved' }, '00 08 11'],
  // Approved in part, or in another currency; or no answer from the systems behind ValitorPay.
  [{ kind: 'uncertain' }, '10 X1 AT AY PP Q2 V2'],
  [{ kind: 'duplicate' }, 'T3 94'],
  [{ kind: 'no-original' }, 'T0 TC 76'],
  [{ kind: 'reversed' }, '79'],
  [{ kind: 'transient', certain: true }, 'AV 19 91 92 28 AU C5'],
  [{ kind: 'transient', certain: false }, 'AW 96'],
  [{ kind: 'authenticate-again' }, 'AD AO AR T8 TB 65 1A'],
  [{ kind: 'declined', reason: 'insufficient-funds' }, '51 N8'],
  [{ kind: 'declined', reason: 'card-expired' }, '54'],
  [{ kind: 'declined', reason: 'card-data' }, 'A5 A6 AE AF AG AL AQ 14 82 C3 N7 UD'],
  [{ kind: 'declined', reason: 'card-unsupported' }, 'AC AJ T7 TA 15 46 B2 B4 C4 C8'],
  [{ kind: 'declined', reason: 'security' }, '04 05 06 07 41 43 59 63 93 P6'],
  [{ kind: 'declined', reason: 'not-authenticated' }, 'A0 Q4 V3 C6 C7'],
  [{ kind: 'declined', reason: 'stopped' }, 'R0 R1 R3'],
  [{ kind: 'declined', reason: 'merchant' }, 'M0 M1 M2 M3 M4 M5 M6 M7 M8 M9 MA MB MC MD ME C2 PN S2 S3'],
  [{ kind: 'declined', reason: 'merchant' }, 'A1 A2 A3 A4 A7 A8 A9 AA AB AH AI AK AM AN AP AS AX AZ'],
  [{ kind: 'declined', reason: 'merchant' }, 'T1 T2 T5 T6 T9 77 03 12 13 30 58 P1 P2'],
  [{ kind: 'declined', reason: 'refused' }, '01 02 39 52 53 55 57 61 62 64 70 71 75 78 80 81 86 89 Q1'],
  // Codes of batches, PINs, cash, account updates, currency offers, card checks: no answer to a payment of
  // ours.
  [{ kind: 'declined', reason: 'other' }, 'D0 D1 D2 D3 D4 D5 D6 D7 D8 D9 DA DB DC DD DE DF T4 P5'],
  [{ kind: 'declined', reason: 'other' }, 'N0 N3 N4 X2 X3 X4 X5 X6 X7 UB UI UM UN 21 25 84 85 87 88'],
  [{ kind: 'declined', reason: 'other' }, 'B1 B3 C1 Q3 V1 XA XD Z3'],
];
const CASES = DOCUMENTED.flatMap(([meaning, codes]) => codes.split(' ').map((code) => ({ code, meaning })));

it('knows each documented code once', () => {
  expect(new Set(CASES.map(({ code }) => code)).size).toBe(CASES.length);
  expect(CASES.length).toBeGreaterThan(170);
});

it.each(CASES)('reads $code', ({ code, meaning }) => {
  expect(meaningOf(code)).toEqual(meaning);
  expect(meaningOf(`${code} - 1234`)).toEqual(meaning);
});

it.each(['', '0', 'ZZ', '99', 'constructor'])('declines by a code that nobody knows: %j', (code) => {
  expect(meaningOf(code)).toEqual({ kind: 'declined', reason: 'other' });
});
