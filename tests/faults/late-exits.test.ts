import { visitTable } from '@hlid/cloud/records/visits/visit-table';
import { createTestApi } from '@hlid/cloud/test/api';
import { CameraClocks } from '@hlid/edge/camera/camera-clock';
import { createTestSite } from '@hlid/edge/test/site';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import type { PlateRead } from '@hlid/protocol/plate/plate-read';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { receiveEvents } from '../harness/paired-site.ts';

let site: ReturnType<typeof createTestSite>;
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  site = createTestSite({ clocks: new CameraClocks() });
  await site.price();
});
afterEach(() => {
  site.close();
  vi.useRealTimers();
});

type LaneId = 'in-1' | 'in-2' | 'out-1' | 'out-2';
const live = (lane: LaneId, plate: string) => site.read(lane, plate, { capturedAt: site.now() });
/** A read that a camera made that long ago, and could not send. */
const buffered = (plate: string | null, ago: number, more: Partial<PlateRead> = {}, lane: LaneId = 'out-1') =>
  site.read(lane, plate, { capturedAt: utcTime(millis(site.now()) - ago), ...more });
const visitOf = (plate: string) => site.visits().findLast((visit) => visit.plate === plate);

async function passTwoSeconds(): Promise<void> {
  site.wait(2000);
  vi.advanceTimersByTime(2000);
  for (let commits = 0; commits < 4; commits++) await site.core.commit.run(() => undefined);
}

describe('a car that left while the edge was down', () => {
  it('ends its visit at the time of the read, though the read arrives hours later, and leaves the amount due to a person', async () => {
    await live('in-1', 'ABX12');
    site.wait(5 * HOUR_MS);
    const leftAt = site.now();
    site.wait(3 * HOUR_MS + 7 * MINUTE_MS);
    await buffered('ABX12', 3 * HOUR_MS + 7 * MINUTE_MS);
    expect(visitOf('ABX12')).toMatchObject({
      endedAt: leftAt,
      exitLaneId: 'out-1',
      exitFoundBy: 'equal',
      status: 'need-payment',
      paymentStatus: null,
      flags: ['late-exit'],
      price: { amountMinor: 500 },
    });
    expect(site.reasons().at(-1)).toBe('late-exit');
  });

  it('owes nothing if it owed nothing at that time', async () => {
    await live('in-1', 'ABX12');
    await site.permit('KZD82');
    await live('in-2', 'KZD82');
    site.wait(10 * MINUTE_MS);
    site.wait(5 * HOUR_MS);
    await buffered('ABX12', 5 * HOUR_MS);
    await buffered('KZD82', 3 * HOUR_MS);
    expect(visitOf('ABX12')).toMatchObject({ status: 'completed', paymentStatus: null });
    expect(visitOf('KZD82')).toMatchObject({ status: 'completed', paymentStatus: 'whitelisted' });
  });

  it('is billed to no company, and uses no quota', async () => {
    const custody = [
      { customerId: 'acme', billing: 'monthly' as const, from: '2026-01-01T00:00:00.000Z', until: null },
    ];
    await site.vehicle('ABX12', { custody });
    await live('in-1', 'ABX12');
    site.wait(8 * HOUR_MS);
    await buffered('ABX12', 2 * HOUR_MS);
    expect(visitOf('ABX12')).toMatchObject({ paymentStatus: null, flags: ['late-exit'] });
    expect(visitOf('ABX12')?.endedAt).not.toBeNull();
  });

  it('keeps the visit that it began since, and corrects the end of the one before', async () => {
    await live('in-1', 'ABX12');
    site.wait(5 * HOUR_MS);
    const leftAt = site.now();
    site.wait(HOUR_MS);
    await live('in-1', 'ABX12');
    site.wait(2 * HOUR_MS);
    await buffered('ABX12', 3 * HOUR_MS);
    const [first, second] = site.visits();
    expect(first).toMatchObject({ endedAt: leftAt, flags: ['lost-exit', 'late-exit'], exitLaneId: 'out-1' });
    expect(second).toMatchObject({ endedAt: null, flags: [] });
  });

  it('is not matched to a later visit, to a similar plate, or by a poor read', async () => {
    await live('in-1', 'ABX12');
    await live('in-2', 'ABX13');
    site.wait(HOUR_MS);
    await buffered('ABX12', 2 * HOUR_MS);
    await buffered('ABX14', 30 * MINUTE_MS);
    await buffered('ABX12', 30 * MINUTE_MS, { score: 0.3 });
    await buffered(null, 30 * MINUTE_MS);
    expect(site.visits().map(({ endedAt }) => endedAt)).toEqual([null, null]);
  });

  it('ends each visit once, and opens no gate, when all buffered reads arrive at once', async () => {
    const plates = Array.from({ length: 15 }, (_, car) => `CAR${10 + car}`);
    for (const plate of plates) {
      await live('in-1', plate);
      site.wait(MINUTE_MS);
    }
    site.wait(8 * HOUR_MS);
    const before = site.gates['out-1'].pulses;
    for (const [car, plate] of plates.entries()) {
      site.wait(200);
      for (const frame of [0, 200, 400]) await buffered(plate, 3 * HOUR_MS - car * 7 * MINUTE_MS - frame);
    }
    await passTwoSeconds();
    expect(site.gates['out-1'].pulses).toBe(before);
    expect(site.visits().filter(({ endedAt }) => endedAt !== null)).toHaveLength(plates.length);
    expect(site.reasons().filter((reason) => reason === 'late-exit')).toHaveLength(plates.length);
  });

  it("gets out in two seconds if it stands at the exit after all, and only its camera's clock was wrong", async () => {
    site.close();
    site = createTestSite({ clocks: new CameraClocks(), settings: { opensUnmatchedExit: false } });
    await live('in-1', 'ABX12');
    site.wait(5 * HOUR_MS);
    await buffered('ABX12', 47 * MINUTE_MS);
    expect(site.gates['out-1'].pulses).toBe(0);
    await passTwoSeconds();
    expect(site.gates['out-1'].pulses).toBe(1);
  });
});

it('ends the same visits in the cloud as at the site', async () => {
  const api = await createTestApi();
  try {
    for (const plate of ['ABX12', 'KZD82']) await live('in-1', plate);
    site.wait(5 * HOUR_MS);
    await buffered('ABX12', 47 * MINUTE_MS);
    await live('in-1', 'KZD82');
    await buffered('KZD82', 2 * HOUR_MS);
    await receiveEvents(api, site.core.events.epoch, site.events());
    const rows = await api.db.read(async (q) => await q.select().from(visitTable));
    const shared = (visit: { id: string; endedAt: string | null; status: string; flags: string[] }) => [
      visit.id,
      visit.endedAt,
      visit.status,
      visit.flags,
    ];
    const byId = (one: unknown[], other: unknown[]) => String(one[0]).localeCompare(String(other[0]));
    expect(rows.map(shared).sort(byId)).toEqual(site.visits().map(shared).sort(byId));
    expect(rows.filter(({ flags }) => flags.includes('late-exit'))).toHaveLength(2);
  } finally {
    await api.close();
  }
});
