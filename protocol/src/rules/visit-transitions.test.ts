import { describe, expect, it } from 'vitest';
import type { Decision, VisitEffect } from '../records/decision.ts';
import { type Visit, VisitSchema } from '../records/visit.ts';
import type { Price } from '../tariff/price-visit.ts';
import {
  type Arrival,
  actionChanges,
  allocateQuota,
  asksTheSame,
  beginVisit,
  changePlate,
  changesToClear,
  type Decided,
  type Departure,
  departedVisit,
  markExitMissed,
  plateComingIn,
  pricedAt,
  releaseQuota,
  requestPayment,
  statusAfter,
  type VisitAction,
  visitAction,
  visitChange,
  visitStep,
} from './visit-transitions.ts';

const ENTERED = '2026-11-21T08:00:00.000Z';
const NOW = '2026-11-21T10:00:00.000Z';
const VISIT_ID = '01a1fc93-bdd6-7682-9b18-8dd0566e2420';
const READ_ID = '01a1fc93-bdd6-7682-9b18-8dd0566e2421';
const EXIT_READ_ID = '01a1fc93-bdd6-7682-9b18-8dd0566e2422';

const ARRIVAL: Arrival = {
  plate: 'AB123',
  status: 'new',
  laneId: 'in-1',
  readId: READ_ID,
  flags: [],
  permitId: null,
  quota: null,
};
const context = { at: NOW, by: 'lane:out-1', reason: 'need-payment' };

const begun = (more: Partial<Visit> = {}): Visit => ({
  ...beginVisit(VISIT_ID, ARRIVAL, { at: ENTERED, by: 'lane:in-1', reason: 'welcome' }),
  ...more,
});
const price = (amountMinor: number): Price => ({
  amountMinor,
  currency: 'ISK',
  units: amountMinor / 500,
  lines: amountMinor === 0 ? [] : [{ rule: 'unit', units: amountMinor / 500, amountMinor }],
  product: { id: 'day', version: 1 },
});

function decided(visit: VisitEffect, more: Partial<Decided> = {}, messages: Partial<Decision> = {}): Decided {
  return {
    decision: { open: false, reason: 'need-payment', visit, settlement: null, flags: [], ...messages },
    leaving: { visit: begun(), foundBy: 'equal' },
    price: price(500),
    quota: null,
    permitId: null,
    ...more,
  };
}
const ASK: VisitEffect = { kind: 'ask', visitId: VISIT_ID };
const end = (settled: boolean): VisitEffect => ({ kind: 'end', visitId: VISIT_ID, settled });

const AT_EXIT = { laneId: 'out-1', readId: EXIT_READ_ID, plate: 'AB123' };
const turnOf = (what: Decided, passed = false) => visitAction(what, AT_EXIT, NOW, passed);

describe('visitAction', () => {
  it('does nothing where nothing was decided of a visit', () => {
    expect(turnOf(decided({ kind: 'none' }))).toEqual({ kind: 'none' });
  });

  it('does nothing to a visit that was not found', () => {
    expect(turnOf(decided(ASK, { leaving: null }))).toEqual({ kind: 'none' });
    expect(turnOf(decided(end(true), { leaving: null }))).toEqual({ kind: 'none' });
  });

  it('begins a visit of the plate that was read, by the lane and for its reason', () => {
    const effect: VisitEffect = { kind: 'start', status: 'need-plate', lostExitOf: null };
    const what = decided(effect, { leaving: null, permitId: 'p1' }, { reason: 'need-plate' });
    expect(visitAction(what, { ...AT_EXIT, laneId: 'in-1', plate: null }, NOW, false)).toMatchObject({
      kind: 'begin',
      arrival: { plate: null, status: 'need-plate', laneId: 'in-1', readId: EXIT_READ_ID, permitId: 'p1' },
      context: { at: NOW, by: 'lane:in-1', reason: 'need-plate' },
    });
  });

  it('asks once for one amount', () => {
    const turn = turnOf(decided(ASK));
    expect(turn).toMatchObject({ kind: 'ask', demand: { price: { amountMinor: 500 } } });
    const asked = begun({ status: 'need-payment', price: pricedAt(price(500), NOW) });
    const leaving = { visit: asked, foundBy: 'equal' as const };
    expect(turnOf(decided(ASK, { leaving })).kind).toBe('asked');
    expect(turnOf(decided(ASK, { leaving, price: price(1000) })).kind).toBe('ask');
    expect(turnOf(decided(ASK, { leaving, quota: { id: 'q1', units: 1 } })).kind).toBe('ask');
    const paid = { visit: { ...asked, status: 'new' as const }, foundBy: 'equal' as const };
    expect(turnOf(decided(ASK, { leaving: paid })).kind).toBe('ask');
  });

  it('ends the visit of a vehicle that has passed already unsettled, with its debt', () => {
    expect(turnOf(decided(ASK), true)).toMatchObject({
      kind: 'leave',
      departure: { settled: false, price: { amountMinor: 500 }, foundBy: 'equal', laneId: 'out-1' },
    });
  });

  it.each([
    [true, null, 0],
    [true, 'whitelisted', 0],
    [true, 'company-invoice', 500],
    [true, 'owner-invoice', 500],
    [false, null, 500],
  ] as const)('settled %s by %s: owes %d', (settled, settlement, due) => {
    expect(turnOf(decided(end(settled), {}, { settlement }))).toMatchObject({
      kind: 'leave',
      departure: { settled, settlement, price: { amountMinor: due } },
    });
  });

  it('flags a visit only once if its car may have left', () => {
    const what = decided({ kind: 'review', visitId: VISIT_ID }, {}, { open: true, flags: ['near-exit'] });
    const turn = turnOf(what);
    expect(turn).toMatchObject({ kind: 'review', visit: { id: VISIT_ID }, flags: ['near-exit'] });
    const { changes, visitId } = actionChanges(turn, { id: VISIT_ID, inside: null });
    expect(changes).toMatchObject([{ type: 'visit.updated', after: { ...begun(), flags: ['near-exit'] } }]);
    expect(visitId).toBeNull();
    const flagged = { visit: begun({ flags: ['near-exit'] }), foundBy: 'near' } as const;
    const again = turnOf({ ...what, leaving: flagged });
    expect(actionChanges(again, { id: VISIT_ID, inside: null }).changes).toEqual([]);
  });

  it('leaves without a price where the site has none', () => {
    expect(turnOf(decided(end(true), { price: null }))).toMatchObject({ departure: { price: null } });
  });
});

describe('the course of a visit', () => {
  const departure: Departure = {
    laneId: 'out-1',
    readId: EXIT_READ_ID,
    foundBy: 'near',
    settlement: 'whitelisted',
    settled: true,
    flags: ['uncertain-plate'],
    price: price(0),
    quota: { id: 'q1', units: 2 },
    permitId: 'p1',
  };

  it('begins open, and as the schema has it', () => {
    const visit = beginVisit(
      VISIT_ID,
      { ...ARRIVAL, flags: ['uncertain-permit'] },
      { ...context, at: ENTERED },
    );
    expect(VisitSchema.parse(visit)).toEqual(visit);
    expect(visit).toMatchObject({ startedAt: ENTERED, endedAt: null, entryLaneId: 'in-1', price: null });
    expect(visit.flags).toEqual(['uncertain-permit']);
    expect(visitStep(null, visit, context)).toEqual({ from: null, to: 'new', ...context });
  });

  it('is asked to pay: priced now, each flag once', () => {
    const demand = { price: price(500), quota: null, flags: ['uncertain-plate', 'quota-exceeded'] as const };
    const visit = requestPayment(
      begun({ flags: ['uncertain-plate'] }),
      { ...demand, flags: [...demand.flags] },
      context,
    );
    expect(visit).toMatchObject({ status: 'need-payment', endedAt: null, price: { pricedAt: NOW } });
    expect(visit.flags).toEqual(['uncertain-plate', 'quota-exceeded']);
    expect(visit.price).not.toHaveProperty('units');
  });

  it('departs settled: completed, by its lane, on the permit of the exit', () => {
    const visit = departedVisit(begun(), departure, context);
    expect(VisitSchema.parse(visit)).toEqual(visit);
    expect(visit).toMatchObject({
      status: 'completed',
      paymentStatus: 'whitelisted',
      endedAt: NOW,
      permitId: 'p1',
      exitLaneId: 'out-1',
      exitReadId: EXIT_READ_ID,
      exitFoundBy: 'near',
      quota: { units: 2 },
    });
  });

  it('departs unsettled: its bill waits, and what is known of it stays', () => {
    const asked = begun({ price: pricedAt(price(500), ENTERED), permitId: 'p0', paymentStatus: 'failed' });
    const more = { settled: false, settlement: null, price: null, permitId: null };
    expect(departedVisit(asked, { ...departure, ...more }, context)).toMatchObject({
      status: 'need-payment',
      paymentStatus: 'failed',
      endedAt: NOW,
      permitId: 'p0',
      price: { amountMinor: 500, pricedAt: ENTERED },
    });
  });

  it('is lost: it ends unbilled, in the status that it had', () => {
    expect(markExitMissed(begun(), context)).toEqual(begun({ endedAt: NOW, flags: ['lost-exit'] }));
  });

  it('has another plate: no more unreadable, and only then of another status', () => {
    const unread = begun({
      plate: null,
      status: 'need-plate',
      flags: ['unreadable-plate', 'uncertain-permit'],
    });
    expect(changePlate(unread, 'XY999', null)).toMatchObject({
      plate: 'XY999',
      status: 'new',
      flags: ['uncertain-permit'],
    });
    expect(changePlate(begun({ status: 'need-payment' }), 'XY999', null).status).toBe('need-payment');
  });

  it('stays what it is where the rules forbid the move', () => {
    expect(statusAfter({ status: 'completed' }, 'asked-to-leave')).toBe('completed');
    expect(statusAfter({ status: 'need-plate' }, 'plate-given')).toBe('new');
  });
});

describe('what it draws on', () => {
  it('is what the quota meets, or what was given back', () => {
    expect(allocateQuota('q1', 2, null)).toEqual({ id: 'q1', units: 2 });
    expect(allocateQuota('q1', 0, null)).toBeNull();
    expect(allocateQuota(null, 2, { id: 'q0', units: 1 })).toEqual({ id: 'q0', units: 0 });
    expect(allocateQuota('q1', 0, { id: 'q0', units: 1 })).toEqual({ id: 'q0', units: 0 });
    expect(releaseQuota(null)).toBeNull();
  });
});

describe('the changes of a turn', () => {
  const arrival: VisitAction = { kind: 'begin', arrival: ARRIVAL, context };
  const other = begun({ id: READ_ID });
  const changesOf = (turn: VisitAction, inside: Visit | null = null) =>
    actionChanges(turn, { id: VISIT_ID, inside });

  it('are none where nothing happens, or nothing new', () => {
    expect(changesOf({ kind: 'none' })).toEqual({ changes: [], visitId: null });
    expect(changesOf({ kind: 'asked', visit: other })).toEqual({ changes: [], visitId: READ_ID });
  });

  it('begin a visit, after the one of the same plate that was inside', () => {
    const opened = {
      type: 'visit.opened',
      before: null,
      after: beginVisit(VISIT_ID, ARRIVAL, context),
      context,
    };
    expect(changesOf(arrival)).toEqual({ changes: [opened], visitId: VISIT_ID });
    const lost = { ...other, endedAt: NOW, flags: ['lost-exit'] };
    expect(changesOf(arrival, other)).toEqual({
      changes: [
        { type: 'visit.ended', before: other, after: lost, context: { ...context, reason: 'lost-exit' } },
        opened,
      ],
      visitId: VISIT_ID,
    });
    expect(changesToClear(begun(), VISIT_ID, context)).toEqual([]);
    expect(changesToClear(undefined, VISIT_ID, context)).toEqual([]);
  });

  it('ask, review or end the visit that leaves', () => {
    const demand = { price: price(500), quota: null, flags: [] };
    expect(changesOf({ kind: 'ask', visit: other, demand, context })).toEqual({
      changes: [
        { type: 'visit.updated', before: other, after: requestPayment(other, demand, context), context },
      ],
      visitId: READ_ID,
    });
    const departure: Departure = {
      laneId: 'out-1',
      readId: EXIT_READ_ID,
      foundBy: 'equal',
      settlement: null,
      settled: true,
      flags: [],
      price: null,
      quota: null,
      permitId: null,
    };
    expect(changesOf({ kind: 'leave', visit: other, departure, context })).toEqual({
      changes: [
        { type: 'visit.ended', before: other, after: departedVisit(other, departure, context), context },
      ],
      visitId: READ_ID,
    });
  });

  it('end a visit once', () => {
    const ended = begun({ endedAt: NOW });
    expect(visitChange(ended, ended, context).type).toBe('visit.updated');
    expect(visitChange(ended, begun(), context).type).toBe('visit.updated');
    expect(visitChange(null, ended, context).type).toBe('visit.opened');
  });

  it('let in the plate that came', () => {
    expect(plateComingIn(arrival)).toBe('AB123');
    expect(plateComingIn({ kind: 'asked', visit: other })).toBeNull();
  });
});

it('a car without a price is asked once, too', () => {
  const demand = { price: null, quota: null };
  const asked = begun({ status: 'need-payment' });
  expect(asksTheSame(asked, { ...demand, flags: [] })).toBe(true);
  expect(asksTheSame(asked, { ...demand, price: price(500), flags: [] })).toBe(false);
  expect(asksTheSame({ ...asked, price: pricedAt(price(500), NOW) }, { ...demand, flags: [] })).toBe(false);
});

it('a departure by its own plate, and no other, clears the doubt of an earlier exit', () => {
  const near = begun({ flags: ['near-exit', 'lost-exit'] });
  const flagsAfter = (foundBy: Departure['foundBy']) =>
    departedVisit(
      near,
      {
        laneId: 'out-1',
        readId: EXIT_READ_ID,
        foundBy,
        settlement: null,
        settled: true,
        flags: [],
        price: null,
        quota: null,
        permitId: null,
      },
      context,
    ).flags;
  expect(flagsAfter('equal')).toEqual(['lost-exit']);
  expect(flagsAfter('confusable')).toEqual(['near-exit', 'lost-exit']);
  expect(flagsAfter('near')).toEqual(['near-exit', 'lost-exit']);
});
