import type { ElectronicIdWords } from './electronic-id/electronic-id-texts.ts';

/** The specification's states of a login by electronic identity. Every state but `pending` ends it. */
export const ELECTRONIC_ID_STATES = [
  'success',
  'error',
  'timeout',
  'account-not-found',
  'pending',
  'cancelled',
  'unknown',
] as const;
export type ElectronicIdState = (typeof ELECTRONIC_ID_STATES)[number];

/**
 * The purpose of a session: an account of an office, a driver's account, or a driver's account and its
 * identity.
 */
export const ELECTRONIC_ID_PURPOSES = ['account', 'driver', 'connect'] as const;
export type ElectronicIdPurpose = (typeof ELECTRONIC_ID_PURPOSES)[number];

/** How far a login is, for the person who logs in. */
export function electronicIdText(
  state: ElectronicIdState,
  purpose: ElectronicIdPurpose,
  words: ElectronicIdWords,
): string {
  if (purpose === 'driver' && state === 'account-not-found') return words.noDriver;
  if (purpose === 'connect' && state === 'success') return words.connected;
  return words.states[state];
}
