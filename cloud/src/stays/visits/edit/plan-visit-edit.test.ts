import { describe, expect, it } from 'vitest';
import { englishLines } from '../../../platform/refused.ts';
import { type EditRequest, planVisitEdit, type VisitBefore } from './plan-visit-edit.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const START = '2026-11-21T06:30:00.000Z';
const END = '2026-11-21T10:00:00.000Z';

const inside: VisitBefore = {
  plate: 'ABX12',
  status: 'new',
  paymentStatus: null,
  startedAt: '2026-11-21T08:00:00.000Z',
  endedAt: null,
  amountMinor: null,
};
const asked: VisitBefore = { ...inside, status: 'need-payment', amountMinor: 500 };
const unread: VisitBefore = { ...inside, status: 'need-plate', plate: null };
const gone: VisitBefore = {
  ...inside,
  status: 'completed',
  paymentStatus: 'kiosk',
  endedAt: END,
  amountMinor: 0,
};
const leftUnpaid: VisitBefore = { ...asked, endedAt: END };

const withReason = { reason: 'because' };
const plan = (visit: VisitBefore, request: EditRequest) => planVisitEdit(visit, request, NOW);

describe('an edit', () => {
  it.each<[string, VisitBefore, EditRequest, object]>([
    ['of nothing', inside, {}, {}],
    [
      'of what is so already',
      inside,
      { plate: 'ABX12', status: 'new', paymentStatus: null, endedAt: null },
      {},
    ],
    ['of the plate', inside, { plate: 'MKJ45' }, { plate: 'MKJ45' }],
    ['that gives the missing plate', unread, { plate: 'MKJ45' }, { plate: 'MKJ45' }],
    ['that gives it and says new', unread, { plate: 'MKJ45', status: 'new' }, { plate: 'MKJ45' }],
    [
      'that gives it and asks to pay',
      unread,
      { plate: 'MKJ45', status: 'need-payment' },
      { plate: 'MKJ45', status: 'need-payment' },
    ],
    ['that asks to pay', inside, { status: 'need-payment' }, { status: 'need-payment' }],
    ['that no longer asks', asked, { status: 'new' }, { status: 'new' }],
    ['that settles', asked, { paymentStatus: 'kiosk' }, { settle: 'kiosk', paidWith: 'other' }],
    [
      'that settles again what is due again',
      { ...asked, paymentStatus: 'kiosk' },
      { paymentStatus: 'kiosk' },
      { settle: 'kiosk', paidWith: 'other' },
    ],
    [
      'that settles and says new',
      asked,
      { paymentStatus: 'kiosk', status: 'new' },
      { settle: 'kiosk', paidWith: 'other' },
    ],
    [
      'that settles and closes',
      asked,
      { paymentStatus: 'kiosk', status: 'completed' },
      { settle: 'kiosk', paidWith: 'other', status: 'completed', endedAt: NOW },
    ],
    [
      'that names how the money came in',
      asked,
      { paymentStatus: 'kiosk', paidWith: 'cash' },
      { settle: 'kiosk', paidWith: 'cash' },
    ],
    [
      'that settles what has left',
      leftUnpaid,
      { paymentStatus: 'owner-invoice', status: 'completed' },
      { settle: 'owner-invoice', status: 'completed' },
    ],
    ['that voids by payment', asked, { paymentStatus: 'void', ...withReason }, { settle: 'void' }],
    [
      'that voids by both',
      asked,
      { paymentStatus: 'void', status: 'completed', ...withReason },
      { settle: 'void' },
    ],
    [
      'that voids at its end',
      asked,
      { paymentStatus: 'void', endedAt: END, ...withReason },
      { settle: 'void', endedAt: END },
    ],
    [
      'that closes what owes nothing',
      asked,
      { status: 'completed', ...withReason },
      { status: 'completed', endedAt: NOW },
    ],
    ['of the start', asked, { startedAt: START, ...withReason }, { startedAt: START }],
    [
      'of the start of what is opened again',
      gone,
      { startedAt: START, status: 'new', ...withReason },
      { startedAt: START, status: 'new', endedAt: null },
    ],
    [
      'that closes what is settled',
      { ...inside, paymentStatus: 'kiosk' },
      { status: 'completed', ...withReason },
      { status: 'completed', endedAt: NOW },
    ],
    [
      'that closes it at its end',
      { ...inside, paymentStatus: 'kiosk' },
      { status: 'completed', endedAt: END, ...withReason },
      { status: 'completed', endedAt: END },
    ],
    ['that reopens', gone, { status: 'new', ...withReason }, { status: 'new', endedAt: null }],
    ['that reopens the bill', gone, { status: 'need-payment', ...withReason }, { status: 'need-payment' }],
    [
      'that reopens the bill of a car inside',
      gone,
      { status: 'need-payment', endedAt: null, ...withReason },
      { status: 'need-payment', endedAt: null },
    ],
  ])('%s', (_what, visit, request, expected) => {
    expect(plan(visit, request)).toEqual({ ok: true, plan: expected });
  });

  it.each<[string, VisitBefore, EditRequest, string[]]>([
    [
      'to need-plate',
      inside,
      { status: 'need-plate' },
      ['status: a visit that is new cannot become need-plate'],
    ],
    [
      'from completed to need-plate',
      gone,
      { status: 'need-plate' },
      ['status: a visit that is completed cannot become need-plate'],
    ],
    ['to new without the plate', unread, { status: 'new' }, ['plate: give the plate with it']],
    [
      'that closes what owes',
      { ...asked, owes: '500 kr.' },
      { status: 'completed', ...withReason },
      ['status: 500 kr. is due: say with paymentStatus how it is settled; void gives it up'],
    ],
    [
      'that closes what owes once more',
      { ...inside, paymentStatus: 'kiosk', owes: '500 kr.' },
      { status: 'completed', ...withReason },
      ['status: 500 kr. is due: say with paymentStatus how it is settled; void gives it up'],
    ],
    [
      'of the start without a reason',
      asked,
      { startedAt: START },
      ['reason: correcting the start of a visit needs a reason'],
    ],
    [
      'of the start of what is settled',
      gone,
      { startedAt: START, ...withReason },
      ['startedOn: a visit that is completed is settled; reopen it first'],
    ],
    [
      'of the start to after the end',
      leftUnpaid,
      { startedAt: NOW, ...withReason },
      ['startedOn: the start is before the end, and before now'],
    ],
    [
      'of the start to years ago',
      inside,
      { startedAt: '2024-01-01T00:00:00.000Z', ...withReason },
      ['startedOn: it is more than a year ago'],
    ],
    [
      'that voids without one, by payment',
      asked,
      { paymentStatus: 'void' },
      ['reason: voiding a visit needs a reason'],
    ],
    ['that reopens without one', gone, { status: 'new' }, ['reason: reopening a visit needs a reason']],
    [
      'that closes without one',
      { ...inside, paymentStatus: 'kiosk' },
      { status: 'completed' },
      ['reason: closing a visit needs a reason'],
    ],
    ['to failed', asked, { paymentStatus: 'failed' }, ['paymentStatus: only a payment fails, not a person']],
    [
      'that takes a settlement back',
      gone,
      { paymentStatus: null },
      ['paymentStatus: what is settled cannot be taken back'],
    ],
    [
      'that settles what is completed',
      gone,
      { paymentStatus: 'void', ...withReason },
      ['paymentStatus: a visit that is completed is settled; reopen it first'],
    ],
    [
      'that settles and asks to pay',
      inside,
      { paymentStatus: 'kiosk', status: 'need-payment' },
      ['status: a visit that is settled does not become need-payment'],
    ],
    [
      'of the end alone',
      inside,
      { endedAt: END },
      ['endedOn: it changes only with a status that ends the visit or opens it again'],
    ],
    [
      'that opens the end alone',
      gone,
      { endedAt: null },
      ['endedOn: it changes only with a status that ends the visit or opens it again'],
    ],
    [
      'that ends before the start',
      { ...inside, paymentStatus: 'kiosk' },
      { status: 'completed', endedAt: '2026-11-21T07:00:00.000Z', ...withReason },
      ['endedOn: the end is between the start and now'],
    ],
  ])('%s is refused', (_what, visit, request, messages) => {
    const planned = plan(visit, request);
    expect(planned.ok ? [] : englishLines(planned.mistakes)).toEqual(messages);
  });
});
