import { describe, expect, it } from 'vitest';
import { HOUR_MS } from '../base/durations.ts';
import { millis, utcTime } from '../base/utc-time.ts';
import {
  decideEntry,
  decideExit,
  decideLateExit,
  type EntryFacts,
  type ExitFacts,
} from '../records/decision.ts';
import { SiteSettingsSchema } from '../records/lane.ts';
import { type Visit, VisitSchema } from '../records/visit.ts';
import type { Permit } from '../records/whitelist.ts';
import { type Product, ProductSchema } from '../tariff/product.ts';
import {
  decideEntering,
  decideLeaving,
  type GatheredAtEntry,
  type GatheredAtExit,
  plateAtExit,
} from './lane-facts.ts';

const AT = '2026-11-21T12:00:00.000Z';
const before = (ms: number) => utcTime(millis(AT) - ms);
const site = { settings: SiteSettingsSchema.parse({}), timeZone: 'UTC' };

const permit = (fields: Partial<Permit> = {}): Permit => ({
  id: 'permit-1',
  plate: 'ABX12',
  effect: 'allow',
  type: 'permanent',
  visitId: null,
  activeFrom: null,
  expireAt: null,
  status: 'active',
  rules: [],
  ...fields,
});
const product = (tariff?: object): Product =>
  ProductSchema.parse({
    id: 'day',
    type: 'default',
    priceMinor: 500,
    currency: 'ISK',
    vehicleCategory: 'light',
    category: null,
    name: {},
    productCode: 'D',
    config: tariff ? { tariff } : {},
    version: 1,
  });
const visit = (fields: Partial<Visit> = {}): Visit =>
  VisitSchema.parse({
    id: '01a1fc93-bdd6-7682-9b18-8dd0566e2420',
    plate: 'ABX12',
    status: 'new',
    paymentStatus: null,
    startedAt: before(49 * HOUR_MS),
    endedAt: null,
    createdAt: before(49 * HOUR_MS),
    price: null,
    unitsMet: 0,
    paidMinor: 0,
    paidUntil: null,
    quota: null,
    flags: [],
    entryLaneId: null,
    exitLaneId: null,
    entryReadId: null,
    exitReadId: null,
    exitFoundBy: null,
    permitId: null,
    ...fields,
  });

describe('the facts at an entrance', () => {
  const gathered: GatheredAtEntry = {
    seen: { plate: 'ABX12', score: 0.95 },
    site,
    listed: [],
    quotas: [],
    full: false,
    inside: null,
  };
  const entering = (fields: Partial<GatheredAtEntry> = {}) => {
    const seen: EntryFacts[] = [];
    const decided = decideEntering({ ...gathered, ...fields }, AT, (facts) => {
      seen.push(facts);
      return decideEntry(facts);
    });
    return { facts: seen[0], decided };
  };

  it('are those that were gathered', () => {
    const { facts, decided } = entering({ full: true, inside: visit() });
    expect(facts).toEqual({
      plate: 'ABX12',
      settings: site.settings,
      blocked: null,
      permit: null,
      full: true,
      insideVisitId: visit().id,
      quotaUnitsFree: 0,
    });
    expect(decided).toMatchObject({ leaving: null, price: null, quota: null, permitId: null });
    expect(decided.decision.reason).toBe('full');
    expect(decideEntering(gathered, AT).decision.reason).toBe('welcome');
  });

  it('include the permit and the block of the plate', () => {
    const { facts, decided } = entering({ listed: [permit()] });
    expect(facts).toMatchObject({ permit: { foundBy: 'equal' }, blocked: null });
    expect(decided.permitId).toBe('permit-1');
    expect(entering({ listed: [permit({ effect: 'block' })] }).facts).toMatchObject({ blocked: 'equal' });
    const ofVisit = permit({ type: 'visit', visitId: visit().id });
    expect(entering({ listed: [ofVisit] }).facts?.permit).toBeNull();
    expect(entering({ listed: [permit({ plate: 'A8X12' })] }).facts?.permit?.foundBy).toBe('confusable');
    const unsure = { plate: 'ABX12', score: 0.8 };
    expect(entering({ listed: [permit({ plate: 'A8X12' })], seen: unsure }).facts?.permit).toBeNull();
  });

  it('draw on the first quota that has a unit', () => {
    const quotas = [
      { id: 'q0', free: 0 },
      { id: 'q1', free: 2 },
      { id: 'q2', free: 5 },
    ];
    const { facts, decided } = entering({ quotas });
    expect(facts?.quotaUnitsFree).toBe(2);
    expect(decided.quota).toEqual({ id: 'q1', units: 1 });
    expect(entering({ quotas, full: true }).decided.quota).toBeNull();
  });

  it('have nothing of another plate if there is none', () => {
    const quotas = [{ id: 'q1', free: 2 }];
    const listed = [permit(), permit({ effect: 'block' })];
    const { facts, decided } = entering({ seen: { plate: null, score: 0.95 }, listed, quotas });
    expect(facts).toMatchObject({ plate: null, blocked: null, permit: null, quotaUnitsFree: 0 });
    expect(decided).toMatchObject({ quota: null, permitId: null });
  });
});

describe('the facts at an exit', () => {
  const stay = { products: { atEntry: product(), now: product() } };
  const gathered: GatheredAtExit = {
    seen: { plate: 'ABX12', score: 0.95 },
    site,
    listed: [],
    quotas: [],
    stay,
    billing: null,
    leaving: { visit: visit(), foundBy: 'equal' },
  };
  const leaving = (fields: Partial<GatheredAtExit> = {}, of: Partial<Visit> = {}) => {
    const seen: ExitFacts[] = [];
    const found = { visit: visit(of), foundBy: 'equal' } as const;
    const decided = decideLeaving({ ...gathered, leaving: found, ...fields }, AT, (facts) => {
      seen.push(facts);
      return decideExit(facts);
    });
    return { facts: seen[0], decided };
  };

  it('are the visit and what it owes', () => {
    const { facts, decided } = leaving({ billing: 'monthly' }, { paidMinor: 300, paidUntil: AT });
    expect(facts).toMatchObject({
      at: AT,
      score: 0.95,
      settings: site.settings,
      justEnded: false,
      permit: null,
      quotaUnitsFree: 0,
      price: { amountMinor: 1200, units: 3 },
      billing: 'monthly',
    });
    expect(facts?.visit).toEqual({
      id: visit().id,
      foundBy: 'equal',
      startedAt: visit().startedAt,
      paidUntil: AT,
      unitsMet: 0,
      paidMinor: 300,
      quotaUnits: 0,
      clockSet: false,
    });
    expect(decided).toMatchObject({ price: { amountMinor: 1200 }, quota: null, permitId: null });
    expect(decided.leaving?.visit.id).toBe(visit().id);
    expect(decideLeaving(gathered, AT).decision.reason).toBe('need-payment');
    expect(decideLeaving(gathered, AT, decideLateExit).decision.reason).toBe('late-exit');
  });

  it.each([
    ['clock-set', true],
    ['payment-unknown', true],
    ['lost-exit', false],
  ] as const)('have a due that is not certain, of a visit that is flagged %s: %s', (flag, clockSet) => {
    expect(leaving({}, { flags: ['uncertain-plate', flag] }).facts?.visit).toMatchObject({ clockSet });
  });

  it.each([
    ['nothing', null, null, false],
    ['two', 'ambiguous', 'ambiguous', false],
    ['one that has just ended', 'just-ended', null, true],
  ] as const)('have no price and no bill where the plate fits %s', (_what, found, visitAt, justEnded) => {
    const { facts, decided } = leaving({
      leaving: found,
      billing: 'monthly',
      quotas: [{ id: 'q', free: 9 }],
    });
    expect(facts).toMatchObject({ visit: visitAt, justEnded, price: null, billing: null, quotaUnitsFree: 0 });
    expect(decided).toMatchObject({ leaving: null, price: null, quota: null });
  });

  it('have no price where nothing prices the visit', () => {
    expect(leaving({ stay: null }).facts?.price).toBeNull();
    expect(leaving({ stay: { products: null } }).facts?.price).toBeNull();
  });

  it('go by the times of grace of the tariff that prices it', () => {
    const tariff = { bands: [{ steps: [{ kind: 'flat', priceMinor: 500 }] }], exitGraceMinutes: 3 };
    const now = product(tariff);
    const { facts } = leaving({ stay: { products: { atEntry: now, now } } });
    expect(facts?.settings).toEqual({ ...site.settings, exitGraceMinutes: 3 });
  });

  it('include the permit of the car that came in, and none of another visit', () => {
    const seen = { plate: 'A8X12', score: 0.95 };
    const { facts, decided } = leaving({ seen, listed: [permit()] });
    expect(facts).toMatchObject({ permit: { foundBy: 'equal' }, price: { amountMinor: 0 } });
    expect(decided.permitId).toBe('permit-1');
    const ofVisit = (visitId: string) => leaving({ listed: [permit({ type: 'visit', visitId })] }).facts;
    expect(ofVisit(visit().id)).toMatchObject({ permit: { foundBy: 'equal' } });
    expect(ofVisit('visit-2')?.permit).toBeNull();
    const stranger = leaving({ leaving: null, seen: { plate: 'ABX12', score: 0.95 }, listed: [permit()] });
    expect(stranger.facts?.permit?.foundBy).toBe('equal');
    const unsure = { listed: [permit({ plate: 'A8X12' })], seen: { plate: 'ABX12', score: 0.8 } };
    expect(leaving(unsure).facts?.permit).toBeNull();
    expect(leaving({ listed: [permit()] }, { plate: null }).facts?.permit).toBeNull();
  });

  it('have the price with nothing of the quota, and the outcome with what it takes off', () => {
    const quotas = [{ id: 'q1', free: 1 }];
    const taken = { quota: { id: 'q1', units: 1 } };
    const { facts, decided } = leaving({ quotas }, taken);
    expect(facts).toMatchObject({
      quotaUnitsFree: 1,
      price: { amountMinor: 1500 },
      visit: { quotaUnits: 1 },
    });
    expect(decided).toMatchObject({ quota: { id: 'q1', units: 2 }, price: { amountMinor: 500 } });
    const covered = leaving({ quotas, listed: [permit()] }, taken).decided;
    expect(covered).toMatchObject({ quota: { id: 'q1', units: 0 }, price: { amountMinor: 0 } });
  });
});

it('an exit looks up permits of the plate that came in, and else of the one that was read', () => {
  const seen = { plate: 'A8X12' };
  expect(plateAtExit(seen, { visit: visit(), foundBy: 'confusable' })).toBe('ABX12');
  for (const found of [null, 'ambiguous', 'just-ended'] as const)
    expect(plateAtExit(seen, found)).toBe('A8X12');
});
