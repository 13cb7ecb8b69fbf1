import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS } from '../base/durations.ts';
import { millis, utcTime } from '../base/utc-time.ts';
import type { Price } from '../tariff/price-visit.ts';
import { DISPLAY_WORDS } from '../words/display/display-words.ts';
import {
  type Decision,
  DecisionSchema,
  decideEntry,
  decideExit,
  decideNotMine,
  decideUnread,
  type EntryFacts,
  type ExitFacts,
  type PermitMatch,
  type VisitAtExit,
  visitInDoubt,
} from './decision.ts';
import { type SiteSettings, SiteSettingsSchema } from './lane.ts';

const NOW = '2026-11-21T08:30:00.000Z';
const before = (ms: number) => utcTime(millis(NOW) - ms);

const settings = (changes: Partial<SiteSettings> = {}) => SiteSettingsSchema.parse(changes);

const permit = (foundBy: PermitMatch['foundBy'] = 'equal'): PermitMatch => ({
  foundBy,
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
});

const entry = (changes: Partial<EntryFacts> = {}): Decision =>
  decideEntry({
    plate: 'AB123',
    settings: settings(),
    blocked: null,
    permit: null,
    full: false,
    insideVisitId: null,
    quotaUnitsFree: 0,
    ...changes,
  });

const price = (units: number, unitsMet = 0, priceMinor = 500): Price => ({
  amountMinor: Math.max(0, units - unitsMet) * priceMinor,
  currency: 'ISK',
  units,
  lines: [],
  product: { id: 'product-1', version: 1 },
});

const visit = (changes: Partial<VisitAtExit> = {}): VisitAtExit => ({
  id: 'visit-1',
  foundBy: 'equal',
  startedAt: before(3 * HOUR_MS),
  paidUntil: null,
  unitsMet: 0,
  quotaUnits: 0,
  ...changes,
});

const exit = (changes: Partial<ExitFacts> = {}): Decision =>
  decideExit({
    at: NOW,
    settings: settings(),
    score: 0.95,
    visit: visit(),
    permit: null,
    quotaUnitsFree: 0,
    price: price(1),
    billing: null,
    ...changes,
  });

const start = { kind: 'start', status: 'new', lostExitOf: null };
const leaves = { kind: 'end', visitId: 'visit-1', settled: true };

describe('at an entrance', () => {
  it('welcomes a visitor', () => {
    expect(entry()).toEqual({ open: true, reason: 'welcome', visit: start, settlement: null, flags: [] });
  });

  it('need-plate: opens to an unreadable plate, unless the site would not', () => {
    expect(entry({ plate: null })).toEqual({
      open: true,
      reason: 'need-plate',
      visit: { kind: 'start', status: 'need-plate', lostExitOf: null },
      settlement: null,
      flags: ['unreadable-plate'],
    });
    expect(entry({ plate: null, settings: settings({ opensUnreadable: false }) })).toEqual({
      open: false,
      reason: 'need-plate',
      visit: { kind: 'none' },
      settlement: null,
      flags: [],
    });
  });

  it('blocklisted: stays closed, permit or not', () => {
    expect(entry({ blocked: 'equal', permit: permit() })).toMatchObject({
      open: false,
      reason: 'blocklisted',
      visit: { kind: 'none' },
    });
  });

  it('only flags a plate that looks like a blocked one', () => {
    const flags = ['blocklist-lookalike'];
    expect(entry({ blocked: 'lookalike' })).toMatchObject({ open: true, reason: 'welcome', flags });
    expect(entry({ blocked: 'lookalike', permit: permit() })).toMatchObject({ reason: 'permit', flags });
  });

  it('permit: opens, even where the site is full and for permits only', () => {
    const strict = settings({ permitsOnly: true });
    expect(entry({ permit: permit(), settings: strict, full: true })).toEqual({
      open: true,
      reason: 'permit',
      visit: start,
      settlement: null,
      flags: [],
    });
  });

  it('says so of a permit that was found by a plate that looks like it', () => {
    expect(entry({ permit: permit('confusable') })).toMatchObject({
      open: true,
      reason: 'permit',
      flags: ['uncertain-permit'],
    });
  });

  it('permits-only: stays closed to a visitor, full or not', () => {
    const strict = settings({ permitsOnly: true });
    expect(entry({ settings: strict, full: true })).toMatchObject({ open: false, reason: 'permits-only' });
  });

  it('full: stays closed', () => {
    expect(entry({ full: true })).toMatchObject({ open: false, reason: 'full', visit: { kind: 'none' } });
  });

  it('begins a new visit of a plate that is inside already', () => {
    const visit = { ...start, lostExitOf: 'visit-0' };
    expect(entry({ insideVisitId: 'visit-0' })).toMatchObject({ open: true, reason: 'welcome', visit });
    expect(entry({ insideVisitId: 'visit-0', permit: permit() })).toMatchObject({ reason: 'permit', visit });
  });

  it('takes a unit of the customer’s quota for a visitor, and none for a permit or a closed gate', () => {
    expect(entry({ quotaUnitsFree: 3 })).toEqual({
      open: true,
      reason: 'welcome',
      visit: start,
      settlement: null,
      flags: [],
      quotaUnits: 1,
    });
    expect(entry({ quotaUnitsFree: 3, permit: permit() }).quotaUnits).toBeUndefined();
    expect(entry({ quotaUnitsFree: 3, full: true }).quotaUnits).toBeUndefined();
    expect(entry({ quotaUnitsFree: 0 }).quotaUnits).toBeUndefined();
  });

  it('asks first whether there is a plate', () => {
    const worst = { plate: null, blocked: 'equal', full: true } as const;
    expect(entry({ ...worst, settings: settings({ permitsOnly: true }) })).toMatchObject({
      reason: 'need-plate',
    });
  });
});

describe('at an exit', () => {
  it('no-visit, ambiguous-visit: opens, unless the site would not', () => {
    const strict = settings({ opensUnmatchedExit: false });
    for (const [found, reason] of [
      [null, 'no-visit'],
      ['ambiguous', 'ambiguous-visit'],
    ] as const) {
      const outcome = { reason, visit: { kind: 'none' }, settlement: null };
      expect(exit({ visit: found, price: null })).toMatchObject({ open: true, ...outcome });
      expect(exit({ visit: found, price: null, settings: strict })).toMatchObject({
        open: false,
        ...outcome,
      });
      expect(exit({ visit: found, settings: strict, permit: permit() })).toMatchObject({
        open: true,
        ...outcome,
      });
    }
  });

  it('whitelisted: a permit that covers all of the stay', () => {
    expect(exit({ permit: permit(), price: price(0) })).toEqual({
      open: true,
      reason: 'whitelisted',
      visit: leaves,
      settlement: 'whitelisted',
      flags: [],
    });
    expect(exit({ permit: permit('confusable'), price: null })).toMatchObject({
      reason: 'whitelisted',
      flags: ['uncertain-permit'],
    });
  });

  it('asks for the time that a permit does not cover', () => {
    expect(exit({ permit: permit(), price: price(1) })).toMatchObject({
      open: false,
      reason: 'need-payment',
    });
  });

  it('leaves a payment a payment, where a permit came after it', () => {
    expect(exit({ permit: permit(), price: price(0), visit: visit({ unitsMet: 1 }) })).toMatchObject({
      open: true,
      reason: 'whitelisted',
      settlement: null,
    });
  });

  it('quota: what the visit took, and what is free, meet all that is due', () => {
    expect(exit({ quotaUnitsFree: 1 })).toEqual({
      open: true,
      reason: 'quota',
      visit: leaves,
      settlement: null,
      flags: [],
      quotaUnits: 1,
    });
    expect(exit({ visit: visit({ quotaUnits: 1 }) })).toMatchObject({ reason: 'quota', quotaUnits: 1 });
    expect(exit({ quotaUnitsFree: 0 })).toMatchObject({ open: false, reason: 'need-payment' });
  });

  it.each([
    // units, paid, taken, free → reason, units of the quota after it
    [3, 0, 1, 2, 'quota', 3],
    [3, 0, 1, 9, 'quota', 3],
    [3, 1, 0, 2, 'quota', 2],
    [3, 1, 1, 1, 'quota', 2],
    [3, 0, 1, 1, 'need-payment', 2],
    [3, 0, 1, 0, 'need-payment', 1],
    [3, 0, 0, 0, 'need-payment', undefined],
    [3, 1, 0, 1, 'need-payment', 1],
    // Paid as well: the unit goes back.
    [2, 2, 1, 5, 'paid', undefined],
    [2, 1, 2, 5, 'quota', 1],
    // The visit owed nothing after all.
    [0, 0, 1, 5, 'nothing-due', undefined],
    [0, 1, 0, 5, 'nothing-due', undefined],
  ])(
    'a stay of %d units, %d paid, %d taken from a quota with %d more: %s, and it has met %s',
    (units, unitsMet, quotaUnits, quotaUnitsFree, reason, met) => {
      const decision = exit({
        visit: visit({ unitsMet, quotaUnits }),
        price: price(units, unitsMet),
        quotaUnitsFree,
      });
      expect(decision).toMatchObject({ reason, open: reason !== 'need-payment' });
      expect(decision.quotaUnits).toBe(met);
    },
  );

  it('gives a unit back where a permit covers the stay, and where the car turned round', () => {
    const taken = { quotaUnits: 1 };
    const covered = exit({ permit: permit(), price: price(0), visit: visit(taken) });
    expect(covered).toMatchObject({ reason: 'whitelisted', settlement: 'whitelisted' });
    expect(covered.quotaUnits).toBeUndefined();
    const turned = exit({ visit: visit({ ...taken, startedAt: before(5 * MINUTE_MS) }) });
    expect(turned.reason).toBe('nothing-due');
    expect(turned.quotaUnits).toBeUndefined();
    const free = exit({ visit: visit(taken), price: price(1, 0, 0) });
    expect(free.reason).toBe('nothing-due');
    expect(free.quotaUnits).toBeUndefined();
  });

  it('takes no more from a quota within the exit grace, and keeps what it took', () => {
    const graced = { price: price(3, 1), quotaUnitsFree: 9 };
    expect(exit({ ...graced, visit: visit({ unitsMet: 1, quotaUnits: 1, paidUntil: NOW }) })).toMatchObject({
      reason: 'paid',
      quotaUnits: 1,
    });
  });

  it('invoices what a quota does not meet', () => {
    const beyond = { visit: visit({ quotaUnits: 1 }), price: price(3), quotaUnitsFree: 1 };
    expect(exit({ ...beyond, billing: 'monthly' })).toMatchObject({
      reason: 'company-invoice',
      settlement: 'company-invoice',
      quotaUnits: 2,
    });
  });

  it('takes nothing more for a plate that is not certain: a person looks at it', () => {
    const uncertain = { flags: ['uncertain-plate'] };
    const near = (quotaUnits: number, units = 2) =>
      exit({
        score: 0.8,
        visit: visit({ foundBy: 'near', quotaUnits }),
        price: price(units),
        quotaUnitsFree: 5,
      });
    expect(near(2)).toMatchObject({ ...uncertain, reason: 'quota', visit: leaves, quotaUnits: 2 });
    const waits = { ...leaves, settled: false };
    expect(near(1)).toMatchObject({ ...uncertain, open: true, reason: 'quota', visit: waits, quotaUnits: 1 });
    expect(near(0).quotaUnits).toBeUndefined();
  });

  it('nothing-due: outside the active hours, without a price, or where parking is free', () => {
    const free = { open: true, reason: 'nothing-due', visit: leaves, settlement: null };
    expect(exit({ price: price(0) })).toMatchObject(free);
    expect(exit({ price: null })).toMatchObject(free);
    expect(exit({ price: price(2, 0, 0) })).toMatchObject(free);
  });

  it('nothing-due: a permit that has run out by now, but covered the stay', () => {
    expect(exit({ permit: null, price: price(0) })).toMatchObject({ reason: 'nothing-due' });
  });

  it('nothing-due: turned round within the grace, its last moment included', () => {
    const turned = (ms: number) => exit({ visit: visit({ startedAt: before(ms) }) });
    expect(turned(15 * MINUTE_MS)).toMatchObject({ open: true, reason: 'nothing-due', visit: leaves });
    expect(turned(15 * MINUTE_MS + 1)).toMatchObject({ open: false, reason: 'need-payment' });
    expect(turned(-1000)).toMatchObject({ reason: 'nothing-due' });
  });

  it('paid: everything is met', () => {
    const outcome = exit({ visit: visit({ unitsMet: 1 }), price: price(1, 1) });
    expect(outcome).toEqual({ open: true, reason: 'paid', visit: leaves, settlement: null, flags: [] });
  });

  it('paid: within the exit grace, even where another unit has begun in it', () => {
    const paid = (paidUntil: string) =>
      exit({ visit: visit({ unitsMet: 1, paidUntil }), price: price(2, 1) });
    expect(paid(NOW)).toMatchObject({ open: true, reason: 'paid', visit: leaves });
    expect(paid(before(1))).toMatchObject({ open: false, reason: 'need-payment' });
  });

  it('whitelisted: a customer whose billing method says so', () => {
    expect(exit({ billing: 'whitelist' })).toMatchObject({
      open: true,
      reason: 'whitelisted',
      settlement: 'whitelisted',
    });
  });

  it.each(['daily', 'monthly'] as const)('company-invoice: a customer who is billed %s', (billing) => {
    const invoices = settings({ invoicesOwners: true });
    expect(exit({ billing, settings: invoices })).toMatchObject({
      open: true,
      reason: 'company-invoice',
      visit: leaves,
      settlement: 'company-invoice',
    });
  });

  it('owner-invoice: a site that invoices owners', () => {
    expect(exit({ settings: settings({ invoicesOwners: true }) })).toMatchObject({
      open: true,
      reason: 'owner-invoice',
      visit: leaves,
      settlement: 'owner-invoice',
    });
  });

  it('need-payment: an amount is due', () => {
    expect(exit()).toEqual({
      open: false,
      reason: 'need-payment',
      visit: { kind: 'ask', visitId: 'visit-1' },
      settlement: null,
      flags: [],
    });
  });

  it.each(['confusable', 'near'] as const)('opens on a %s plate, but sends no invoice', (foundBy) => {
    const uncertain = visit({ foundBy });
    const score = foundBy === 'near' ? 0.8 : 0.95;
    const waits = {
      open: true,
      visit: { ...leaves, settled: false },
      settlement: null,
      flags: ['uncertain-plate'],
    };
    const invoices = settings({ invoicesOwners: true });
    expect(exit({ score, visit: uncertain, billing: 'monthly' })).toEqual({
      ...waits,
      reason: 'company-invoice',
    });
    expect(exit({ score, visit: uncertain, settings: invoices })).toEqual({
      ...waits,
      reason: 'owner-invoice',
    });
    expect(exit({ score, visit: uncertain, price: price(0) })).toMatchObject({
      reason: 'nothing-due',
      visit: leaves,
      flags: ['uncertain-plate'],
    });
    expect(exit({ score, visit: uncertain })).toMatchObject({
      reason: 'need-payment',
      flags: ['uncertain-plate'],
    });
  });

  it('never keeps, and never charges, a surely read plate for the visit of a near one, which a person looks at', () => {
    const near = { visit: visit({ foundBy: 'near' }), score: 0.9 };
    const review = { visit: { kind: 'review', visitId: 'visit-1' }, settlement: null, flags: ['near-exit'] };
    const opened = { ...review, open: true, reason: 'no-visit' };
    expect(exit(near)).toEqual(opened);
    expect(exit({ ...near, billing: 'monthly' })).toEqual(opened);
    expect(exit({ ...near, quotaUnitsFree: 3 })).toEqual(opened);
    expect(exit({ ...near, settings: settings({ invoicesOwners: true }) })).toEqual(opened);
    expect(exit({ ...near, visit: visit({ foundBy: 'near', clockSet: true }) })).toEqual(opened);
    const stays = settings({ opensUnmatchedExit: false });
    expect(exit({ ...near, settings: stays })).toEqual({ ...review, open: false, reason: 'no-visit' });
    // A car that owes nothing opens the exit in any case, and is most likely that car.
    expect(exit({ ...near, price: price(0) })).toMatchObject({ reason: 'nothing-due', visit: leaves });
  });

  it('has a person look at an invoice on a read that is not sure', () => {
    const unsure = { score: 0.89, billing: 'monthly' } as const;
    expect(exit(unsure)).toMatchObject({ settlement: 'company-invoice', flags: ['uncertain-plate'] });
    expect(exit({ ...unsure, score: 0.9 }).flags).toEqual([]);
    const owners = settings({ invoicesOwners: true });
    expect(exit({ score: 0.89, settings: owners }).flags).toEqual(['uncertain-plate']);
  });

  it('says of whom it keeps in doubt that the driver is to be asked', () => {
    const doubtful = { kind: 'ask', visitId: 'visit-1', doubtful: true };
    expect(exit({ visit: visit({ foundBy: 'near' }), score: 0.89 }).visit).toEqual(doubtful);
    expect(exit({ visit: visit({ foundBy: 'confusable' }) }).visit).toEqual(doubtful);
    expect(exit({ score: 0.89 }).visit).toEqual(doubtful);
    expect(exit().visit).toEqual({ kind: 'ask', visitId: 'visit-1' });
    expect(visitInDoubt(exit({ score: 0.8 }))).toBe('visit-1');
    expect([visitInDoubt(exit()), visitInDoubt(exit({ visit: null }))]).toEqual([null, null]);
    expect(visitInDoubt({ ...exit({ score: 0.8 }), open: true })).toBeNull();
  });

  it('lets out whose visit it is not, and has a person look at it', () => {
    expect(decideNotMine('visit-1')).toEqual({
      open: true,
      reason: 'not-mine',
      visit: { kind: 'review', visitId: 'visit-1' },
      settlement: null,
      flags: ['not-mine'],
    });
  });

  it('goes by the first rule that applies', () => {
    // Each step takes away the fact that decided the one before.
    const facts: Partial<ExitFacts> = {
      permit: permit(),
      quotaUnitsFree: 9,
      price: price(0),
      billing: 'daily',
      settings: settings({ invoicesOwners: true }),
    };
    const steps: Partial<ExitFacts>[] = [
      {},
      { permit: null, price: price(1) },
      { quotaUnitsFree: 0, price: price(0) },
      { price: price(1, 1), visit: visit({ unitsMet: 1 }) },
      { price: price(2, 1) },
      { billing: null },
      { settings: settings() },
    ];
    const reasons = steps.map((step) => exit(Object.assign(facts, step)).reason);
    expect(reasons).toEqual([
      'whitelisted',
      'quota',
      'nothing-due',
      'paid',
      'company-invoice',
      'owner-invoice',
      'need-payment',
    ]);
  });
});

describe('always', () => {
  const anySettings = fc
    .record({
      opensUnreadable: fc.boolean(),
      opensUnmatchedExit: fc.boolean(),
      permitsOnly: fc.boolean(),
      invoicesOwners: fc.boolean(),
      entryGraceMinutes: fc.integer({ min: 0, max: 1440 }),
    })
    .map(settings);
  const anyPermit = fc.constantFrom(null, permit(), permit('confusable'));
  const anyExit: fc.Arbitrary<ExitFacts> = fc
    .record({
      units: fc.integer({ min: 0, max: 40 }),
      unitsMet: fc.integer({ min: 0, max: 40 }),
      quotaUnits: fc.integer({ min: 0, max: 40 }),
      priceMinor: fc.constantFrom(null, 0, 1, 500),
      found: fc.constantFrom('equal', 'confusable', 'near', 'ambiguous', null),
      stayMinutes: fc.integer({ min: -5, max: 60_000 }),
      graceMinutes: fc.option(fc.integer({ min: -60, max: 60 })),
      settings: anySettings,
      score: fc.constantFrom(0.7, 0.9, 0.99),
      permit: anyPermit,
      quotaUnitsFree: fc.integer({ min: 0, max: 40 }),
      billing: fc.constantFrom(null, 'daily' as const, 'monthly' as const, 'whitelist' as const),
    })
    .map(({ units, unitsMet, quotaUnits, priceMinor, found, stayMinutes, graceMinutes, ...facts }) => ({
      ...facts,
      at: NOW,
      price: priceMinor === null ? null : price(units, unitsMet, priceMinor),
      visit:
        found === null || found === 'ambiguous'
          ? found
          : visit({
              foundBy: found,
              unitsMet,
              quotaUnits,
              startedAt: before(stayMinutes * MINUTE_MS),
              paidUntil: graceMinutes === null ? null : before(-graceMinutes * MINUTE_MS),
            }),
    }));

  it('keeps no car, and settles no visit, for a plate that is surely read and only near', () => {
    fc.assert(
      fc.property(anyExit, (facts) => {
        if (facts.visit === null || facts.visit === 'ambiguous') return;
        const {
          reason,
          settlement,
          visit: effect,
        } = decideExit({
          ...facts,
          score: 0.95,
          visit: { ...facts.visit, foundBy: 'near' },
        });
        expect(reason).not.toBe('need-payment');
        if (effect.kind === 'end' && settlement !== null) expect(settlement).toBe('whitelisted');
      }),
    );
  });

  it('traps no car: only an amount due, or the site’s own setting, keeps an exit closed', () => {
    fc.assert(
      fc.property(anyExit, (facts) => {
        const { open, reason } = decideExit(facts);
        if (open) return;
        if (reason === 'need-payment') expect(facts.price?.amountMinor).toBeGreaterThan(0);
        else {
          expect(['no-visit', 'ambiguous-visit']).toContain(reason);
          expect(facts.settings.opensUnmatchedExit).toBe(false);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('sends no invoice on doubt, and none for nothing', () => {
    fc.assert(
      fc.property(anyExit, (facts) => {
        const { settlement } = decideExit(facts);
        if (settlement !== 'company-invoice' && settlement !== 'owner-invoice') return;
        expect(facts.visit).toMatchObject({ foundBy: 'equal' });
        expect(facts.price?.amountMinor).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  it('never takes more from a quota than it has, nor more than payments have left due', () => {
    fc.assert(
      fc.property(anyExit, (facts) => {
        const { quotaUnits = 0 } = decideExit(facts);
        if (facts.visit === null || facts.visit === 'ambiguous') {
          expect(quotaUnits).toBe(0);
          return;
        }
        expect(quotaUnits).toBeLessThanOrEqual(facts.visit.quotaUnits + facts.quotaUnitsFree);
        const unpaid = Math.max(0, (facts.price?.units ?? 0) - facts.visit.unitsMet);
        expect(quotaUnits).toBeLessThanOrEqual(unpaid);
      }),
      { numRuns: 1000 },
    );
  });

  it('asks for nothing that a quota could meet', () => {
    fc.assert(
      fc.property(anyExit, (facts) => {
        const { reason, quotaUnits = 0 } = decideExit(facts);
        if (!['need-payment', 'company-invoice', 'owner-invoice'].includes(reason)) return;
        if (facts.visit === null || facts.visit === 'ambiguous') return expect.unreachable();
        const unpaid = (facts.price?.units ?? 0) - facts.visit.unitsMet;
        expect(facts.visit.quotaUnits + facts.quotaUnitsFree).toBeLessThan(unpaid);
        const has = facts.visit.foundBy === 'equal' ? facts.quotaUnitsFree : 0;
        expect(quotaUnits).toBe(facts.visit.quotaUnits + has);
      }),
      { numRuns: 1000 },
    );
  });

  it('gives back what a stay that owes nothing took', () => {
    fc.assert(
      fc.property(anyExit, (facts) => {
        const { reason, quotaUnits } = decideExit(facts);
        if (reason === 'nothing-due' || reason === 'whitelisted') expect(quotaUnits).toBeUndefined();
        if (reason === 'quota') expect(facts.price?.amountMinor).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  it('settles a visit that leaves, or leaves its bill to a person with a flag that says why', () => {
    fc.assert(
      fc.property(anyExit, (facts) => {
        const { visit, flags } = decideExit(facts);
        if (visit.kind === 'end' && !visit.settled) expect(flags).toContain('uncertain-plate');
      }),
      { numRuns: 1000 },
    );
  });

  it('begins a visit with every gate that opens at an entrance, and none with one that stays closed', () => {
    const anyEntry: fc.Arbitrary<EntryFacts> = fc.record({
      plate: fc.constantFrom('AB123', null),
      settings: anySettings,
      blocked: fc.constantFrom(null, 'equal' as const, 'lookalike' as const),
      permit: anyPermit,
      full: fc.boolean(),
      insideVisitId: fc.constantFrom(null, 'visit-0'),
      quotaUnitsFree: fc.integer({ min: 0, max: 2 }),
    });
    fc.assert(
      fc.property(anyEntry, (facts) => {
        const decision = decideEntry(facts);
        expect(decision.visit.kind).toBe(decision.open ? 'start' : 'none');
        expect(DecisionSchema.parse(decision)).toEqual(decision);
      }),
    );
  });

  it('lets an unread vehicle out, and keeps it only for what is really due or where the site says so', () => {
    fc.assert(
      fc.property(anyExit, (facts) => {
        const { open, reason, visit } = decideUnread(facts);
        const known = facts.visit !== null && facts.visit !== 'ambiguous' && facts.visit.foundBy === 'equal';
        if (known)
          expect(open || (reason === 'need-payment' && (facts.price?.amountMinor ?? 0) > 0)).toBe(true);
        else expect(open).toBe(facts.settings.opensUnmatchedExit);
        if (open) expect(reason).toBe('unread-vehicle');
        if (!known) expect(visit).toEqual({ kind: 'none' });
      }),
      { numRuns: 1000 },
    );
  });

  it('charges no driver for a vehicle that was not read well', () => {
    fc.assert(
      fc.property(anyExit, (facts) => {
        const decision = decideUnread(facts);
        expect(decision.settlement === null || decision.settlement === 'whitelisted').toBe(true);
        if (facts.visit === null || facts.visit === 'ambiguous') return;
        expect(decision.quotaUnits ?? 0).toBeLessThanOrEqual(facts.visit.quotaUnits);
        if (decision.visit.kind !== 'none') expect(decision.flags).toContain('uncertain-plate');
      }),
      { numRuns: 1000 },
    );
  });

  it('says why in every language', () => {
    fc.assert(
      fc.property(anyExit, (facts) => {
        const decision = decideExit(facts);
        expect(DecisionSchema.parse(decision)).toEqual(decision);
        for (const words of [DISPLAY_WORDS.is.reason, DISPLAY_WORDS.en.reason])
          expect(words[decision.reason]).not.toBe('');
      }),
    );
  });
});
