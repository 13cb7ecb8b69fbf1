import { DAY_MS } from '@hlid/protocol/base/durations';
import { read, write } from './driver-storage.ts';

const KEY = 'hlid.paid';
/**
 * The state of the entry in the tab's history. It survives a reload; following a link or typing the address
 * starts over.
 */
const SHOWN = 'paid';

/** A payment that this browser has made, by the page's secret key. It contains no plate and no card. */
export interface PaidRecord {
  payment: string;
  siteCode: string;
}

/** The payment with the result that this tab showed before it was reloaded. */
export function readShownPaid(): PaidRecord | null {
  return history.state === SHOWN ? readLastPaid() : null;
}

/** The last payment of this browser. It is offered for a day: another person may use the telephone later. */
export function readLastPaid(): PaidRecord | null {
  const value: unknown = read(() => JSON.parse(localStorage.getItem(KEY) ?? 'null'));
  return isPaid(value) && Date.now() - value.since < DAY_MS ? value : null;
}

/** Storage may be forbidden; then the receipt is there until the page is left. @param paid null: the driver is done with it */
export function writePaid(paid: PaidRecord | null): void {
  const text = paid && JSON.stringify({ ...paid, since: Date.now() });
  read(() => write(localStorage, KEY, text));
  history.replaceState(paid && SHOWN, '');
}

function isPaid(value: unknown): value is PaidRecord & { since: number } {
  if (typeof value !== 'object' || value === null) return false;
  const { payment, siteCode, since } = value as Partial<PaidRecord & { since: number }>;
  return typeof payment === 'string' && typeof siteCode === 'string' && typeof since === 'number';
}
