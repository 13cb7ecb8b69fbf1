import type { DeclineReason } from '../terminal.ts';

export const RESULT = {
  ok: 0x00,
  notRegistered: 0x6b,
  cancelled: 0x6c,
  wrongCurrency: 0x6f,
  functionNotPossible: 0x83,
  protocolError: 0x9a,
  busy: 0x9c,
  alreadyReversed: 0xb4,
  processingError: 0x66,
} as const;

/** The code in two hexadecimal digits, as the ZVT manual writes it. */
export function codeText(code: number): string {
  return code.toString(16).padStart(2, '0').toUpperCase();
}

const REASONS: readonly (readonly [codes: readonly number[], reason: DeclineReason])[] = [
  [[0x64, 0x65, 0x72, 0x79], 'card-unreadable'],
  [[0x78], 'card-expired'],
  [[0x67, 0x68, 0x7a, 0xc5], 'card-unsupported'],
  [[0x71], 'refused'],
  [[0x7d, 0x9b, 0xa1, 0xa2, 0xa3], 'no-connection'],
  [[0x6f, 0x1e], 'currency'],
  [[0xb7, 0xc3, 0xc8], 'amount'],
  [
    [
      0x66, 0x6a, 0x6b, 0x77, 0x83, 0x85, 0x89, 0x9a, 0x9c, 0xa0, 0xb1, 0xb2, 0xc2, 0xcc, 0xdc, 0xdf, 0xe0,
      0xe1, 0xe2, 0xe3, 0xe4, 0xed, 0xf0, 0xfc,
    ],
    'terminal',
  ],
];

/**
 * The reason for the code in field 27, an abort or a negative answer. 01 to 63 are the bank’s; 55 is a wrong
 * PIN (ISO 8583).
 */
export function declineReason(code: number): DeclineReason {
  const known = REASONS.find(([codes]) => codes.includes(code));
  if (known) return known[1];
  if (code === 0x55) return 'wrong-pin';
  if (code === 0x33 || code === 0x54) return 'card-expired';
  return code >= 0x01 && code <= 0x63 ? 'refused' : 'other';
}

/**
 * Codes of causes that may pass by themselves: the line to the bank, a time-out, a card in the terminal,
 * another user at it.
 */
const PASSING: ReadonlySet<number> = new Set([
  0x6b, 0x6c, 0x7d, 0x9b, 0x9c, 0xa0, 0xa1, 0xa2, 0xa3, 0xcc, 0xdc, 0xe0, 0xe1,
]);

/** Whether the same may be asked again, where nothing was done. */
export function isPassing(code: number): boolean {
  return PASSING.has(code);
}

const PROBLEMS: Readonly<Record<number, string>> = {
  81: 'it must be initialised',
  98: 'its clock is wrong',
  99: 'it must be initialised',
  107: 'it does not know us any more',
  133: 'its keys are missing',
  137: 'its PIN pad does not work',
  156: 'it is busy',
  160: 'it is not ready',
  177: 'its memory is full: it needs its end of day',
  178: 'its journal is full',
  194: 'it must be diagnosed',
  204: 'its printer is not ready',
  220: 'a card is in it',
  223: 'it is out of order',
  224: 'it is being maintained from afar',
  225: 'a card is half in it',
  226: 'its card reader does not work',
  227: 'its shutter is closed',
  228: 'it must be activated',
  237: 'its PIN pad does not work',
  240: 'it needs its end of day',
};

/** The problem behind a status that is not 00, for a technician. */
export function problemOf(code: number): string {
  return PROBLEMS[code] ?? `it says ${codeText(code)}`;
}
