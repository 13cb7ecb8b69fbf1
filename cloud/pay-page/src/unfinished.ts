import { LANGUAGES } from '@hlid/protocol/base/language';
import type { Unfinished } from './state/pay-state.ts';

const KEY = 'hlid.payment';
const LANGUAGE_KEY = 'hlid.language';

/** The payment that the page was following when it was closed, or lost its battery. */
export function readUnfinished(): Unfinished | null {
  try {
    const value: unknown = withOrder(JSON.parse(localStorage.getItem(KEY) ?? 'null'));
    return isUnfinished(value) ? value : null;
  } catch {
    return null;
  }
}

/** Storage may be forbidden; then a payment cannot be followed over a reload. */
export function writeUnfinished(unfinished: Unfinished | null): void {
  try {
    if (unfinished) localStorage.setItem(KEY, JSON.stringify(unfinished));
    else localStorage.removeItem(KEY);
  } catch {}
}

export function readLanguage(): string | null {
  try {
    return localStorage.getItem(LANGUAGE_KEY);
  } catch {
    return null;
  }
}

export function writeLanguage(language: string): void {
  try {
    localStorage.setItem(LANGUAGE_KEY, language);
  } catch {}
}

/** Pages of earlier versions stored the order as `wish`. */
function withOrder(stored: unknown): unknown {
  const isEarlier = typeof stored === 'object' && stored !== null && 'wish' in stored;
  return isEarlier ? { order: stored.wish, ...stored } : stored;
}

function isUnfinished(value: unknown): value is Unfinished {
  if (typeof value !== 'object' || value === null) return false;
  const { order, siteCode, language } = value as Partial<Unfinished>;
  return (
    typeof siteCode === 'string' &&
    LANGUAGES.some((one) => one === language) &&
    typeof order?.payment === 'string' &&
    typeof order.stay === 'string' &&
    typeof order.currency === 'string' &&
    Number.isSafeInteger(order.amountMinor) &&
    typeof order.caps === 'object'
  );
}
