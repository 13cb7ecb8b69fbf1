import { wordsOf } from './words.ts';

/** The texts of codes: why a lane decided, flags, gates, devices and ways to pay. */
export const CODES = wordsOf('codes');

/** The words for states of visits, payments, invoices, lanes and gates. */
export const STATUS = wordsOf('status');

/** The days of a week from Monday. */
export const WEEKDAYS = wordsOf('weekdays');
