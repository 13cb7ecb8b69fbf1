import type { TerminalPrompt } from '../terminal.ts';

/** No status fits: see the text. */
export const SEE_TEXT = 0xff;

/** The prompts for the driver of an intermediate status (04 FF, table 17 of PA00P015). */
const PROMPTS: Readonly<Record<number, TerminalPrompt>> = {
  0: 'confirm-amount',
  4: 'contacting-bank',
  5: 'wait',
  6: 'wait',
  10: 'present-card',
  11: 'remove-card',
  14: 'wait',
  15: 'wait',
  21: 'wrong-pin',
  23: 'wait',
  27: 'approved',
  28: 'approved',
  210: 'contacting-bank',
  211: 'contacting-bank',
};

/**
 * The codes of refusals: not accepted, card not admitted, unknown, expired, unreadable, invalid, not
 * possible, refused.
 */
const DECLINED: ReadonlySet<number> = new Set([
  0x03, 0x07, 0x08, 0x09, 0x0c, 0x0d, 0x10, 0x12, 0x13, 0x14, 0x16, 0x18, 0x19, 0x1d,
]);

/** 41 to 5D mean the same as 01 to 1D, and that the card is to be removed. */
const REMOVE_TOO = 0x40;

export function promptOf(status: number): TerminalPrompt {
  const known = PROMPTS[status];
  if (known) return known;
  if (DECLINED.has(status)) return 'declined';
  return status > REMOVE_TOO && status <= REMOVE_TOO + 0x1d ? 'remove-card' : 'see-terminal';
}
