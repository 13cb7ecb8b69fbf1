import type { PayDue, PayPayment, PaySite, PayStay } from '@hlid/protocol/pages/pay-api';
import { describe, expect, it } from 'vitest';
import { workOf } from '../calls/use-payment.ts';
import { firstState, nextState } from './next-state.ts';
import type { PayAction, PayState } from './pay-state.ts';
import { isChecking } from './pay-steps.ts';

const SITE: PaySite = {
  code: 'harbour',
  name: 'Harbour',
  timeZone: 'Atlantic/Reykjavik',
  currency: 'ISK',
  language: 'is',
  exitGraceMinutes: 15,
  payAfterDays: 14,
  helpPhone: null,
  seller: null,
  gateway: { kind: 'testing', cardInput: 'card', cardField: null, isTest: true, storesCards: false },
};
const STAY: PayStay = {
  key: 'stay-1',
  plate: 'MKJ45',
  match: 'equal',
  ended: false,
  proved: false,
  startedAt: null,
  endedAt: null,
  hasPicture: false,
};
const DUE: PayDue = {
  stay: STAY,
  standing: 'due',
  amountMinor: 1450,
  currency: 'ISK',
  lines: [],
  vatRate: 24,
  pricedAt: '2026-11-21T12:30:00.000Z',
  paidUntil: null,
  dayPriceMinor: 3500,
  atExit: false,
};
const KEY = '6a1a4c5e-7f6d-4b39-9d51-51a2a9d5b1c3';
const PAYMENT: PayPayment = {
  key: KEY,
  state: 'created',
  next: { kind: 'finish' },
  amountMinor: 1450,
  currency: 'ISK',
  quantity: null,
  reason: null,
  needsPerson: false,
  paidUntil: null,
  daysUntil: null,
  exitOpens: false,
  receipt: null,
};
const ORDER = {
  payment: KEY,
  stay: 'stay-1',
  amountMinor: 1450,
  currency: 'ISK',
  quantity: null,
  caps: null,
};

const START = firstState('en', { siteCode: 'harbour', link: null }, null);
const from = (state: PayState, ...actions: PayAction[]) => actions.reduce(nextState, state);
const after = (...actions: PayAction[]) => from(START, { type: 'site', site: SITE }, ...actions);
const found = (stays: PayStay[], plate = 'MKJ45'): PayAction => ({ type: 'found', plate, stays });
const TYPED: PayAction[] = [{ type: 'typed', text: 'mkj 45' }, { type: 'find' }];
const TO_DUE: PayAction[] = [...TYPED, found([STAY]), { type: 'due', due: DUE }];
const TO_PAY: PayAction[] = [...TO_DUE, { type: 'card' }, { type: 'pay', key: KEY }];
const payment = (change: Partial<PayPayment>): PayAction => ({
  type: 'payment',
  payment: { ...PAYMENT, ...change },
});
const resumed = () =>
  firstState(
    'en',
    { siteCode: 'harbour', link: null },
    { order: ORDER, siteCode: 'harbour', language: 'pl' },
  );

describe('finding a stay', () => {
  it('goes from the whole plate to what is due', () => {
    expect(after(...TYPED).step).toMatchObject({ at: 'plate', typed: 'MKJ45', sending: true });
    expect(after(...TYPED, found([STAY])).step).toMatchObject({ at: 'due', stay: 'stay-1', due: null });
    expect(after(...TO_DUE).step).toMatchObject({ at: 'due', due: DUE, changed: false });
  });

  it('asks where the plate is another one, several stays fit, or none', () => {
    const similar: PayStay = { ...STAY, plate: 'MK•45', match: 'similar' };
    const asked = after(...TYPED, found([similar]));
    expect(asked.step).toMatchObject({ at: 'question', stay: similar, plate: 'MKJ45' });
    expect(from(asked, { type: 'pick', stay: similar }).step.at).toBe('due');
    expect(from(asked, { type: 'not-mine' }).step).toMatchObject({ at: 'plate', typed: 'MKJ45' });
    expect(after(...TYPED, found([STAY, { ...STAY, key: 'stay-2' }])).step.at).toBe('choose');
    expect(after(...TYPED, found([])).step).toMatchObject({ at: 'not-found', plate: 'MKJ45' });
  });

  it('sends "not mine" only where an exit waits, and opens it', () => {
    const asked = after(...TYPED, found([{ ...STAY, doubtful: true }]), { type: 'not-mine' });
    expect(asked.step).toMatchObject({ at: 'question', sending: true });
    expect(from(asked, { type: 'exit-opens' }).step.at).toBe('exit-opens');
    expect(from(asked, { type: 'refused', fault: 'not-in-doubt' }).step).toMatchObject({
      at: 'question',
      sending: false,
      notice: 'not-in-doubt',
    });
  });

  it('does not listen to an answer about another plate', () => {
    const typedOn = after(...TYPED, { type: 'typed', text: 'mkj456' });
    expect(from(typedOn, found([STAY]))).toBe(typedOn);
  });

  it('shows more once the time of entry is proved, and goes back from there past the question', () => {
    const proof = after(...TO_DUE, { type: 'prove', day: '2026-11-21' });
    const sent = from(proof, { type: 'entry-time', day: '2026-11-21', time: '08:30' }, { type: 'send' });
    expect(sent.step).toMatchObject({ at: 'proof', sending: true });
    expect(from(sent, { type: 'refused', fault: 'wrong-proof' }).step).toMatchObject({
      at: 'proof',
      sending: false,
      notice: 'wrong-proof',
    });
    const proved = from(sent, { type: 'proved', stay: { ...STAY, key: 'proved-1', proved: true } });
    expect(proved.step).toMatchObject({ at: 'due', stay: 'proved-1' });
    expect(from(proved, { type: 'back' }).step.at).toBe('plate');
  });

  it('begins with the plate again where a key is too old', () => {
    expect(after(...TO_DUE, { type: 'refused', fault: 'expired' }).step).toMatchObject({
      at: 'plate',
      typed: 'MKJ45',
      notice: 'expired',
    });
  });
});

describe('the code at an exit', () => {
  const at = (plate: string) =>
    from(firstState('en', { siteCode: 'harbour', link: null, plate }, null), { type: 'site', site: SITE });

  it('brings the plate, and what is due is looked for at once', () => {
    expect(at('ÞÓR12').step).toMatchObject({ at: 'plate', typed: 'ÞÓR12', sending: true });
    expect(from(at('mkj 45'), found([STAY])).step).toMatchObject({ at: 'due', stay: 'stay-1' });
    expect(at('<b>').step).toMatchObject({ at: 'plate', typed: 'B', sending: false });
    expect(at('').step).toMatchObject({ at: 'plate', typed: '', sending: false });
  });
});

describe('a receipt that is wanted once more', () => {
  const again = firstState('en', { siteCode: 'harbour', link: null }, null, KEY);

  it('is that of a payment that is settled', () => {
    const atSite = from(again, { type: 'site', site: SITE });
    expect(atSite.step).toEqual({ at: 'again', payment: KEY });
    const paid = from(atSite, payment({ state: 'settled', next: null, receipt: '/receipt/x' }));
    expect(paid).toMatchObject({ step: { at: 'paid', payment: { receipt: '/receipt/x' } }, trail: [] });
  });

  it('leads to the plate where there is none', () => {
    expect(from(again, payment({ state: 'reversed', next: null })).step.at).toBe('plate');
    expect(from(again, { type: 'refused', fault: 'not-found' }).step.at).toBe('plate');
    expect(from(again, payment({ key: 'another', state: 'settled', next: null })).step.at).toBe('again');
  });
});

describe('paying', () => {
  it('orders what was shown, and says so where the price changes', () => {
    expect(after(...TO_PAY).step).toMatchObject({ at: 'pay', order: ORDER, payment: null });
    const dearer = after(...TO_DUE, { type: 'due', due: { ...DUE, amountMinor: 1700 } });
    expect(dearer.step).toMatchObject({ changed: true });
    expect(after(...TO_PAY, { type: 'refused', fault: 'amount-changed' }).step).toMatchObject({
      at: 'due',
      due: null,
      notice: 'amount-changed',
    });
  });

  it('buys days at their price', () => {
    const days = after(...TO_DUE, { type: 'buy-days' }, { type: 'quantity', quantity: 3 });
    const order = from(days, { type: 'card' }, { type: 'pay', key: KEY }).step;
    expect(order).toMatchObject({ order: { ...ORDER, amountMinor: 10_500, quantity: 3 } });
    expect(from(days, { type: 'quantity', quantity: 99 }).step).toMatchObject({ quantity: 30 });
  });

  it('goes back to the card where nothing was charged, and says why', () => {
    const declined = after(...TO_PAY, payment({ state: 'declined', next: null, reason: 'card-expired' }));
    expect(declined.step).toMatchObject({ at: 'card', notice: 'card-expired' });
    expect(declined.trail.at(-1)?.at).toBe('due');
    const mistyped = after(...TO_PAY, { type: 'refused', fault: 'card', fields: ['ccv'] });
    expect(mistyped.step).toMatchObject({ at: 'card', notice: 'card', fields: ['ccv'] });
  });

  it('keeps the bank’s form while the bank is asked, since it comes only once', () => {
    const form: PayPayment['next'] = { kind: 'form', url: 'https://bank.example/', fields: [], scripts: [] };
    const asked = after(...TO_PAY, payment({ next: form }), payment({ next: { kind: 'wait' } }));
    expect(asked.step).toMatchObject({ payment: { next: form } });
    expect(from(asked, payment({})).step).toMatchObject({ payment: { next: { kind: 'finish' } } });
  });

  it('never shows an unknown outcome as declined, and there is no way back from it', () => {
    const unknown = after(...TO_PAY, payment({ state: 'unknown', next: null }));
    expect(unknown.step).toMatchObject({ at: 'pay' });
    expect(unknown.step.at === 'pay' && isChecking(unknown.step)).toBe(true);
    expect(from(unknown, { type: 'back' })).toBe(unknown);
    expect(from(unknown, { type: 'refused', fault: 'failed' }).step.at).toBe('pay');
    expect(from(unknown, payment({ state: 'settled', next: null })).step.at).toBe('paid');
  });

  it('keeps the order to store the card over a decline and to the end, and the address out of what is stored', () => {
    const store = { caps: { currency: 'ISK', stayMinor: 5000, dayMinor: 10_000 }, email: 'jon@example.is' };
    const paying = after(...TO_DUE, { type: 'card' }, { type: 'pay', key: KEY, store });
    expect(paying.step).toMatchObject({ order: { caps: store.caps } });
    expect(JSON.stringify(paying.step.at === 'pay' && paying.step.order)).not.toContain(store.email);
    expect(from(paying, payment({ state: 'declined', next: null })).step).toMatchObject({
      at: 'card',
      store,
    });
    expect(from(paying, payment({ state: 'settled', next: null })).step).toMatchObject({
      at: 'paid',
      ...store,
    });
  });

  it('does not listen to another payment', () => {
    const state = after(...TO_PAY);
    expect(from(state, payment({ key: crypto.randomUUID(), state: 'settled' }))).toBe(state);
  });
});

describe('a page that was closed while it paid', () => {
  it('comes back to that payment, in its language, and pays nothing', () => {
    const state = resumed();
    expect(state).toMatchObject({ language: 'pl', step: { at: 'pay', order: ORDER, form: null } });
    expect(state.step.at === 'pay' && isChecking(state.step)).toBe(true);
    expect(from(state, payment({ state: 'settled', next: null })).step.at).toBe('paid');
  });

  it('goes to what is due where the order never arrived, or ended without a charge', () => {
    expect(from(resumed(), { type: 'never-ordered' }).step).toMatchObject({
      at: 'due',
      stay: 'stay-1',
      notice: 'nothing-charged',
    });
    const cancelled = from(resumed(), payment({ state: 'cancelled', next: null }));
    expect(cancelled.step).toMatchObject({ at: 'due', notice: 'nothing-charged' });
  });
});

describe('what to do next', () => {
  const form = {
    at: 'card',
    due: DUE,
    quantity: null,
    amountMinor: 1,
    notice: null,
    fields: [],
    store: null,
  } as const;
  const work = (change: Partial<PayPayment>, hasCard = true, cancelling = false) =>
    workOf({ payment: { ...PAYMENT, ...change }, form, cancelling }, hasCard);

  it('orders only with the card in hand, and asks for the state otherwise', () => {
    expect(workOf({ payment: null, form, cancelling: false }, true)).toBe('order');
    expect(workOf({ payment: null, form: null, cancelling: false }, false)).toBe('resume');
  });

  it('follows the steps of the payment, and cancels what cannot go on', () => {
    expect(work({})).toBe('finish');
    expect(work({ next: { kind: 'encrypt', tokens: {} } })).toBe('encrypt');
    expect(work({ next: { kind: 'wait' } })).toBe('cancel');
    expect(work({}, false)).toBe('cancel');
    expect(work({}, true, true)).toBe('cancel');
  });

  it('never cancels or repeats what may have moved money', () => {
    for (const state of ['sent', 'unknown', 'approved'] as const) {
      for (const cancelling of [true, false]) {
        for (const hasCard of [true, false]) {
          expect(work({ state, next: null }, hasCard, cancelling)).toBe('follow');
        }
      }
    }
    for (const state of ['settled', 'declined', 'cancelled', 'reversed'] as const) {
      expect(work({ state, next: null })).toBeNull();
    }
  });
});
