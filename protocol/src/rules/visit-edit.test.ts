import { describe, expect, it } from 'vitest';
import { type Visit, VisitSchema } from '../records/visit.ts';
import type { VisitEditItem } from '../site-link/site-change.ts';
import { editedVisit, needsPrice } from './visit-edit.ts';

const STARTED = '2026-11-21T08:00:00.000Z';
const ENDED = '2026-11-21T10:00:00.000Z';
const AT = '2026-11-21T12:00:00.000Z';
const READ_ID = '01a1fc93-bdd6-7682-9b18-8dd0566e2421';

const PRICE = {
  amountMinor: 500,
  currency: 'ISK',
  product: { id: 'day', version: 1 },
  pricedAt: ENDED,
  lines: [{ rule: 'unit' as const, units: 1, amountMinor: 500 }],
};
const visit = (fields: Partial<Visit> = {}): Visit =>
  VisitSchema.parse({
    id: '01a1fc93-bdd6-7682-9b18-8dd0566e2420',
    plate: 'ABX12',
    status: 'new',
    paymentStatus: null,
    startedAt: STARTED,
    endedAt: null,
    createdAt: STARTED,
    price: null,
    unitsMet: 0,
    paidMinor: 0,
    paidUntil: null,
    quota: null,
    flags: [],
    entryLaneId: 'in-1',
    exitLaneId: null,
    entryReadId: null,
    exitReadId: null,
    exitFoundBy: null,
    permitId: null,
    ...fields,
  });
const SEEN = { exitLaneId: 'out-1', exitReadId: READ_ID, exitFoundBy: 'equal' } as const;
const UNSEEN = { exitLaneId: null, exitReadId: null, exitFoundBy: null };

const asked = visit({ status: 'need-payment', price: PRICE });
const owing = visit({ status: 'need-payment', price: PRICE, endedAt: ENDED, ...SEEN });
const completed = visit({
  status: 'completed',
  paymentStatus: 'kiosk',
  paidUntil: AT,
  price: PRICE,
  endedAt: ENDED,
  ...SEEN,
});
const unread = visit({ plate: null, status: 'need-plate', flags: ['unreadable-plate', 'lost-exit'] });

type Fields = Omit<VisitEditItem, 'id' | 'visitId' | 'reason' | 'by' | 'at'>;
const edited = (before: Visit, fields: Fields) =>
  editedVisit(before, { ...fields, reason: 'seen', by: 'account:1', at: AT });

describe('a visit that a person corrects', () => {
  it.each<[string, Visit, Fields, Partial<Visit>]>([
    ['without a change', owing, {}, {}],
    ['without a change, completed', completed, {}, {}],
    ['of another plate', asked, { plate: 'ABX13' }, { plate: 'ABX13' }],
    [
      'of a plate at last',
      unread,
      { plate: 'ABX13' },
      { plate: 'ABX13', status: 'new', flags: ['lost-exit'] },
    ],
    [
      'of no plate after all',
      visit(),
      { plate: null },
      { plate: null, status: 'need-plate', flags: ['unreadable-plate'] },
    ],
    ['of no plate, waiting to be paid', asked, { plate: null }, { plate: null, flags: ['unreadable-plate'] }],
    ['without its flag', unread, { reviewed: ['lost-exit'] }, { flags: ['unreadable-plate'] }],
    [
      'of a plate, without its flag',
      unread,
      { plate: 'ABX13', reviewed: ['lost-exit'] },
      { plate: 'ABX13', status: 'new', flags: [] },
    ],
    ['of the same start', asked, { startedAt: STARTED }, {}],
    ['of another start', asked, { startedAt: ENDED }, { startedAt: ENDED, price: null }],
    ['of another start, ended', owing, { startedAt: AT }, { startedAt: AT, price: null }],
    ['of another start, completed', completed, { startedAt: AT }, { startedAt: AT, price: null }],
    ['of the same end', owing, { endedAt: ENDED }, { price: null }],
    ['of another end', owing, { endedAt: AT }, { endedAt: AT, price: null, ...UNSEEN }],
    ['of another end, completed', completed, { endedAt: AT }, { endedAt: AT, ...UNSEEN }],
    ['that is still inside', owing, { endedAt: null }, { endedAt: null, price: null, ...UNSEEN }],
    ['that ends as it was asked to pay', asked, { endedAt: AT }, { endedAt: AT }],
    ['that ended before', asked, { endedAt: ENDED }, { endedAt: ENDED, price: null }],
    ['that ends unasked', visit({ price: PRICE }), { endedAt: AT }, { endedAt: AT, price: null }],
    ['that it voids', asked, { status: 'completed' }, { status: 'completed', endedAt: AT }],
    [
      'that it voids with an end',
      asked,
      { status: 'completed', endedAt: ENDED },
      { status: 'completed', endedAt: ENDED },
    ],
    ['that it voids after its end', owing, { status: 'completed' }, { status: 'completed' }],
    [
      'that it opens again',
      completed,
      { status: 'new' },
      { status: 'new', paymentStatus: null, paidUntil: null, price: null },
    ],
    [
      'that it opens again, as owing',
      completed,
      { status: 'need-payment' },
      { status: 'need-payment', paymentStatus: null, paidUntil: null, price: null },
    ],
    [
      'that it asks to pay',
      visit({ price: PRICE, paidUntil: AT, paymentStatus: 'kiosk' }),
      { status: 'need-payment' },
      { status: 'need-payment', price: null },
    ],
    ['that it asks to pay again', asked, { status: 'need-payment' }, {}],
    ['that it asks to pay no more', asked, { status: 'new' }, { status: 'new' }],
    ['whose plate it asks for', visit({ price: PRICE }), { status: 'need-plate' }, { status: 'need-plate' }],
    ['whose plate it asks for and gives', visit(), { status: 'need-plate', plate: 'X1' }, { plate: 'X1' }],
    // The rules have no such move: the operator's other changes are made.
    ['of a status that it cannot have', completed, { status: 'need-plate', plate: 'X1' }, { plate: 'X1' }],
  ])('%s', (_what, before, fields, changes) => {
    expect(edited(before, fields)).toEqual({ ...before, ...changes });
  });
});

it.each([
  [asked, false],
  [{ ...asked, price: null }, true],
  [visit(), false],
])('is priced again only where it is asked for a price that it does not have', (before, expected) => {
  expect(needsPrice(before)).toBe(expected);
});
