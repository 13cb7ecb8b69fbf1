import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { millis, utcTime } from '../base/utc-time.ts';
import {
  asPassed,
  cameAfter,
  decideExit,
  decideLateExit,
  decideUnread,
  type ExitFacts,
  hasJustEnded,
  type VisitAtExit,
} from '../records/decision.ts';
import { SiteSettingsSchema } from '../records/lane.ts';
import type { Price } from '../tariff/price-visit.ts';

const NOW = '2026-11-21T08:30:00.000Z';
const at = (ms: number) => utcTime(millis(NOW) + ms);
const price = (amountMinor: number): Price => ({
  amountMinor,
  currency: 'ISK',
  units: amountMinor / 500,
  lines: [],
  product: { id: 'day', version: 1 },
});
const visit = (changes: Partial<VisitAtExit> = {}): VisitAtExit => ({
  id: 'visit-1',
  foundBy: 'equal',
  startedAt: at(-3 * HOUR_MS),
  paidUntil: null,
  unitsMet: 0,
  quotaUnits: 0,
  ...changes,
});
const facts = (changes: Partial<ExitFacts> = {}): ExitFacts => ({
  at: NOW,
  settings: SiteSettingsSchema.parse({}),
  score: 0.95,
  visit: visit(),
  permit: null,
  quotaUnitsFree: 0,
  price: price(500),
  billing: null,
  ...changes,
});
const permit: ExitFacts['permit'] = {
  foundBy: 'equal',
  permit: {
    id: 'permit-1',
    plate: 'AB123',
    effect: 'allow',
    type: 'permanent',
    visitId: null,
    activeFrom: null,
    expireAt: null,
    status: 'active',
    rules: [],
  },
};

describe('an exit that is reported late', () => {
  it.each([
    ['owes', {}, false, null, undefined],
    ['owes, and would be invoiced', { billing: 'monthly' }, false, null, undefined],
    ['owes nothing', { price: price(0) }, true, null, undefined],
    ['has a permit', { permit, price: price(0) }, true, 'whitelisted', undefined],
    ['owes more than its quota gave', { quotaUnitsFree: 5 }, false, null, undefined],
    ['owes what its quota gave', { visit: visit({ quotaUnits: 1 }), quotaUnitsFree: 5 }, true, null, 1],
    ['is within its exit grace', { visit: visit({ unitsMet: 1, paidUntil: NOW }) }, true, null, undefined],
  ] as const)('of a visit that %s', (_what, changes, settled, settlement, quotaUnits) => {
    const decision = decideLateExit(facts(changes));
    expect(decision).toMatchObject({
      open: true,
      reason: 'late-exit',
      settlement,
      flags: ['late-exit'],
      visit: { kind: 'end', visitId: 'visit-1', settled },
    });
    expect(decision.quotaUnits).toBe(quotaUnits);
  });

  it.each(['confusable', 'near'] as const)(
    'is flagged as uncertain too if it was found by a %s plate',
    (foundBy) => {
      const decision = decideLateExit(facts({ visit: visit({ foundBy }), score: 0.99 }));
      expect(decision).toMatchObject({ open: true, flags: ['uncertain-plate', 'late-exit'] });
      expect(decision.visit).toEqual({ kind: 'end', visitId: 'visit-1', settled: false });
    },
  );

  it('keeps the flags of the permit', () => {
    const lookalike = { ...permit, foundBy: 'confusable' as const };
    const { flags } = decideLateExit(facts({ permit: lookalike, price: price(0) }));
    expect(flags).toEqual(['uncertain-permit', 'late-exit']);
  });

  it.each([null, 'ambiguous'] as const)('changes no visit where none fits (%s)', (found) => {
    const closed = SiteSettingsSchema.parse({ opensUnmatchedExit: false });
    expect(decideLateExit(facts({ visit: found, settings: closed }))).toEqual({
      open: true,
      reason: 'late-exit',
      visit: { kind: 'none' },
      settlement: null,
      flags: [],
    });
  });
});

describe('a visit that has just ended', () => {
  const settings = { exitGraceMinutes: 15 };
  const ended = (endedAt: string | null, paidUntil: string | null = null) =>
    hasJustEnded({ endedAt, paidUntil }, settings, NOW);

  it.each([
    ['open', null, null, false],
    ['open, and paid', null, at(HOUR_MS), false],
    ['ended now', NOW, null, true],
    ['ended in the future', at(1), null, false],
    ['ended in the future, and paid', at(1), at(HOUR_MS), false],
    ['ended as long ago as the exit grace', at(-15 * MINUTE_MS), null, true],
    ['ended before that', at(-15 * MINUTE_MS - 1), null, false],
    ['ended before that, and paid until now', at(-HOUR_MS), NOW, true],
    ['ended before that, and paid until a moment ago', at(-HOUR_MS), at(-1), false],
  ])('%s', (_what, endedAt, paidUntil, expected) => {
    expect(ended(endedAt, paidUntil)).toBe(expected);
  });

  it('opens the exit, for any camera and any rule of the site for unknown vehicles', () => {
    const settings = SiteSettingsSchema.parse({ opensUnmatchedExit: false });
    const left = facts({ visit: null, price: null, justEnded: true, settings });
    expect(decideExit(left)).toMatchObject({ open: true, reason: 'visit-ended', visit: { kind: 'none' } });
    expect(decideUnread(left)).toMatchObject({ open: true, reason: 'unread-vehicle' });
  });

  it('comes before one that started after it, and before no other', () => {
    expect(cameAfter({ startedAt: at(1) }, { endedAt: NOW })).toBe(true);
    expect(cameAfter({ startedAt: NOW }, { endedAt: NOW })).toBe(false);
    expect(cameAfter({ startedAt: NOW }, { endedAt: null })).toBe(false);
  });
});

it('records a vehicle that passed an open gate as open, and as unpaid where it owed', () => {
  const owed = decideExit(facts());
  expect(owed).toMatchObject({ open: false, reason: 'need-payment' });
  expect(asPassed(owed)).toEqual({ ...owed, open: true, reason: 'left-unpaid' });
  const settings = SiteSettingsSchema.parse({ opensUnmatchedExit: false });
  const unknown = decideExit(facts({ visit: null, settings }));
  expect(asPassed(unknown)).toEqual({ ...unknown, open: true, reason: 'no-visit' });
});

describe('a stay whose due is not certain, as the clock was set', () => {
  const leaves = { kind: 'end', visitId: 'visit-1' };
  const uncertain = (changes: Partial<VisitAtExit> = {}, more: Partial<ExitFacts> = {}) =>
    decideExit(facts({ visit: visit({ clockSet: true, ...changes }), ...more }));

  it('opens the exit, and leaves the bill to a person', () => {
    const waits = { open: true, reason: 'stay-uncertain', visit: { ...leaves, settled: false } };
    expect(uncertain()).toMatchObject({ ...waits, settlement: null });
    expect(uncertain({}, { billing: 'monthly' })).toMatchObject({ ...waits, settlement: null });
    expect(uncertain({}, { quotaUnitsFree: 5 }).quotaUnits).toBeUndefined();
  });

  it.each([
    ['it owes nothing', {}, { price: price(0) }, 'nothing-due'],
    ['it turned round', { startedAt: at(-MINUTE_MS) }, {}, 'nothing-due'],
    ['it has just paid', { paidUntil: NOW }, {}, 'paid'],
    ['it has paid all', { unitsMet: 1 }, { price: { ...price(0), units: 1 } }, 'paid'],
    ['a permit covers it', {}, { permit, price: price(0) }, 'whitelisted'],
  ] as const)('is settled as any other where %s', (_what, changes, more, reason) => {
    expect(uncertain(changes, more)).toMatchObject({ reason, visit: { ...leaves, settled: true } });
  });
});

it('counts money that was paid for no unit as a payment', () => {
  const paid = visit({ paidMinor: 500 });
  expect(decideExit(facts({ visit: paid, price: { ...price(0), units: 1 } })).reason).toBe('paid');
  expect(decideExit(facts({ visit: paid, price: price(0), permit })).settlement).toBeNull();
});

it('ends a visit by a near plate that was surely read, where it owes nothing', () => {
  const near = (changes: Partial<VisitAtExit>, more: Partial<ExitFacts> = {}) =>
    decideExit(facts({ visit: visit({ foundBy: 'near', ...changes }), ...more }));
  const ends = { open: true, visit: { kind: 'end', visitId: 'visit-1', settled: true } };
  expect(near({ startedAt: at(-MINUTE_MS) })).toMatchObject({ ...ends, reason: 'nothing-due' });
  const paidOff = { price: { ...price(0), units: 1 } };
  expect(near({ unitsMet: 1 }, paidOff)).toMatchObject({ ...ends, reason: 'paid' });
  expect(near({ paidUntil: NOW })).toMatchObject({ ...ends, reason: 'paid' });
});

it('a vehicle that is not read well keeps the visit that it is known by', () => {
  expect(decideUnread(facts())).toMatchObject({
    open: false,
    reason: 'need-payment',
    flags: ['uncertain-plate'],
    visit: { kind: 'ask', visitId: 'visit-1', doubtful: true },
  });
  expect(decideUnread(facts({ price: price(0) }))).toMatchObject({
    open: true,
    reason: 'unread-vehicle',
    flags: ['uncertain-plate'],
    visit: { kind: 'end', visitId: 'visit-1', settled: true },
  });
});
