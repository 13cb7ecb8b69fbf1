import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { EdgeUpgradeReport } from '@hlid/protocol/site-link/edge-upgrade';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ROLLOUT_OUTCOMES, type RolloutOutcome } from '../../records/rollouts/rollout-words.ts';
import {
  afterReport,
  canRetry,
  canWithdraw,
  hasEnded,
  hasFailed,
  INSTALL_AWAY_MS,
  isUnderWay,
  isUpgrading,
  mayHaveOrder,
  nextStep,
  type ReportedSite,
  type RolloutFacts,
  type RolloutSiteFacts,
  ringFailed,
  ringsOf,
  skipReason,
} from './rollout-state.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const before = (ms: number) => utcTime(Date.parse(NOW) - ms);

function rollout(fields: Partial<RolloutFacts> = {}): RolloutFacts {
  return {
    state: 'running',
    version: '0.3.0',
    soakHours: 24,
    maxAtOnce: 20,
    ring: null,
    ringOverAt: null,
    excusedRing: null,
    ...fields,
  };
}

/** Connected, and with nothing handed to it. */
function site(
  ring: number,
  outcome: RolloutOutcome,
  fields: Partial<RolloutSiteFacts> = {},
): RolloutSiteFacts {
  return {
    siteId: `${ring}-${outcome}`,
    ring,
    outcome,
    handedAt: null,
    isExcused: false,
    connected: true,
    connectedSince: before(HOUR_MS),
    ...fields,
  };
}
const away = { connected: false } as const;

describe('the next step', () => {
  it.each<[string, Partial<RolloutFacts>, RolloutSiteFacts[], ReturnType<typeof nextStep>]>([
    [
      'begins with the lowest ring',
      {},
      [site(3, 'waiting'), site(1, 'waiting')],
      { step: 'begin-ring', ring: 1 },
    ],
    ['is none while a site has its order', { ring: 1 }, [site(1, 'done'), site(1, 'ordered')], null],
    ['is none while a site works', { ring: 1 }, [site(1, 'done'), site(1, 'working')], null],
    ['is none while all are away', { ring: 1 }, [site(1, 'ordered', away)], null],
    [
      'is that the ring is over, whatever those do that are away',
      { ring: 1 },
      [site(1, 'up-to-date'), site(1, 'ordered', away), site(2, 'waiting')],
      { step: 'ring-over' },
    ],
    [
      'is none while a site restarts that installs',
      { ring: 1 },
      [
        site(1, 'done'),
        site(1, 'installing', { ...away, connectedSince: before(10 * MINUTE_MS) }),
        site(2, 'waiting'),
      ],
      null,
    ],
    [
      'does not wait for a site that went away for long',
      { ring: 1 },
      [
        site(1, 'done'),
        site(1, 'installing', { ...away, connectedSince: before(INSTALL_AWAY_MS) }),
        site(2, 'waiting'),
      ],
      { step: 'ring-over' },
    ],
    [
      'is none while the ring soaks',
      { ring: 1, ringOverAt: before(23 * HOUR_MS) },
      [site(1, 'done'), site(2, 'waiting')],
      null,
    ],
    [
      'is the next ring that there is, when it has soaked',
      { ring: 1, ringOverAt: before(24 * HOUR_MS) },
      [site(1, 'done'), site(5, 'waiting'), site(7, 'waiting')],
      { step: 'begin-ring', ring: 5 },
    ],
    [
      'is none while a site of the ring that came late is at it, soaked or not',
      { ring: 1, ringOverAt: before(30 * HOUR_MS) },
      [site(1, 'done'), site(1, 'downloading'), site(2, 'waiting')],
      null,
    ],
    [
      'is none while one of an earlier ring is at it',
      { ring: 2 },
      [site(1, 'working'), site(2, 'done'), site(3, 'waiting')],
      null,
    ],
    [
      'is the end, when the last ring has ended',
      { ring: 2 },
      [site(1, 'done'), site(2, 'done')],
      { step: 'done' },
    ],
    [
      'is no end while a site of any ring is away with its order',
      { ring: 2, ringOverAt: before(99 * HOUR_MS) },
      [site(1, 'ordered', away), site(2, 'done')],
      null,
    ],
    [
      'is a pause at a failure, though others are at it',
      { ring: 1 },
      [site(1, 'working'), site(1, 'went-back')],
      { step: 'pause', why: { reason: 'site-failed', siteId: '1-went-back', outcome: 'went-back' } },
    ],
    [
      'is a pause at a failure of an earlier ring',
      { ring: 2, ringOverAt: before(HOUR_MS) },
      [site(1, 'stuck'), site(2, 'done')],
      { step: 'pause', why: { reason: 'site-failed', siteId: '1-stuck', outcome: 'stuck' } },
    ],
    [
      'goes on without a failure that a person has seen',
      { ring: 1 },
      [site(1, 'went-back', { isExcused: true }), site(1, 'done'), site(2, 'waiting')],
      { step: 'ring-over' },
    ],
    [
      'is a pause when all of the ring refused or were skipped',
      { ring: 1 },
      [site(1, 'refused'), site(1, 'skipped'), site(1, 'ordered', away), site(2, 'waiting')],
      { step: 'pause', why: { reason: 'ring-failed', ring: 1 } },
    ],
    [
      'is a pause in the last ring too',
      { ring: 1 },
      [site(1, 'refused')],
      { step: 'pause', why: { reason: 'ring-failed', ring: 1 } },
    ],
    [
      'goes on from a ring that a person has excused',
      { ring: 1, excusedRing: 1 },
      [site(1, 'refused'), site(2, 'waiting')],
      { step: 'ring-over' },
    ],
    [
      'is the end of an excused last ring',
      { ring: 1, excusedRing: 1 },
      [site(1, 'refused')],
      { step: 'done' },
    ],
    [
      'asks for a good site in each ring',
      { ring: 2, excusedRing: 1 },
      [site(1, 'done'), site(2, 'refused')],
      { step: 'pause', why: { reason: 'ring-failed', ring: 2 } },
    ],
    [
      'is none while it is paused',
      { state: 'paused', ring: 1 },
      [site(1, 'stuck'), site(2, 'waiting')],
      null,
    ],
    ['is none after its end', { state: 'ended', ring: 1 }, [site(1, 'done')], null],
  ])('%s', (_what, fields, sites, step) => {
    expect(nextStep(rollout(fields), sites, NOW)).toEqual(step);
  });
});

describe('an order', () => {
  const busy = [1, 2].map((n) => site(1, 'working', { siteId: `busy-${n}`, handedAt: NOW }));
  const may = (one: RolloutSiteFacts, fields: Partial<RolloutFacts> = {}, others = busy) =>
    mayHaveOrder(rollout({ ring: 1, maxAtOnce: 2, ...fields }), [...others, one], one.siteId, NOW);

  it.each<[string, boolean, RolloutSiteFacts, Partial<RolloutFacts>, RolloutSiteFacts[]]>([
    ['is given while fewer are at it', true, site(1, 'ordered'), {}, busy.slice(1)],
    ['waits while as many are at it', false, site(1, 'ordered'), {}, busy],
    [
      'stays with a site that is one of them',
      true,
      site(1, 'downloading', { handedAt: NOW }),
      {},
      busy.slice(1),
    ],
    ['stays with a site that installs, in any case', true, site(1, 'installing'), { state: 'ended' }, busy],
    ['is withheld while paused', false, site(1, 'working', { handedAt: NOW }), { state: 'paused' }, []],
    ['is none before the ring', false, site(2, 'waiting'), {}, []],
    ['is none after the end', false, site(1, 'done'), {}, []],
    [
      'does not wait for one that went away',
      true,
      site(1, 'ordered'),
      {},
      busy.map((one) => ({ ...one, ...away, connectedSince: before(INSTALL_AWAY_MS) })),
    ],
    [
      'does not wait for one that has not asked',
      true,
      site(1, 'ordered'),
      {},
      [site(1, 'ordered', { siteId: 'x' })],
    ],
  ])('%s', (_what, given, one, fields, others) => {
    expect(may(one, fields, others)).toBe(given);
  });

  it('is none of a site that is not part of the rollout', () => {
    expect(mayHaveOrder(rollout(), busy, 'another', NOW)).toBe(false);
  });
});

const ORDER = '01980000-0000-7000-8000-000000000001';
const OTHER = '01980000-0000-7000-8000-000000000002';

describe('a report', () => {
  const row = (outcome: RolloutOutcome, fields: Partial<ReportedSite> = {}): ReportedSite => ({
    outcome,
    orderId: ORDER,
    handedAt: NOW,
    fromVersion: '0.2.0',
    reason: null,
    reportedAt: null,
    ...fields,
  });
  type Upgrade = NonNullable<EdgeUpgradeReport['upgrade']>;
  const report = (upgrade: Partial<Upgrade> | null, version = '0.2.0'): EdgeUpgradeReport => ({
    version,
    architecture: 'amd64',
    acceptsOrders: true,
    upgrade: upgrade && { orderId: ORDER, outcome: 'working', reason: null, at: NOW, ...upgrade },
  });

  it.each<[string, ReportedSite, EdgeUpgradeReport, Partial<ReportedSite>]>([
    [
      'is recorded',
      row('ordered'),
      report({ outcome: 'downloading' }),
      { outcome: 'downloading', reportedAt: NOW },
    ],
    [
      'has its reason',
      row('working'),
      report({ outcome: 'refused', reason: 'no room' }),
      { outcome: 'refused', reason: 'no room' },
    ],
    [
      'that comes late is passed over',
      row('working', { reportedAt: NOW }),
      report({ outcome: 'downloading', at: before(1) }),
      { outcome: 'working', reportedAt: NOW },
    ],
    [
      'that is further counts, though the clock was set back',
      row('working', { reportedAt: NOW }),
      report({ outcome: 'installing', at: before(HOUR_MS) }),
      { outcome: 'installing', reportedAt: before(HOUR_MS) },
    ],
    [
      'that begins anew counts when it is newer',
      row('working', { reportedAt: before(1) }),
      report({ outcome: 'downloading' }),
      { outcome: 'downloading' },
    ],
    [
      'of the way does not undo an end',
      row('done', { reportedAt: before(1) }),
      report({ outcome: 'working' }),
      { outcome: 'done' },
    ],
    [
      'of another end counts when it is newer',
      row('went-back', { reportedAt: before(1) }),
      report({ outcome: 'stuck', reason: 'x' }),
      { outcome: 'stuck', reason: 'x' },
    ],
    [
      'of another order changes nothing',
      row('ordered'),
      report({ orderId: OTHER, outcome: 'done' }),
      { outcome: 'ordered' },
    ],
    ['of none changes nothing', row('working'), report(null), { outcome: 'working' }],
    [
      'of the version is the outcome, where that was lost',
      row('installing'),
      report(null, '0.3.0'),
      { outcome: 'done' },
    ],
    [
      'of the version is the outcome, though the last one is of another order',
      row('working'),
      report({ orderId: OTHER, outcome: 'refused' }, '0.3.0'),
      { outcome: 'done', reason: null },
    ],
    [
      'of the version while it installs is not the end',
      row('working'),
      report({ outcome: 'installing' }, '0.3.0'),
      { outcome: 'installing' },
    ],
    [
      'of the version while it downloads is the end',
      row('ordered'),
      report({ outcome: 'downloading' }, '0.3.0'),
      { outcome: 'done' },
    ],
    [
      'of the version by a site that never asked: it had it',
      row('ordered', { fromVersion: null, handedAt: null }),
      report(null, '0.3.0'),
      { outcome: 'up-to-date', fromVersion: '0.3.0' },
    ],
    [
      'of the version before its turn changes nothing',
      row('waiting'),
      report(null, '0.3.0'),
      { outcome: 'waiting' },
    ],
    [
      'of work at a withdrawn order is passed over',
      row('withdrawn'),
      report({ outcome: 'working' }),
      { outcome: 'withdrawn' },
    ],
    [
      'of what came of a withdrawn order is recorded',
      row('withdrawn'),
      report({ outcome: 'done' }, '0.3.0'),
      { outcome: 'done' },
    ],
    [
      'went back, though the version runs by another way',
      row('working'),
      report({ outcome: 'went-back' }, '0.3.0'),
      { outcome: 'went-back' },
    ],
  ])('%s', (_what, known, given, after) => {
    expect(afterReport(known, '0.3.0', given)).toMatchObject(after);
  });

  it('sent twice, or in any order, comes to the same', () => {
    const outcomes = ['downloading', 'working', 'installing', 'done'] as const;
    const reports = outcomes.map((outcome, n) => report({ outcome, at: utcTime(Date.parse(NOW) + n) }));
    fc.assert(
      fc.property(fc.shuffledSubarray([...reports, ...reports], { minLength: 8 }), (shuffled) => {
        const end = shuffled.reduce((known, one) => afterReport(known, '0.3.0', one), row('ordered'));
        expect(end).toMatchObject({ outcome: 'done', reportedAt: reports.at(-1)?.upgrade?.at });
      }),
    );
  });
});

it('a site is skipped that trusts no key, or has no package', () => {
  const report: EdgeUpgradeReport = {
    version: '0.2.0',
    architecture: 'arm64',
    acceptsOrders: true,
    upgrade: null,
  };
  expect(skipReason(report, new Set(['arm64']))).toBe(null);
  expect(skipReason(report, new Set(['amd64']))).toBe('no-package');
  expect(skipReason({ ...report, architecture: null }, new Set(['amd64']))).toBe('no-package');
  expect(skipReason({ ...report, acceptsOrders: false }, new Set(['arm64']))).toBe('accepts-no-orders');
});

it('each outcome is before, under way or an end, and only then is anything to retry or to withdraw', () => {
  for (const outcome of ROLLOUT_OUTCOMES) {
    const kinds = [outcome === 'waiting', isUnderWay(outcome), hasEnded(outcome)].filter(Boolean);
    expect(kinds, outcome).toHaveLength(1);
    expect(canRetry(outcome) && !hasEnded(outcome), outcome).toBe(false);
    expect(canWithdraw(outcome) && hasEnded(outcome), outcome).toBe(false);
  }
  expect(ROLLOUT_OUTCOMES.filter(canRetry)).toEqual(['refused', 'went-back', 'stuck', 'skipped']);
});

/** A cloud and its sites, as the rule moves them: only what is random is here. */
class Model {
  rollout: RolloutFacts;
  sites: RolloutSiteFacts[];
  now = NOW;

  constructor(rings: readonly number[], soakHours: number, maxAtOnce: number) {
    this.rollout = rollout({ soakHours, maxAtOnce });
    this.sites = rings.map((ring, n) => site(ring, 'waiting', { siteId: `site-${n}` }));
    this.advance();
  }

  advance(): void {
    for (;;) {
      const step = nextStep(this.rollout, this.sites, this.now);
      if (step === null) return;
      if (step.step === 'begin-ring') this.begin(step.ring);
      if (step.step === 'ring-over') this.rollout = { ...this.rollout, ringOverAt: this.now };
      if (step.step === 'pause') this.rollout = { ...this.rollout, state: 'paused' };
      if (step.step === 'done') this.rollout = { ...this.rollout, state: 'done' };
    }
  }

  begin(ring: number): void {
    const { ring: former, ringOverAt, soakHours, excusedRing } = this.rollout;
    expect(ring).toBe(ringsOf(this.sites).find((one) => one > (former ?? 0)));
    expect(this.sites.filter(({ outcome, isExcused }) => hasFailed(outcome) && !isExcused)).toEqual([]);
    if (former !== null) {
      const isAnyUnderWay = this.sites.some((one) => one.connected && isUnderWay(one.outcome));
      expect(isAnyUnderWay).toBe(false);
      const isGood = this.sites.some((one) => one.ring === former && /^(done|up-to-date)$/.test(one.outcome));
      expect(isGood || excusedRing === former).toBe(true);
      expect(Date.parse(this.now) - Date.parse(ringOverAt ?? '')).toBeGreaterThanOrEqual(soakHours * HOUR_MS);
    }
    this.rollout = { ...this.rollout, ring, ringOverAt: null };
    this.change((one) => (one.ring === ring ? { outcome: 'ordered' } : {}));
  }

  /** Answers the question of a site for orders. */
  ask(n: number): void {
    const asking = this.sites[n % this.sites.length];
    if (asking?.connected !== true) return;
    const isGiven = mayHaveOrder(this.rollout, this.sites, asking.siteId, this.now);
    const handedAt = isGiven ? (asking.handedAt ?? this.now) : null;
    this.change((one) => (one.siteId === asking.siteId ? { handedAt } : {}));
    if (!isGiven || asking.outcome === 'installing') return;
    expect(this.rollout.state).toBe('running');
    const others = this.sites.filter((one) => one.siteId !== asking.siteId && isUpgrading(one, this.now));
    expect(others.length).toBeLessThan(this.rollout.maxAtOnce);
  }

  /** A site that has its order reports how far it is. */
  report(n: number, outcome: RolloutOutcome): void {
    const reporting = this.sites[n % this.sites.length];
    if (reporting === undefined || !isUnderWay(reporting.outcome) || !reporting.connected) return;
    if (reporting.handedAt === null) return;
    this.change((one) => (one.siteId === reporting.siteId ? { outcome } : {}));
    this.advance();
    if (hasFailed(outcome)) expect(this.rollout.state).not.toBe('running');
  }

  toggle(n: number): void {
    const changing = this.sites[n % this.sites.length];
    this.change((one) =>
      one.siteId === changing?.siteId ? { connected: !one.connected, connectedSince: this.now } : {},
    );
    this.advance();
  }

  pass(hours: number): void {
    this.now = utcTime(Date.parse(this.now) + hours * HOUR_MS);
    this.advance();
  }

  resume(): void {
    if (this.rollout.state !== 'paused') return;
    this.change(({ outcome, isExcused }) => ({ isExcused: isExcused || hasFailed(outcome) }));
    const excusedRing = ringFailed(this.rollout, this.sites, this.now)
      ? this.rollout.ring
      : this.rollout.excusedRing;
    this.rollout = { ...this.rollout, state: 'running', excusedRing };
    this.advance();
  }

  change(fields: (one: RolloutSiteFacts) => Partial<RolloutSiteFacts>): void {
    this.sites = this.sites.map((one) => ({ ...one, ...fields(one) }));
  }
}

const REPORTED = [
  'downloading',
  'working',
  'installing',
  'done',
  'done',
  'done',
  'done',
  'refused',
  'went-back',
  'stuck',
  'up-to-date',
  'skipped',
] as RolloutOutcome[];

const actions = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('ask' as const), n: fc.nat(11) }) },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('report' as const),
        n: fc.nat(11),
        outcome: fc.constantFrom(...REPORTED),
      }),
    },
    fc.record({ do: fc.constant('toggle' as const), n: fc.nat(11) }),
    fc.record({ do: fc.constant('pass' as const), hours: fc.nat(30) }),
    { weight: 2, arbitrary: fc.record({ do: fc.constant('resume' as const) }) },
  ),
  { maxLength: 120 },
);

describe('whatever sites do', () => {
  it('no ring begins before the last one is over and has soaked, nor after a failure, and no more than so many have orders', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1, maxLength: 8 }),
        fc.constantFrom(0, 1, 24),
        fc.integer({ min: 1, max: 3 }),
        actions,
        (rings, soakHours, maxAtOnce, todo) => {
          const model = new Model(rings, soakHours, maxAtOnce);
          for (const action of todo) {
            if (action.do === 'ask') model.ask(action.n);
            if (action.do === 'report') model.report(action.n, action.outcome);
            if (action.do === 'toggle') model.toggle(action.n);
            if (action.do === 'pass') model.pass(action.hours);
            if (action.do === 'resume') model.resume();
            const early = model.sites.filter(({ ring }) => ring > (model.rollout.ring ?? 0));
            expect(early.every(({ outcome }) => outcome === 'waiting')).toBe(true);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('a rollout comes to its end when its sites carry out their orders', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 }),
        fc.nat(48),
        fc.integer({ min: 1, max: 4 }),
        (rings, soakHours, maxAtOnce) => {
          const model = new Model(rings, soakHours, maxAtOnce);
          for (let round = 0; round < 60; round++) {
            for (const [n] of rings.entries()) model.ask(n);
            for (const [n] of rings.entries()) model.report(n, 'done');
            model.pass(soakHours);
          }
          expect(model.rollout.state).toBe('done');
        },
      ),
      { numRuns: 30 },
    );
  });
});
