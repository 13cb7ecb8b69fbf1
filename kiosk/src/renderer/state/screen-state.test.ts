import type { Language } from '@hlid/protocol/base/language';
import type { KioskDue, KioskPayment, KioskSite, KioskVisit } from '@hlid/protocol/pages/kiosk-api';
import { describe, expect, it } from 'vitest';
import type { KioskAction, KioskState } from './kiosk-state.ts';
import { isWorking } from './pay-state.ts';
import { firstState, nextState } from './screen-state.ts';

const VISIT: KioskVisit = {
  id: '0b9f8a34-58a5-4b43-9a6e-0a4f6f1c2d11',
  plate: 'MKJ••',
  startedAt: '2026-11-21T08:30:00.000Z',
  hasPicture: true,
};
const DUE: KioskDue = {
  visit: VISIT,
  standing: 'due',
  amountMinor: 1450,
  currency: 'ISK',
  lines: [],
  vatRate: 24,
  pricedAt: '2026-11-21T12:30:00.000Z',
  paidUntil: null,
  dayPriceMinor: 3500,
  paymentId: null,
};
const PAYMENT: KioskPayment = {
  id: '6a1a4c5e-7f6d-4b39-9d51-51a2a9d5b1c3',
  visitId: VISIT.id,
  state: 'sent',
  needsPerson: false,
  amountMinor: 1450,
  currency: 'ISK',
  prompt: 'present-card',
  promptText: null,
  reason: null,
  paidUntil: null,
};

const SITE: KioskSite = {
  name: 'Harbour',
  timeZone: 'Atlantic/Reykjavik',
  currency: 'ISK',
  terminal: null,
  cloudConnected: true,
  exitGraceMinutes: 15,
  helpPhone: null,
  payOnline: null,
  language: 'is',
  entryDays: 3,
};

const after = (...actions: KioskAction[]): KioskState => actions.reduce(nextState, firstState());
const typing = (text: string): KioskAction[] => [
  { type: 'begin' },
  ...[...text].map((character): KioskAction => ({ type: 'key', character })),
];
const found = (plate: string, visits = [VISIT]): KioskAction => ({ type: 'found', found: { plate, visits } });
const toDue: KioskAction[] = [...typing('mkj'), { type: 'pick', visit: VISIT }, { type: 'due', due: DUE }];
const toPay: KioskAction[] = [...toDue, { type: 'pay', key: 'key-1' }];
const paying = (change: Partial<KioskPayment>): KioskAction => ({
  type: 'payment',
  payment: { ...PAYMENT, ...change },
});

describe('a car that an exit keeps in doubt', () => {
  const DOUBTFUL: KioskVisit = { ...VISIT, plate: '•••••', doubtful: true };
  const asked = after(...typing('bte97'), { type: 'find' }, found('BTE97', [DOUBTFUL]));

  it('is a question, not a price, however the driver comes to it', () => {
    expect(asked.screen).toMatchObject({ at: 'question', visit: DOUBTFUL, typed: 'BTE97' });
    const picked = after(...typing('bte97'), found('BTE97', [DOUBTFUL]), { type: 'pick', visit: DOUBTFUL });
    expect(picked.screen).toEqual(asked.screen);
    const among = after(...typing('bte'), { type: 'find' }, found('BTE', [DOUBTFUL, VISIT]));
    expect(nextState(among, { type: 'pick', visit: DOUBTFUL }).screen.at).toBe('question');
  });

  it('is his, and he sees what is due', () => {
    expect(nextState(asked, { type: 'pick', visit: DOUBTFUL }).screen).toMatchObject({
      at: 'due',
      visitId: VISIT.id,
      typed: 'BTE97',
    });
  });

  it('belongs to another vehicle: the exit opens, or the screen asks the driver to call', () => {
    const sending = nextState(asked, { type: 'not-mine' });
    expect(sending.screen).toMatchObject({ sending: true });
    expect(nextState(sending, { type: 'exit-opens' })).toMatchObject({
      screen: { at: 'leave', leaveBy: null, exitOpens: true },
      trail: [],
    });
    expect(nextState(sending, { type: 'refused', fault: 'not-in-doubt' }).screen).toMatchObject({
      at: 'question',
      sending: false,
      trouble: 'not-in-doubt',
    });
  });
});

describe('the only car that is found', () => {
  const seen = [...typing('mkj'), found('MKJ'), { type: 'due', due: DUE }] satisfies KioskAction[];

  it('is paid from there, and the way back leads to what is due', () => {
    expect(after(...seen).screen).toMatchObject({ at: 'plate', due: DUE });
    const paid = after(...seen, { type: 'pay', key: 'key-1' });
    expect(paid.screen).toMatchObject({ at: 'pay', request: { key: 'key-1', amountMinor: 1450 } });
    expect(nextState(paid, { type: 'back' }).screen).toMatchObject({ at: 'due', visitId: VISIT.id });
  });

  it('is not paid while there is another, a doubt, nothing due, or another plate is typed', () => {
    const other = { ...VISIT, id: 'another' };
    const due: KioskAction = { type: 'due', due: DUE };
    const pay: KioskAction = { type: 'pay', key: 'key-1' };
    for (const visits of [[VISIT, other], [{ ...VISIT, doubtful: true as const }], [other]]) {
      expect(after(...typing('mkj'), found('MKJ', visits), due, pay).screen).toMatchObject({
        at: 'plate',
        due: null,
      });
    }
    const free: KioskAction = { type: 'due', due: { ...DUE, standing: 'nothing-due', amountMinor: 0 } };
    expect(after(...typing('mkj'), found('MKJ'), free, pay).screen.at).toBe('plate');
    expect(after(...seen, { type: 'key', character: '4' }, pay).screen).toMatchObject({
      at: 'plate',
      due: null,
    });
  });
});

describe('typing a plate', () => {
  it('takes letters and digits only, in capitals, and no more than a plate has', () => {
    expect(after(...typing('mk-j 45ð')).screen).toMatchObject({ typed: 'MKJ45Ð' });
    expect(after(...typing('A'.repeat(30))).screen).toMatchObject({ typed: 'A'.repeat(12) });
    expect(after(...typing('ab'), { type: 'erase' }).screen).toMatchObject({ typed: 'A' });
    expect(after(...typing('ab'), { type: 'clear' }).screen).toMatchObject({ typed: '' });
  });

  it('leaves out an answer to what was typed before', () => {
    expect(after(...typing('mkj4'), found('MKJ')).screen).toMatchObject({ typed: 'MKJ4', found: null });
  });

  it('shows what is found as soon as it is there, once it is asked for', () => {
    expect(after(...typing('mkj'), { type: 'find' }).screen).toMatchObject({ at: 'plate', asked: true });
    expect(after(...typing('mkj'), { type: 'find' }, found('MKJ')).screen.at).toBe('choose');
    expect(after(...typing('mkj'), found('MKJ'), { type: 'find' }).screen.at).toBe('choose');
    expect(after(...typing('mkj'), found('MKJ', []), { type: 'find' }).screen.at).toBe('not-found');
    // A private plate may be as short; a single letter is none. What is none may be the beginning of one.
    const short = after(...typing('mk'), { type: 'find' }, found('MK', [])).screen;
    expect(short).toMatchObject({ at: 'plate', asked: false, found: { visits: [] } });
    expect(after(...typing('mk'), { type: 'find' }).screen).toMatchObject({ at: 'plate', asked: true });
    expect(after(...typing('m'), { type: 'find' }).screen).toMatchObject({ at: 'plate', asked: false });
  });

  it('leads straight to what is due once the whole plate of the only car is typed', () => {
    const whole = { ...VISIT, plate: 'MKJ45' };
    const one = (plate: string) => after(...typing(plate), found(plate, [whole]), { type: 'find' }).screen;
    expect(one('MKJ45')).toMatchObject({ at: 'due', visitId: VISIT.id, typed: 'MKJ45' });
    expect(one('MKJ4').at).toBe('choose');
    const two = found('MKJ45', [whole, { ...VISIT, id: PAYMENT.id }]);
    expect(after(...typing('MKJ45'), two, { type: 'find' }).screen.at).toBe('choose');
  });

  it('finds the way back, with what was typed', () => {
    const chosen = after(...typing('mkj'), found('MKJ'), { type: 'find' }, { type: 'back' });
    expect(chosen.screen).toMatchObject({ at: 'plate', typed: 'MKJ' });
    expect(nextState(chosen, { type: 'back' }).screen).toEqual({ at: 'start' });
    const changed = after(...typing('xyz'), found('XYZ', []), { type: 'find' }, { type: 'change-plate' });
    expect(changed.screen).toMatchObject({ at: 'plate', typed: 'XYZ' });
  });
});

describe('what is due', () => {
  it('is asked for with what was typed of the plate', () => {
    expect(after(...typing('mkj'), { type: 'pick', visit: VISIT }).screen).toMatchObject({
      at: 'due',
      visitId: VISIT.id,
      typed: 'MKJ',
      due: null,
    });
  });

  it('says so when the price changes under the eyes of the driver', () => {
    expect(after(...toDue, { type: 'due', due: DUE }).screen).toMatchObject({ changed: false });
    expect(after(...toDue, { type: 'due', due: { ...DUE, amountMinor: 1900 } }).screen).toMatchObject({
      changed: true,
    });
  });

  it('is not shown for another visit', () => {
    const other = { ...DUE, visit: { ...VISIT, id: PAYMENT.id }, amountMinor: 9 };
    expect(after(...toDue, { type: 'due', due: other }).screen).toMatchObject({ due: DUE });
  });

  it('asks for the plate first where it could not be read', () => {
    const nameless: KioskDue = { ...DUE, standing: 'need-plate', visit: { ...VISIT, plate: null } };
    const naming = after({ type: 'browse' }, { type: 'pick', visit: VISIT }, { type: 'due', due: nameless });
    expect(naming.screen).toMatchObject({ at: 'name-plate', typed: '' });
    const named = [{ type: 'key', character: 'a' }, { type: 'send' }, { type: 'due', due: DUE }] as const;
    expect(named.reduce<KioskState>(nextState, naming).screen).toMatchObject({ at: 'due', due: DUE });
  });

  it('sells days in advance, within limits', () => {
    const days = after(...toDue, { type: 'buy-days' }, { type: 'quantity', quantity: 99 });
    expect(days.screen).toMatchObject({ quantity: 30 });
    const bought = nextState(nextState(days, { type: 'quantity', quantity: 2 }), { type: 'pay', key: 'k' });
    expect(bought.screen).toMatchObject({ at: 'pay', request: { quantity: 2, amountMinor: 7000 } });
  });
});

describe('paying', () => {
  it.each(['checking', 'paid', 'nothing-due', 'whitelisted', 'invoiced', 'ended'] as const)(
    'is not begun for a visit that is %s',
    (standing) => {
      const actions: KioskAction[] = [
        { type: 'due', due: { ...DUE, standing } },
        { type: 'pay', key: 'k' },
      ];
      expect(after(...toDue, ...actions).screen.at).toBe('due');
    },
  );

  it('ends with the receipt, from which no way leads back', () => {
    const paid = after(...toPay, paying({}), paying({ state: 'approved' }), paying({ state: 'settled' }));
    expect(paid.screen.at).toBe('receipt');
    expect(nextState(paid, { type: 'back' }).screen).toEqual({ at: 'start' });
  });

  it('is never tried again while its outcome is not known', () => {
    for (const state of ['created', 'sent', 'approved', 'unknown'] as const) {
      const before = after(...toPay, paying({ state }));
      expect(nextState(before, { type: 'pay', key: 'key-2' })).toBe(before);
    }
    const waiting = after(...toPay);
    expect(nextState(waiting, { type: 'pay', key: 'key-2' })).toBe(waiting);
  });

  it.each(['declined', 'cancelled', 'reversed'] as const)(
    'may be tried again, as another order, when %s',
    (state) => {
      const again = after(...toPay, paying({ state }), { type: 'pay', key: 'key-2' });
      expect(again.screen).toMatchObject({ at: 'pay', payment: null, request: { key: 'key-2' } });
    },
  );

  it('may be tried again when the terminal was busy', () => {
    const busy = after(...toPay, { type: 'refused', fault: 'terminal-busy' });
    expect(busy.screen.at === 'pay' && isWorking(busy.screen)).toBe(false);
    expect(nextState(busy, { type: 'pay', key: 'key-2' }).screen).toMatchObject({
      request: { key: 'key-2' },
    });
  });

  it.each(['amount-changed', 'payment-under-way', 'visit-ended'] as const)(
    'shows anew what is due after %s',
    (fault) => {
      const shown = after(...toPay, { type: 'refused', fault });
      expect(shown.screen).toMatchObject({ at: 'due', due: null, changed: true, typed: 'MKJ' });
    },
  );

  it('takes no news of another visit', () => {
    const before = after(...toPay);
    expect(nextState(before, paying({ visitId: PAYMENT.id, state: 'settled' }))).toBe(before);
  });

  it('goes on where it was when the page was loaded again', () => {
    const request = { key: 'key-1', visitId: VISIT.id, amountMinor: 1450, currency: 'ISK', quantity: null };
    const state = firstState({ request, language: 'en' });
    expect(state).toMatchObject({ language: 'en', screen: { at: 'pay', request, payment: null } });
  });
});

describe('the receipt by mail', () => {
  const toMail: KioskAction[] = [...toPay, paying({ state: 'settled' }), { type: 'mail' }];
  const address = (text: string): KioskAction[] =>
    [...text].map((character): KioskAction => ({ type: 'key', character }));

  it.each(['', 'a', 'a@b', 'a@@b.is', 'a b@c.is', 'a@.is', 'a@b.'])('is not sent to “%s”', (text) => {
    expect(after(...toMail, ...address(text), { type: 'send' }).screen).toMatchObject({
      at: 'mail',
      sending: false,
      trouble: 'bad-input',
    });
  });

  it.each([
    [['anna', '@gmail.com'], 'anna@gmail.com'],
    // The beginning of an ending is replaced by a whole ending; another ending follows it.
    [['anna', '@', '@gmail.com'], 'anna@gmail.com'],
    [['anna', '@gm', '@gmail.com'], 'anna@gmail.com'],
    [['anna@daemi', '.is'], 'anna@daemi.is'],
  ])('is written with %j as %s', (keys, typed) => {
    const presses = keys.map((character): KioskAction => ({ type: 'key', character }));
    expect(after(...toMail, ...presses).screen).toMatchObject({ at: 'mail', typed });
  });

  it('is sent once, and the last word follows', () => {
    const sending = after(...toMail, ...address('anna@daemi.is'), { type: 'send' });
    expect(sending.screen).toMatchObject({ sending: true });
    expect(nextState(sending, { type: 'key', character: 'x' })).toBe(sending);
    expect(nextState(sending, { type: 'mail-taken' }).screen).toMatchObject({ at: 'leave', mailed: true });
  });
});

describe('a price that is of another car', () => {
  const notMine: KioskAction = { type: 'not-this-car' };

  it('leads back to the plate that was typed', () => {
    expect(after(...toDue, notMine).screen).toMatchObject({ at: 'plate', typed: 'MKJ', found: null });
  });

  it('leads back to the choice that was made', () => {
    const visits = [VISIT, { ...VISIT, id: PAYMENT.id }];
    const choosing = [...typing('mkj'), { type: 'find' } as const, found('MKJ', visits)];
    const state = after(...choosing, { type: 'pick', visit: VISIT }, { type: 'due', due: DUE }, notMine);
    expect(state.screen).toMatchObject({ at: 'choose', found: { visits } });
  });

  it('leads back to the question of the exit, which opens for “not mine”', () => {
    const doubtful: KioskVisit = { ...VISIT, plate: '•••••', doubtful: true };
    const question = [...typing('bte97'), { type: 'find' } as const, found('BTE97', [doubtful])];
    const state = after(...question, { type: 'pick', visit: doubtful }, { type: 'due', due: DUE }, notMine);
    expect(state.screen).toMatchObject({ at: 'question', visit: doubtful });
    expect(nextState(state, { type: 'not-mine' }).screen).toMatchObject({ sending: true });
  });

  it('leads back to the pictures', () => {
    const time = { day: '2026-11-21', hours: [8] };
    const browsing: KioskAction[] = [
      { type: 'browse' },
      { type: 'entry-time', time },
      { type: 'entries', time, visits: [VISIT] },
    ];
    const state = after(...browsing, { type: 'pick', visit: VISIT }, { type: 'due', due: DUE }, notMine);
    expect(state.screen).toMatchObject({ at: 'browse', time, visits: [VISIT] });
  });
});

describe('the language', () => {
  const site = (language: Language): KioskAction => ({ type: 'site', site: { ...SITE, language } });

  it('is the site’s until a person chooses another one', () => {
    expect(after(site('da')).language).toBe('da');
    expect(after(site('da'), site('de')).language).toBe('de');
    expect(after(site('da'), { type: 'language', language: 'pl' }, site('da')).language).toBe('pl');
    expect(after(site('da'), { type: 'begin' }, site('de')).language).toBe('da');
  });

  it('is the site’s again when a driver has left', () => {
    const polish = after(site('da'), { type: 'language', language: 'pl' }, ...toDue);
    expect(nextState(polish, { type: 'start-over' }).language).toBe('pl');
    expect(nextState(polish, { type: 'idle-over' }).language).toBe('da');
  });
});

describe('the next person', () => {
  it('finds nothing of who was there, and the first language', () => {
    const left = after({ type: 'language', language: 'en' }, ...toPay, { type: 'help', open: true });
    expect(nextState(left, { type: 'idle-over' })).toEqual(firstState());
  });

  it('does not end a call for help that rings or is accepted by standing still', () => {
    const wanted = '01980000-0000-7000-8000-000000000001';
    const called = after(...toDue, { type: 'help', open: true }, { type: 'call', wanted });
    expect(called.call).toMatchObject({ state: 'calling' });
    const heard = (state: 'accepted' | 'closed' | 'unreached') =>
      nextState(called, { type: 'call-state', wanted, state, name: 'Anna' });
    for (const open of [called, heard('accepted')]) {
      expect(nextState(open, { type: 'idle-over' })).toBe(open);
      const closed = nextState(open, { type: 'help', open: false });
      expect(closed).toMatchObject({ helping: false, call: { wanted } });
      expect(nextState(closed, { type: 'idle-over' })).toBe(closed);
      expect(nextState(closed, { type: 'start-over' }).call).toMatchObject({ wanted });
    }
    for (const over of [heard('closed'), heard('unreached')]) {
      expect(nextState(over, { type: 'idle-over' })).toEqual(firstState());
    }
    expect(nextState(called, { type: 'call-state', wanted: 'old', state: 'closed', name: null })).toBe(
      called,
    );
  });

  it('reads letters of the ordinary size again', () => {
    const large = after({ type: 'large-text', large: true }, ...toDue);
    expect(large.largeText).toBe(true);
    expect(nextState(large, { type: 'idle-over' }).largeText).toBe(false);
  });

  it('keeps the language where the same driver starts over', () => {
    const over = after({ type: 'language', language: 'en' }, ...toDue, { type: 'start-over' });
    expect(over).toMatchObject({ language: 'en', screen: { at: 'start' }, trail: [] });
  });

  it('changes the language anywhere without losing anything', () => {
    const before = after(...toDue);
    expect(nextState(before, { type: 'language', language: 'en' })).toEqual({ ...before, language: 'en' });
  });
});
