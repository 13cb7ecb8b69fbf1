import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { ReviewFlag } from '@hlid/protocol/records/visit';
import type { Queries } from '../../platform/db/db.ts';
import {
  type DriverChargeRow,
  type DriverRow,
  findVehicleOfDriver,
  hasUnknownCharge,
} from '../../records/drivers/driver-store.ts';
import { readPresence } from '../../records/sites/find-sites.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { isRegistered } from './registered-driver.ts';

/**
 * The effect of a visit's flag on an automatic charge. `charge`: neither plate nor price is in doubt.
 * `pay-by-hand`: the card is not charged, and the driver is asked to pay. `review`: an operator decides
 * first, and no driver is asked to pay.
 */
export const FLAG_DOUBTS: Readonly<Record<ReviewFlag, 'charge' | 'pay-by-hand' | 'review'>> = {
  // The car was read at the exit, so it has been inside, whatever the gate reported.
  'gate-unconfirmed': 'charge',
  // The plate is on no list, and it was read equally at the entry and at the exit.
  'blocklist-lookalike': 'charge',
  // The car that left was another one, since this one is read at the exit by its own plate. The site takes the flag off.
  'near-exit': 'charge',

  // The plate may be another one.
  'uncertain-plate': 'pay-by-hand',
  // The permit may be another car's, so the plate or the price may be wrong.
  'uncertain-permit': 'pay-by-hand',
  // No camera has read the plate: a person typed it.
  'unreadable-plate': 'pay-by-hand',
  // The driver of a car that left denied this visit. If that was wrong, the stay is shorter than its price.
  'not-mine': 'pay-by-hand',
  // The car turned back at the gate, so its stay began or ended at another time.
  'turned-back': 'pay-by-hand',

  // It is uncertain when the car left, and such a stay is not billed.
  'lost-exit': 'review',
  // The gate was not observed when the car left, and such a stay is not billed without a person.
  'late-exit': 'review',
  // It is uncertain how long the car was inside.
  'clock-set': 'review',
  // Units beyond the quota may be the customer's debt and not the driver's.
  'quota-exceeded': 'review',
  // It may be paid.
  'payment-unknown': 'review',
  'settled-twice': 'review',
  // The stay was voided, and its invoice was not.
  'invoice-stands': 'review',
  // Its driver or holder contests it.
  disputed: 'review',
};

export function isChargeable(flags: readonly ReviewFlag[]): boolean {
  return flags.every((flag) => FLAG_DOUBTS[flag] === 'charge');
}

/** Why an automatic charge was refused, as the driver is informed. Null: the driver knows it, or has nothing to do. */
export type RefusalKind = 'limit' | 'doubt' | 'card';

const LIMITS = ['cap-stay', 'cap-day', 'cap-currency'];
const DOUBTFUL_REASONS = ['flagged', 'uncertain-plate', 'need-plate', 'site-clock', 'checking'];
/** The driver knows it, or has nothing to do. */
export const SILENT_REFUSALS = [
  // An operator decides first.
  'review',
  // The car stood at the exit long ago, and its driver has seen the exit stay closed.
  'late',
  // The driver has paused, deleted or changed something.
  'paused',
  'no-card',
  'not-their-vehicle',
  // A mail is sent when the register names another person.
  'not-registered',
  // There is nothing to pay, or a person pays by hand.
  'no-visit',
  'nothing-due',
  'visit-ended',
  'too-late',
  'payment-under-way',
  'under-way',
  'not-due-any-more',
  'replaced',
  'reversed',
];

/** @param reason a code of a charge that was refused */
export function refusalKind(reason: string): RefusalKind | null {
  if (LIMITS.includes(reason)) return 'limit';
  if (DOUBTFUL_REASONS.includes(reason)) return 'doubt';
  // The card could not be used: the provider was away, or the site has another one.
  return SILENT_REFUSALS.includes(reason) ? null : 'card';
}

/** A car that a site reports later than this stands at its exit no more, or has paid by hand. */
const LATE_MS = 15 * MINUTE_MS;

/** Why a stay is not charged without asking; null: its plate is certain, still the driver's, and so is its price. */
export async function doubtOf(
  q: Queries,
  { charge, driver, visit }: { charge: DriverChargeRow; driver: DriverRow; visit: VisitRow },
  now: UtcTime,
): Promise<string | null> {
  const { plate, flags, exitFoundBy, status, endedAt } = visit;
  if (driver.pausedFor !== null) return 'paused';
  if (plate === null || status === 'need-plate') return 'need-plate';
  if (flags.some((flag) => FLAG_DOUBTS[flag] === 'review')) return 'review';
  if (!isChargeable(flags)) return 'flagged';
  if (exitFoundBy !== null && exitFoundBy !== 'equal') return 'uncertain-plate';
  const vehicle = await findVehicleOfDriver(q, plate);
  if (vehicle?.driverId !== driver.id) return 'not-their-vehicle';
  const isByRegister = vehicle.proof === 'register';
  if (isByRegister && !(await isRegistered(q, { plate, ssn: driver.ssn }, now))) return 'not-registered';
  // One that was begun in time was not late, however long another payment took.
  const isLate = charge.attempts === 0 && millis(now) - millis(charge.createdAt) > LATE_MS;
  if (endedAt === null && isLate) return 'late';
  return (await hasUnknownCharge(q, driver.id, charge.id)) ? 'checking' : null;
}

/**
 * The time of an event, by our clock. The error of the site's clock was measured when the site connected. So
 * neither a wrong clock nor a report that waited at the site makes the event look newer or older.
 */
export async function timeOfReport(
  q: Queries,
  { siteId, at, arrivedAt }: { siteId: string; at: UtcTime; arrivedAt: UtcTime },
): Promise<UtcTime> {
  const aheadMs = (await readPresence(q, siteId))?.clockAheadMs ?? 0;
  return utcTime(Math.min(millis(at) - aheadMs, millis(arrivedAt)));
}

/** A moment by the clock of a site; its times of entry are by that clock too. */
export async function timeAtSite(q: Queries, siteId: string, at: UtcTime): Promise<UtcTime> {
  const aheadMs = (await readPresence(q, siteId))?.clockAheadMs ?? 0;
  return utcTime(millis(at) + aheadMs);
}
