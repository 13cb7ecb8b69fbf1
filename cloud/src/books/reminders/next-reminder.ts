import { dayAfter } from '@hlid/protocol/base/calendar-day';
import {
  DAYS_AFTER_WARNING,
  highestCharge,
  MAX_LETTERS,
  REMINDER_STEPS,
  type ReminderStep,
} from '@hlid/protocol/records/collection-law';
import type { ReminderTermsRow } from '../../records/books/reminder-table.ts';

/** How an invoice is reminded of. */
export type ReminderTerms = Omit<ReminderTermsRow, 'siteId' | 'modifiedAt'>;

/** A step that was begun. Days are `YYYY-MM-DD`, on the calendar of the site. */
export interface BegunStep {
  step: ReminderStep;
  /** Null: not known to be delivered. */
  deliveredOn: string | null;
}

/** All that decides about the next reminder of an invoice. */
export interface ReminderFacts {
  /** The last day to pay in time, the later one of the invoice and of its claim at a bank. */
  payBy: string;
  /** What is open of it, without costs and interest. */
  openMinor: number;
  begun: readonly BegunStep[];
  /** Whether somebody contests it, or a visit of it. */
  isContested: boolean;
  /** Days after which every clock begins again: the last answer to a dispute, the last payment that was taken back. */
  restartedOn: readonly string[];
  /** A payment is under way: nobody knows yet whether it is open. */
  isPaymentUnderWay: boolean;
  /** It is collected elsewhere: by a collector, or the bank beyond its first stage. */
  isCollectedElsewhere: boolean;
  /** The claim at the bank adds a charge of its own: that is the one charge for a warning. */
  hasBankCharge: boolean;
}

export const NO_REMINDER_REASONS = [
  'off',
  'before-start',
  'paid',
  'payment-under-way',
  'contested',
  'collected-elsewhere',
  'undelivered',
  'last-step',
] as const;
type NoReminder = (typeof NO_REMINDER_REASONS)[number];

export type NextReminder =
  | { kind: 'none'; why: NoReminder }
  /** Not before that day; the charge is before VAT, by the table of that day. */
  | { kind: 'step'; step: ReminderStep; on: string; charge: number };

/**
 * The next reminder of an invoice, by act 95/2008: the warning comes first, and nothing follows before ten whole days
 * after its delivery. While somebody contests it there is none, and the answer begins the time again.
 */
export function nextReminder(terms: ReminderTerms | null, facts: ReminderFacts): NextReminder {
  const why = stopOf(terms, facts);
  if (why !== null || terms === null) return { kind: 'none', why: why ?? 'off' };
  const last = facts.begun.at(-1);
  const step = REMINDER_STEPS[facts.begun.length];
  const isBeyond = facts.begun.length > Math.min(terms.letters, MAX_LETTERS);
  if (step === undefined || isBeyond) return { kind: 'none', why: 'last-step' };
  const on = dayOfStep(terms, facts, last?.deliveredOn ?? null);
  return { kind: 'step', step, on, charge: chargeOf(terms, facts, step, on) };
}

function stopOf(terms: ReminderTerms | null, facts: ReminderFacts): NoReminder | null {
  if (terms === null || !terms.isOn) return 'off';
  if (facts.openMinor <= 0) return 'paid';
  if (facts.payBy < terms.fromDay) return 'before-start';
  if (facts.isPaymentUnderWay) return 'payment-under-way';
  if (facts.isContested) return 'contested';
  if (facts.isCollectedElsewhere) return 'collected-elsewhere';
  return facts.begun.some(({ deliveredOn }) => deliveredOn === null) ? 'undelivered' : null;
}

/** @param deliveredOn of the step before; null: there is none */
function dayOfStep(
  { warningDays, letterDays }: ReminderTerms,
  { payBy, restartedOn }: ReminderFacts,
  deliveredOn: string | null,
): string {
  const since = [deliveredOn ?? payBy, ...restartedOn].reduce((latest, day) => (day > latest ? day : latest));
  if (deliveredOn === null) return dayAfter(since, Math.max(1, warningDays));
  return dayAfter(since, Math.max(DAYS_AFTER_WARNING, letterDays) + 1);
}

/** @returns krónur before VAT: what the terms say, and at most what the law lets charge for what is open */
export function chargeOf(
  { warningCharge, letterCharge }: ReminderTerms,
  { openMinor, hasBankCharge }: Pick<ReminderFacts, 'openMinor' | 'hasBankCharge'>,
  step: ReminderStep,
  day: string,
): number {
  if (step === 'warning' && hasBankCharge) return 0;
  return Math.min(step === 'warning' ? warningCharge : letterCharge, highestCharge(step, openMinor, day));
}

/**
 * The terms for an invoice of several sites: it is reminded of where each of them does, by the gentlest of their terms.
 */
export function gentlestTerms(all: readonly (ReminderTerms | null)[]): ReminderTerms | null {
  const on = all.flatMap((terms) => (terms?.isOn === true ? [terms] : []));
  const [first, ...others] = on;
  if (first === undefined || on.length < all.length) return null;
  return others.reduce(gentlerOf, first);
}

function gentlerOf(one: ReminderTerms, other: ReminderTerms): ReminderTerms {
  return {
    isOn: true,
    fromDay: one.fromDay > other.fromDay ? one.fromDay : other.fromDay,
    warningDays: Math.max(one.warningDays, other.warningDays),
    warningCharge: Math.min(one.warningCharge, other.warningCharge),
    letters: Math.min(one.letters, other.letters),
    letterDays: Math.max(one.letterDays, other.letterDays),
    letterCharge: Math.min(one.letterCharge, other.letterCharge),
  };
}
