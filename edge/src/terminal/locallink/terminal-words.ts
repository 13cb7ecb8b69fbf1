import type { DeclineReason, TerminalPrompt } from '../terminal.ts';

/**
 * The terminal reports its progress in English. Only a few of its sentences are documented ("Transaction started",
 * "Contactless card read", "Transaction approved"), so they are known by their words; the first that fits.
 */
const SENTENCES: readonly (readonly [words: RegExp, prompt: TerminalPrompt])[] = [
  [/transaction started|present|waiting for card/i, 'present-card'],
  [/declined/i, 'declined'],
  [/approved/i, 'approved'],
  [/(wrong|incorrect|invalid) pin/i, 'wrong-pin'],
  [/\bpin\b/i, 'enter-pin'],
  [/remove/i, 'remove-card'],
  [/insert (the |your )?card|use chip/i, 'insert-card'],
  [/card (read|inserted|swiped)|online|host|connect|authori[sz]/i, 'contacting-bank'],
  [/confirm/i, 'confirm-amount'],
  [/finished|cancel|process|wait/i, 'wait'],
];

export function promptOf(sentence: string): TerminalPrompt {
  return SENTENCES.find(([words]) => words.test(sentence))?.[1] ?? 'see-terminal';
}

/** Response codes of ISO 8583, field 39. */
const REASONS: Readonly<Record<string, DeclineReason>> = {
  '13': 'amount',
  '14': 'card-unsupported',
  '33': 'card-expired',
  '38': 'wrong-pin',
  '54': 'card-expired',
  '55': 'wrong-pin',
  '56': 'card-unsupported',
  '57': 'card-unsupported',
  '58': 'terminal',
  '68': 'no-connection',
  '75': 'wrong-pin',
  '91': 'no-connection',
  '92': 'no-connection',
  '96': 'no-connection',
};

export function declineReason(responseCode: string | null): DeclineReason {
  return responseCode === null ? 'other' : (REASONS[responseCode] ?? 'refused');
}
