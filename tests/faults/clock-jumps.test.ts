import { CameraClocks } from '@hlid/edge/camera/camera-clock';
import { createTestSite } from '@hlid/edge/test/site';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/utc-time';
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
      ...{ amountMinor: 500, currency: 'ISK', units: 1 },
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
