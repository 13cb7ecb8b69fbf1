import { newId } from '@hlid/node/new-id';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';
import { GateHoldStore } from './gate-hold-store.ts';
import { LaneGateSchema } from './gate-kinds.ts';

const EVERY_LANE = ['in-1', 'in-2', 'out-1', 'out-2'] as const;

let site: ReturnType<typeof createTestSite>;
afterEach(() => site?.close());

const pulses = () => EVERY_LANE.map((lane) => site.gates[lane].pulses);
const movements = () => site.events().filter(({ body }) => body.type === 'gate.moved');

describe('a lane without a gate', () => {
  it('is written as one word, or as a kind', () => {
    expect(LaneGateSchema.parse('none')).toEqual({ kind: 'none' });
    expect(LaneGateSchema.parse({ kind: 'none' })).toEqual({ kind: 'none' });
    expect(LaneGateSchema.safeParse({ kind: 'none', url: 'http://10.0.0.9' }).success).toBe(false);
    expect(LaneGateSchema.safeParse('nonesuch').success).toBe(false);
  });

  it('begins and ends visits, what is owed is left to be paid, and nothing is moved', async () => {
    site = createTestSite({ gateless: EVERY_LANE });
    await site.price();
    await site.read('in-1', 'ABX12');
    site.wait(5 * HOUR_MS);
    await site.read('out-1', 'ABX12');
    expect(site.reasons()).toEqual(['welcome', 'left-unpaid']);
    expect(site.visits()).toMatchObject([
      {
        plate: 'ABX12',
        endedAt: site.now(),
        exitLaneId: 'out-1',
        status: 'need-payment',
        price: { amountMinor: 500 },
      },
    ]);
    expect([...pulses(), movements()]).toEqual([0, 0, 0, 0, []]);
    expect(site.core.lanes.lanes().map(({ gate }) => gate.state)).toEqual(['none', 'none', 'none', 'none']);
  });

  it.each([{ permitsOnly: true }, { capacity: 0 }, { opensUnreadable: false }])(
    'has every car inside that has driven in: %o',
    async (settings) => {
      site = createTestSite({ gateless: EVERY_LANE, settings });
      await site.read('in-1', 'ABX12');
      site.wait(MINUTE_MS);
      await site.read('in-2', null);
      expect(site.visits()).toMatchObject([
        { plate: 'ABX12', endedAt: null },
        { plate: null, endedAt: null },
      ]);
    },
  );

  it('refuses commands, and is left out of a command for all gates', async () => {
    site = createTestSite({ gateless: ['in-1', 'out-1'] });
    const command = { action: 'pulse', by: 'account:anna', reason: 'let in' } as const;
    expect(await site.execute({ id: newId(), laneId: 'in-1', ...command })).toBe('refused');
    expect(movements()).toEqual([]);
    expect(site.core.lanes.gated().map(({ id }) => id)).toEqual(['in-2', 'out-2']);
  });

  it('opens the gates that a site has beside it as always', async () => {
    site = createTestSite({ gateless: ['in-1', 'out-1'] });
    await site.price();
    await site.read('in-1', 'ABX12');
    site.wait(5 * HOUR_MS);
    await site.read('out-2', 'ABX12');
    expect(site.reasons()).toEqual(['welcome', 'need-payment']);
    expect(pulses()).toEqual([0, 0, 0, 0]);
    await site.settle(site.visits()[0]?.id ?? '', 1);
    expect(pulses()).toEqual([0, 0, 0, 1]);
  });

  it('takes over cars that came in through gates, and gives them back; a hold of that time is over', async () => {
    site = createTestSite();
    const { folder } = site;
    await site.price();
    await site.read('in-1', 'ABX12');
    const hold = { laneId: 'out-1', action: 'hold', by: 'account:anna', reason: 'moving day' } as const;
    expect(await site.execute({ id: newId(), ...hold })).toBe('done');
    site.core.stop();
    site.db.close();

    site = createTestSite({ folder, gateless: EVERY_LANE, start: '2026-11-21T12:00:00.000Z' });
    site.core.lanes.start();
    await site.read('out-1', 'ABX12');
    await site.read('in-2', 'MKJ45');
    expect(site.reasons()).toEqual(['welcome', 'left-unpaid', 'welcome']);
    expect(new GateHoldStore(site.db).load('out-1')).toBeUndefined();
    site.core.stop();
    site.db.close();

    site = createTestSite({ folder, start: '2026-11-21T18:00:00.000Z' });
    await site.read('out-1', 'MKJ45');
    expect(site.reasons().at(-1)).toBe('need-payment');
    expect(pulses()).toEqual([0, 0, 0, 0]);
  });
});
