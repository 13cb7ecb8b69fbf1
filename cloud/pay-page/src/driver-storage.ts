import { DAY_MS } from '@hlid/protocol/base/durations';
import type { DriverCaps } from '@hlid/protocol/pages/driver-api';

const TOKEN_KEY = 'hlid.driver';
const CARD_KEY = 'hlid.store-card';

/** A card that is stored as soon as the driver has logged in with that mail address. There is no card in it. */
export interface CardToStore {
  payment: string;
  email: string;
  caps: DriverCaps;
}

/** The token of a driver; it ends with the tab. */
export function readDriverToken(): string | null {
  return read(() => sessionStorage.getItem(TOKEN_KEY));
}

/** Storage may be forbidden; then the driver is logged in until the page is left. */
export function writeDriverToken(token: string | null): void {
  read(() => write(sessionStorage, TOKEN_KEY, token));
}

/** The card to store, kept for a day: another person may use the telephone later. */
export function readCardToStore(): CardToStore | null {
  const text = read(() => localStorage.getItem(CARD_KEY));
  const value: unknown = read(() => JSON.parse(text ?? 'null'));
  return isCardToStore(value) && Date.now() - value.since < DAY_MS ? value : null;
}

export function writeCardToStore(card: CardToStore | null): void {
  read(() => write(localStorage, CARD_KEY, card && JSON.stringify({ ...card, since: Date.now() })));
}

export function read<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

export function write(storage: Storage, key: string, text: string | null): void {
  if (text === null) storage.removeItem(key);
  else storage.setItem(key, text);
}

function isCardToStore(value: unknown): value is CardToStore & { since: number } {
  if (typeof value !== 'object' || value === null) return false;
  const { payment, email, caps, since } = value as Partial<CardToStore & { since: number }>;
  return (
    typeof payment === 'string' &&
    typeof email === 'string' &&
    typeof since === 'number' &&
    typeof caps?.currency === 'string' &&
    Number.isSafeInteger(caps.stayMinor) &&
    Number.isSafeInteger(caps.dayMinor)
  );
}
