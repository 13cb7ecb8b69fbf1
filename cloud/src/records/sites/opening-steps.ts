/** The steps of opening a site, in the order in which a person does them. */
export const OPENING_STEPS = [
  'about',
  'zones',
  'seller',
  'edge',
  'enrolment',
  'cameras',
  'lanes',
  'gates',
  'terminal',
  'tariff',
  'signs',
  'kiosk',
  'test-car',
  'live',
] as const;
export type OpeningStep = (typeof OPENING_STEPS)[number];

/**
 * The answers of a person where the site itself cannot show it.
 *
 * - `done`: the signs are up; the site is open for drivers.
 * - `skipped`: the site does without.
 * - `with-edge`, `without-edge`: whether a computer at the site decides at its gates.
 * - `no-vat-number`: the seller is not registered for value added tax.
 * - `vat-right`: the rate of the tariff was checked.
 * - `begun`: the test car is on its way.
 */
export const OPENING_ANSWERS = [
  'done',
  'skipped',
  'with-edge',
  'without-edge',
  'no-vat-number',
  'vat-right',
  'begun',
] as const;
export type OpeningAnswer = (typeof OPENING_ANSWERS)[number];
