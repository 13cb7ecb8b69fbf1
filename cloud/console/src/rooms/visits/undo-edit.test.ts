import { expect, it } from 'vitest';
import { type After, type Before, undoOfClosing, undoOfReopening } from './undo-edit.ts';

const AT = '2026-11-21T10:00:00.000Z';
const INSIDE = { status: 'new', endedOn: null, paymentStatus: null } as const;
const OWES = { status: 'need-payment', endedOn: AT, paymentStatus: null } as const;
const closed = (paymentStatus: 'void' | 'whitelisted' | 'kiosk' | 'company-invoice' | null) =>
  ({ status: 'completed', endedOn: AT, paymentStatus, actions: ['reopen'] }) satisfies Before & After;

it('takes back what was given up, for cars inside and for cars that have left', () => {
  expect(undoOfClosing(INSIDE, closed('void'), 'x')).toEqual({ status: 'new', endedOn: null, reason: 'x' });
  expect(undoOfClosing(OWES, closed('whitelisted'), 'x')).toEqual({ status: 'need-payment', reason: 'x' });
});

it('takes back neither money nor what has not closed a visit', () => {
  expect(undoOfClosing(OWES, closed('kiosk'), 'x')).toBeNull();
  expect(undoOfClosing(INSIDE, { paymentStatus: 'whitelisted', actions: ['settle'] }, 'x')).toBeNull();
  expect(undoOfClosing({ ...INSIDE, status: 'need-plate' }, closed('void'), 'x')).toBeNull();
});

it('closes a visit again as it was, unless that would be booked twice', () => {
  const end = { status: 'completed', endedOn: AT, reason: 'x' };
  expect(undoOfReopening(closed('void'), 'x')).toEqual({ ...end, paymentStatus: 'void' });
  expect(undoOfReopening(closed(null), 'x')).toEqual(end);
  expect(undoOfReopening(closed('company-invoice'), 'x')).toBeNull();
});
