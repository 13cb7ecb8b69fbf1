import { CameraClocks } from '@hlid/edge/camera/camera-clock';
import { createTestSite } from '@hlid/edge/test/site';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let site: ReturnType<typeof createTestSite>;
beforeEach(async () => {
  site = createTestSite();
  await site.price(500);
});
afterEach(() => site.close());

const visitsOf = (plate: string) => site.visits().filter((visit) => visit.plate === plate);
const JUMPS = [
  ['forward', DAY_MS],
  ['back', -DAY_MS],
] as const;

describe.each(JUMPS)("the site's clock is set a day %s", (_way, byMs) => {
  it('lets out who is inside, and leaves the bill to a person', async () => {
    await site.read('in-1', 'STAYS1');
    site.wait(2 * HOUR_MS);
    site.setClock(byMs);
    await site.read('out-1', 'STAYS1');
    expect(site.gates['out-1'].pulses).toBe(1);
    const [visit] = visitsOf('STAYS1');
    expect(visit).toMatchObject({ flags: expect.arrayContaining(['clock-set']) });
    expect(visit?.endedAt).not.toBeNull();
    expect(visit?.paymentStatus).toBeNull();
    expect(['stay-uncertain', 'nothing-due']).toContain(site.reasons().at(-1));
  });

  it('bills no company and uses no quota for the jump', async () => {
    await site.vehicle('FIRM1');
    await site.quota(10);
    await site.read('in-1', 'FIRM1');
    site.wait(HOUR_MS);
    site.setClock(byMs);
    await site.read('out-1', 'FIRM1');
    expect(site.gates['out-1'].pulses).toBe(1);
    const [visit] = visitsOf('FIRM1');
    expect(visit?.paymentStatus).toBeNull();
    expect(visit?.quota?.units ?? 0).toBeLessThanOrEqual(1);
  });

  it('charges later visits as usual, and joins none with an earlier one', async () => {
    await site.read('in-1', 'AGAIN1');
    site.wait(5 * MINUTE_MS);
    await site.read('out-1', 'AGAIN1');
    site.setClock(byMs);
    site.wait(2 * MINUTE_MS);
    await site.read('in-1', 'AGAIN1');
    site.wait(2 * HOUR_MS);
    await site.read('out-1', 'AGAIN1');
    expect(site.reasons().at(-1)).toBe('need-payment');
    expect(site.gates['out-1'].pulses).toBe(1);
    const [first, second, ...more] = visitsOf('AGAIN1');
    expect(more).toEqual([]);
    expect(first?.endedAt).not.toBeNull();
    expect(second).toMatchObject({ endedAt: null, status: 'need-payment', price: { amountMinor: 500 } });
  });

  it('lets a car that waits at the exit leave as soon as its visit is settled', async () => {
    await site.read('in-1', 'WAITS1');
    site.setClock(byMs);
    site.wait(MINUTE_MS);
    await site.read('in-1', 'WAITS2');
    site.wait(2 * HOUR_MS);
    await site.read('out-1', 'WAITS2');
    expect(site.gates['out-1'].pulses).toBe(0);
    const [visit] = visitsOf('WAITS2');
    const settlement = {
      id: 'settled-1',
      visitId: visit?.id ?? '',
      paymentStatus: 'kiosk' as const,
      amountMinor: 500,
      currency: 'ISK',
      units: 1,
      settledAt: site.now(),
      by: 'kiosk',
    };
    await site.change({ kind: 'settlement', op: 'put', id: settlement.id, item: settlement });
    await site.core.commit.run(() => undefined);
    expect(site.gates['out-1'].pulses).toBe(1);
  });

  it('keeps the order of events, without a gap in their numbers', async () => {
    for (const plate of ['ONE11', 'TWO22']) await site.read('in-1', plate);
    site.setClock(byMs);
    for (const plate of ['ONE11', 'TWO22']) await site.read('out-1', plate);
    const seqs = site.events().map(({ seq }) => seq);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    const reported = site.events().flatMap(({ body }) => ('visit' in body ? [body.type] : []));
    expect(reported.lastIndexOf('visit.opened')).toBeLessThan(reported.indexOf('visit.ended'));
  });

  it('trusts a camera whose clock is right at once, before and after it is corrected', () => {
    const clocks = new CameraClocks();
    clocks.shift(['cam'], byMs);
    expect(clocks.clockBehindMs('cam')).toBe(byMs);
    clocks.shift(['cam'], -byMs);
    expect(clocks.clockBehindMs('cam')).toBe(0);
    expect(clocks.beliefs()).toEqual({ cam: 0 });
  });
});

it('does not treat a clock that is corrected gradually as a jump', async () => {
  await site.read('in-1', 'SLEWED');
  for (let hour = 0; hour < 20; hour++) {
    site.setClock(20_000);
    site.wait(HOUR_MS);
    await site.read('in-2', `CAR${10 + hour}`);
  }
  await site.read('out-1', 'SLEWED');
  expect(site.reasons().at(-1)).toBe('need-payment');
});

describe('the clock is set while the program is away', () => {
  const YEARS_MS = 2 * 365 * DAY_MS;
  const RIGHT = Date.parse('2026-11-21T08:00:00.000Z');
  let machine = { id: 'boot-1', sinceBootMs: 0 };
  beforeEach(() => {
    machine = { id: 'boot-1', sinceBootMs: 0 };
  });

  /** The program starts again, with a clock that shows something else. */
  function restartAt(wallMs: number): void {
    const { folder } = site;
    site.core.stop();
    site.db.close();
    site = createTestSite({ folder, start: new Date(wallMs).toISOString(), boot: () => machine });
  }

  async function enterAt(wallMs: number): Promise<void> {
    restartAt(wallMs);
    await site.read('in-1', 'STAYS1');
    site.wait(40 * MINUTE_MS);
    machine = { ...machine, sinceBootMs: machine.sinceBootMs + 40 * MINUTE_MS };
  }

  async function leavesWithoutAPrice(): Promise<void> {
    expect(visitsOf('STAYS1')).toMatchObject([{ flags: ['clock-set'], endedAt: null }]);
    await site.read('out-1', 'STAYS1');
    expect(site.gates['out-1'].pulses).toBe(1);
    expect(visitsOf('STAYS1')).toMatchObject([{ paymentStatus: null }]);
    expect(visitsOf('STAYS1')[0]?.endedAt).not.toBeNull();
  }

  it('goes from two years back to now, with or without a new start of the machine', async () => {
    await enterAt(RIGHT - YEARS_MS);
    restartAt(RIGHT);
    await leavesWithoutAPrice();
    site.close();
    site = createTestSite();
    await site.price(500);
    await enterAt(RIGHT - YEARS_MS);
    machine = { id: 'boot-2', sinceBootMs: 20_000 };
    restartAt(RIGHT);
    await leavesWithoutAPrice();
  });

  it('back, or by an hour within one start of the machine', async () => {
    await enterAt(RIGHT);
    restartAt(RIGHT - HOUR_MS);
    expect(visitsOf('STAYS1')).toMatchObject([{ flags: ['clock-set'] }]);
    await enterAt(RIGHT);
    restartAt(site.core.context.clock.now().getTime() + HOUR_MS);
    expect(visitsOf('STAYS1').at(-1)).toMatchObject({ flags: ['clock-set'] });
  });

  it('stays as it is: a stay over a restart, an upgrade or a night without power is priced as usual', async () => {
    await enterAt(RIGHT);
    const now = () => site.core.context.clock.now().getTime();
    machine = { ...machine, sinceBootMs: machine.sinceBootMs + 3 * HOUR_MS };
    restartAt(now() + 3 * HOUR_MS);
    machine = { id: 'boot-2', sinceBootMs: 20_000 };
    restartAt(now() + 9 * HOUR_MS);
    site.core.confirmClock();
    site.core.checkClock();
    await site.core.commit.run(() => undefined);
    machine = { id: 'boot-3', sinceBootMs: 20_000 };
    restartAt(now() + 3 * DAY_MS);
    await site.read('out-1', 'STAYS1');
    expect([site.reasons().at(-1), visitsOf('STAYS1')[0]?.flags]).toEqual(['need-payment', []]);
  });

  it('lets in by the permits of today once it is right, and knows that it is behind what was confirmed', async () => {
    await site.permit('PERM1', { activeFrom: new Date(RIGHT - HOUR_MS).toISOString() });
    site.core.confirmClock();
    await site.core.commit.run(() => undefined);
    restartAt(RIGHT - YEARS_MS);
    expect(site.core.clockCertainlyBehindMs()).toBeGreaterThan(YEARS_MS - DAY_MS);
    site.setClock(YEARS_MS);
    site.core.checkClock();
    expect(site.core.clockCertainlyBehindMs()).toBe(0);
    await site.read('in-1', 'PERM1');
    expect(site.reasons().at(-1)).toBe('permit');
  });
});
