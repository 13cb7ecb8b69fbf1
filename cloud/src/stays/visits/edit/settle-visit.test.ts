import { expect, it } from 'vitest';
import { isPaidFor } from '../visit-actions.ts';

const NOTHING = { paymentStatus: null, unitsMet: 0, paidMinor: 0, quota: null };

it.each([
  ['nothing', NOTHING, false],
  ['a unit that was paid', { ...NOTHING, unitsMet: 1 }, true],
  ['money towards the stay', { ...NOTHING, paidMinor: 300 }, true],
  ['a unit of a quota', { ...NOTHING, quota: { id: 'quota-1', units: 1 } }, true],
  ['a quota whose units went back', { ...NOTHING, quota: { id: 'quota-1', units: 0 } }, false],
  ['a payment of nothing', { ...NOTHING, paymentStatus: 'kiosk' as const }, true],
  ['an invoice to a company', { ...NOTHING, paymentStatus: 'company-invoice' as const }, true],
  ['an invoice to the owner', { ...NOTHING, paymentStatus: 'owner-invoice' as const }, true],
  ['a permit', { ...NOTHING, paymentStatus: 'whitelisted' as const }, false],
  ['a waiver', { ...NOTHING, paymentStatus: 'void' as const }, false],
])('whether a visit with %s is paid for', (_what, settled, expected) => {
  expect(isPaidFor(settled)).toBe(expected);
});
