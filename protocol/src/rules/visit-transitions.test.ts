import { describe, expect, it } from 'vitest';
import type { Decision, VisitEffect } from '../records/decision.ts';
import { type Visit, VisitSchema } from '../records/visit.ts';
import type { Price } from '../tariff/price-visit.ts';
import {
  type Arrival,
  allocateQuota,
  asksTheSame,
  beginVisit,
  changePlate,
  changesToClear,
  type Decided,
  type Departure,
  decidedChanges,
  departedVisit,
  markExitMissed,
  pricedAt,
  releaseQuota,
  requestPayment,
  statusAfter,
  visitChange,
  visitStep,
} from './visit-transitions.ts';

const ENTERED = '2026-11-21T08:00:00.000Z';
const NOW = '2026-11-21T10:00:00.000Z';
const VISIT_ID = '01a1fc93-bdd6-7682-9b18-8dd0566e2420';
const READ_ID = '01a1fc93-bdd6-7682-9b18-8dd0566e2421';
const NEW_ID = '01a1fc93-bdd6-7682-9b18-8dd0566e2423';
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
    inside: null,
    price: price(500),
    quota: null,
    permitId: null,
    ...more,
  };
}
const ASK: VisitEffect = { kind: 'ask', visitId: VISIT_ID };
const end = (settled: boolean): VisitEffect => ({ kind: 'end', visitId: VISIT_ID, settled });

const AT_EXIT = { laneId: 'out-1', readId: EXIT_READ_ID, plate: 'AB123' };
const changesOf = (what: Decided, passed = false) =>
  decidedChanges(what, AT_EXIT, NOW, { passed, id: NEW_ID });

describe('the changes that follow from a decision', () => {
  it('are none where nothing was decided of a visit, or it was not found', () => {
    const none = { changes: [], visitId: null };
    expect(changesOf(decided({ kind: 'none' }))).toEqual(none);
    expect(changesOf(decided(ASK, { leaving: null }))).toEqual(none);
    expect(changesOf(decided(end(true), { leaving: null }))).toEqual(none);
  });

  it('begin a visit of the plate that was read, by the lane and for its reason', () => {
    const effect: VisitEffect = { kind: 'start', status: 'need-plate', lostExitOf: null };
    const what = decided(effect, { leaving: null, permitId: 'p1' }, { reason: 'need-plate' });
    const passage = { ...AT_EXIT, laneId: 'in-1', plate: null };
    expect(decidedChanges(what, passage, NOW, { passed: false, id: NEW_ID })).toMatchObject({
      changes: [
        {
          type: 'visit.opened',
          before: null,
          after: { id: NEW_ID, plate: null, status: 'need-plate', entryLaneId: 'in-1', permitId: 'p1' },
          context: { at: NOW, by: 'lane:in-1', reason: 'need-plate' },
        },
      ],
      visitId: NEW_ID,
    });
  });

  it('end the visit of the same plate that was inside, before another one begins', () => {
    const inside = begun();
    const effect: VisitEffect = { kind: 'start', status: 'new', lostExitOf: VISIT_ID };
    const { changes, visitId } = changesOf(decided(effect, { leaving: null, inside }));
    const lost = { ...inside, endedAt: NOW, flags: ['lost-exit'] };
    expect(changes).toMatchObject([
      { type: 'visit.ended', before: inside, after: lost, context: { reason: 'lost-exit' } },
      { type: 'visit.opened', before: null, after: { id: NEW_ID, plate: 'AB123' } },
    ]);
    expect(visitId).toBe(NEW_ID);
    expect(changesToClear(inside, VISIT_ID, context)).toEqual([]);
    expect(changesToClear(undefined, VISIT_ID, context)).toEqual([]);
  });

  it('ask once for one amount', () => {
    const demand = { price: price(500), quota: null, flags: [] };
    expect(changesOf(decided(ASK))).toEqual({
      changes: [visitChange(begun(), requestPayment(begun(), demand, context), context)],
      visitId: VISIT_ID,
    });
    const asked = begun({ status: 'need-payment', price: pricedAt(price(500), NOW) });
    const leaving = { visit: asked, foundBy: 'equal' as const };
    expect(changesOf(decided(ASK, { leaving }))).toEqual({ changes: [], visitId: VISIT_ID });
    expect(changesOf(decided(ASK, { leaving, price: price(1000) })).changes).toHaveLength(1);
    expect(changesOf(decided(ASK, { leaving, quota: { id: 'q1', units: 1 } })).changes).toHaveLength(1);
    const paid = { visit: { ...asked, status: 'new' as const }, foundBy: 'equal' as const };
    expect(changesOf(decided(ASK, { leaving: paid })).changes).toHaveLength(1);
  });

  it('end the visit of a vehicle that has passed already unsettled, with its debt', () => {
    const left = { status: 'need-payment', price: { amountMinor: 500 }, exitFoundBy: 'equal' };
    expect(changesOf(decided(ASK), true)).toMatchObject({
      changes: [{ type: 'visit.ended', after: { ...left, exitLaneId: 'out-1', endedAt: NOW } }],
      visitId: VISIT_ID,
    });
  });

  it.each([
    [true, null, 0],
    [true, 'whitelisted', 0],
    [true, 'company-invoice', 500],
    [true, 'owner-invoice', 500],
    [false, null, 500],
  ] as const)('settled %s by %s: owe %d', (settled, settlement, due) => {
    const after = {
      status: settled ? 'completed' : 'need-payment',
      paymentStatus: settlement,
      price: { amountMinor: due },
    };
    expect(changesOf(decided(end(settled), {}, { settlement })).changes).toMatchObject([{ after }]);
  });

  it('flag a visit only once if its car may have left', () => {
    const what = decided({ kind: 'review', visitId: VISIT_ID }, {}, { open: true, flags: ['near-exit'] });
    const { changes, visitId } = changesOf(what);
    expect(changes).toMatchObject([{ type: 'visit.updated', after: { ...begun(), flags: ['near-exit'] } }]);
    expect(visitId).toBeNull();
    const flagged = { visit: begun({ flags: ['near-exit'] }), foundBy: 'near' } as const;
    expect(changesOf({ ...what, leaving: flagged })).toEqual({ changes: [], visitId: null });
  });

  it('have no price where the site has none', () => {
    expect(changesOf(decided(end(true), { price: null })).changes).toMatchObject([
      { after: { price: null } },
    ]);
  });

  it('end a visit once', () => {
    const ended = begun({ endedAt: NOW });
    expect(visitChange(ended, ended, context).type).toBe('visit.updated');
    expect(visitChange(ended, begun(), context).type).toBe('visit.updated');
    expect(visitChange(null, ended, context).type).toBe('visit.opened');
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
