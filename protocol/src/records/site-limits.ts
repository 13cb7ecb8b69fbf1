import { HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { DEFAULT_LANGUAGE } from '../base/language.ts';

/** The least and the most of the numbers in a site's settings, for the schema and for the form. */
export const SITE_LIMITS = {
  entryGraceMinutes: { min: 0, max: 1440 },
  exitGraceMinutes: { min: 0, max: 1440 },
  capacity: { min: 0 },
  latitude: { min: -90, max: 90 },
  longitude: { min: -180, max: 180 },
  confusableScore: { min: 0, max: 1 },
  passageWindowMs: { min: 100, max: 2 * MINUTE_MS },
  standingMs: { min: 0, max: HOUR_MS },
  sameCarMs: { min: 0, max: MINUTE_MS },
  exitPatienceMs: { min: 500, max: 10_000 },
  exitWaitMinutes: { min: 1, max: 1440 },
  kioskEntryDays: { min: 1, max: 60 },
  payAfterDays: { min: 0, max: 365 },
  disputeDays: { min: 1, max: 90 },
  invoiceDueDays: { min: 0, max: 90 },
  matchProbability: { min: 0.9, max: 0.9999 },
  matchMargin: { min: 2, max: 10_000 },
  upgradeRing: { min: 1, max: 9 },
} as const;

/** The settings of a site where they are not set. */
export const SITE_DEFAULTS = {
  opensUnreadable: true,
  opensUnmatchedExit: true,
  permitsOnly: false,
  capacity: null,
  entryGraceMinutes: 15,
  exitGraceMinutes: 15,
  confusableScore: 0.9,
  passageWindowMs: 8000,
  standingMs: 2 * MINUTE_MS,
  sameCarMs: 10_000,
  exitPatienceMs: 2000,
  exitWaitMinutes: 30,
  language: DEFAULT_LANGUAGE,
  kioskEntryDays: 3,
  payAfterDays: 14,
  disputeDays: 14,
  matchesExits: false,
  matchProbability: 0.999,
  matchMargin: 100,
  invoicesOwners: false,
  invoicesUnpaid: false,
  invoiceDueDays: 14,
  chargesServiceFees: false,
  chargesLateFees: false,
  takesTips: false,
} as const;
