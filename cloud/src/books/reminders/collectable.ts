import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { DAYS_AFTER_WARNING, MAX_LETTERS } from '@hlid/protocol/records/collection-law';
import type { ReminderFacts, ReminderTerms } from './next-reminder.ts';

/** All that decides whether an invoice may be handed to a collector. Days are `YYYY-MM-DD`, at its site. */
export interface CollectionFacts
  extends Pick<
    ReminderFacts,
    'openMinor' | 'begun' | 'isContested' | 'restartedOn' | 'isPaymentUnderWay' | 'isCollectedElsewhere'
  > {
  /** A claim for it, or for a charge of it, stands at a bank. */
  isAtBank: boolean;
  isHandedOver: boolean;
  /** The last days to pay its charges in time. */
  chargesDueOn: readonly string[];
  /** The national id of who owes it. */
  debtorId: string | null;
}

export type NotCollectable =
  | 'handed-over'
  | 'paid'
  | 'payment-under-way'
  | 'contested'
  | 'at-bank'
  | 'no-notice'
  | 'undelivered'
  | 'steps-left'
  | 'no-debtor';

export type Collectable =
  | { kind: 'no'; why: NotCollectable }
  /** Not before that day. */
  | { kind: 'from'; on: string };

/**
 * Whether an invoice may be handed to a collector, by act 95/2008: after a delivered warning and ten whole days. Where its
 * site reminds, all its letters come first. An answer to a dispute, and a payment that was taken back, begin the days again.
 */
export function collectable(terms: ReminderTerms | null, facts: CollectionFacts): Collectable {
  const why = obstacle(terms, facts);
  if (why !== null) return { kind: 'no', why };
  const days = Math.max(DAYS_AFTER_WARNING, terms?.letterDays ?? 0);
  const delivered = facts.begun.flatMap(({ deliveredOn }) => deliveredOn ?? []);
  const since = latest([...delivered, ...facts.restartedOn]);
  return { kind: 'from', on: latest([dayAfter(since, days + 1), ...facts.chargesDueOn.map(dayOnceDue)]) };
}

function obstacle(terms: ReminderTerms | null, facts: CollectionFacts): NotCollectable | null {
  if (facts.isHandedOver) return 'handed-over';
  if (facts.openMinor <= 0) return 'paid';
  if (facts.isPaymentUnderWay) return 'payment-under-way';
  if (facts.isContested) return 'contested';
  if (facts.isAtBank || facts.isCollectedElsewhere) return 'at-bank';
  if (facts.begun[0]?.step !== 'warning') return 'no-notice';
  if (facts.begun.some(({ deliveredOn }) => deliveredOn === null)) return 'undelivered';
  const letters = terms?.isOn === true ? Math.min(terms.letters, MAX_LETTERS) : 0;
  if (facts.begun.length <= letters) return 'steps-left';
  return facts.debtorId === null ? 'no-debtor' : null;
}

function dayOnceDue(dueOn: string): string {
  return dayAfter(dueOn, 1);
}

function latest(days: readonly string[]): string {
  return days.reduce((one, other) => (other > one ? other : one), '');
}
