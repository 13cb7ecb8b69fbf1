import { newId } from '@hlid/node/new-id';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { MAX_EXIT_CLOSED_MINUTES } from '@hlid/protocol/records/gate-times';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';
import { GateHoldStore } from './gate-hold-store.ts';
import { GateHolds } from './gate-holds.ts';

let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  site = createTestSite();
});
afterEach(() => site.close());

type LaneId = keyof typeof site.gates;
type Action = 'pulse' | 'hold' | 'close' | 'release';

const move = (laneId: LaneId, action: Action) =>
  site.execute({ id: newId(), laneId, action, by: 'account:anna', reason: 'moving day' });
const movements = () =>
  site
    .events()
    .flatMap(({ body }) => (body.type === 'gate.moved' ? [[body.laneId, body.action, body.by]] : []));
const gateOf = (laneId: LaneId) => site.core.lanes.lanes().find(({ id }) => id === laneId)?.gate;

it('lets cars through a gate that is held open: read, decided, visits begin and end, no pulse', async () => {
  expect(await move('in-1', 'hold')).toBe('done');
  expect(await move('out-1', 'hold')).toBe('done');
  await site.price();
  await site.read('in-1', 'ABX12');
  site.wait(5 * 3_600_000);
  await site.read('out-1', 'ABX12');
  expect(site.reasons()).toEqual(['welcome', 'left-unpaid']);
  // It owes, and has left: a person looks at it.
  expect(site.visits()).toMatchObject([
    { plate: 'ABX12', endedAt: expect.any(String), status: 'need-payment' },
  ]);
  expect([site.gates['in-1'].pulses, site.gates['out-1'].pulses]).toEqual([0, 0]);
  expect(movements()).toEqual([
    ['in-1', 'hold', 'account:anna'],
    ['out-1', 'hold', 'account:anna'],
  ]);
});

it('calls nobody a tailgater at a gate that is held open, and opens again by itself after', async () => {
  await move('in-1', 'hold');
  await site.read('in-1', 'ABX12');
  await site.read('in-1', 'MKJ45');
  await move('in-1', 'release');
  await site.read('in-1', 'TUV99');
  expect(site.alerts()).toEqual([]);
  expect([site.gates['in-1'].commands, site.gates['in-1'].pulses]).toEqual([['hold', 'release'], 1]);
});

it('turns cars away from a lane that is kept closed, and says so; nothing begins or ends', async () => {
  await site.read('in-2', 'ABX12');
  await move('in-1', 'close');
  await move('out-1', 'close');
  await site.read('in-1', 'MKJ45');
  await site.read('out-1', 'ABX12');
  expect(site.reasons().slice(1)).toEqual(['closed-by-operator', 'closed-by-operator']);
  expect(site.visits()).toMatchObject([{ plate: 'ABX12', endedAt: null }]);
  expect([site.gates['in-1'].pulses, site.gates['out-1'].pulses]).toEqual([0, 0]);
  expect(gateOf('in-1')).toMatchObject({
    state: 'kept-closed',
    hold: { by: 'account:anna', lapsesAt: null },
  });
});

it('decides on the car that waited once the lane is automatic again', async () => {
  await move('in-1', 'close');
  await site.read('in-1', 'ABX12');
  site.wait(5 * 60_000);
  await move('in-1', 'release');
  await expect.poll(() => site.gates['in-1'].pulses).toBe(1);
  expect(site.reasons()).toEqual(['closed-by-operator', 'welcome']);
});

it('keeps an exit closed for a quarter of an hour at most', async () => {
  await site.read('in-1', 'ABX12');
  await move('out-1', 'close');
  site.wait(MAX_EXIT_CLOSED_MINUTES * MINUTE_MS - 1000);
  await site.read('out-1', 'ABX12');
  expect(site.gates['out-1'].pulses).toBe(0);
  site.wait(1000);
  await site.read('out-1', 'ABX12');
  expect(site.gates['out-1'].pulses).toBe(1);
});

it('opens an exit again that was kept closed for too long while the program was away', async () => {
  await move('out-1', 'close');
  site.wait(MAX_EXIT_CLOSED_MINUTES * MINUTE_MS + 1000);
  site.db.close();
  site = createTestSite({ folder: site.folder, start: site.now() });
  site.core.lanes.start();
  await expect.poll(movements).toEqual([
    ['out-1', 'close', 'account:anna'],
    ['out-1', 'release', 'lane:out-1'],
  ]);
  expect(gateOf('out-1')?.hold).toBeNull();
  expect(site.gates['out-1'].commands).toEqual(['release']);
});

it('begins a visit for whom a person lets in, why ever the lane would not have them', async () => {
  site.close();
  site = createTestSite({ settings: { permitsOnly: true, opensUnreadable: false } });
  await site.read('in-1', 'ABX12');
  await move('in-1', 'pulse');
  await move('in-2', 'hold');
  await site.read('in-2', null);
  expect(site.reasons()).toEqual(['permits-only', 'permits-only', 'need-plate']);
  expect(site.visits()).toMatchObject([
    { plate: 'ABX12', status: 'new' },
    { plate: null, status: 'need-plate', flags: ['unreadable-plate'] },
  ]);
});

it('survives a restart, and is sent to the devices again', async () => {
  await move('in-1', 'hold');
  await move('out-1', 'close');
  await move('in-2', 'hold');
  await move('in-2', 'release');
  site.db.close();
  site = createTestSite({ folder: site.folder, start: site.now() });
  // The gate opens to each car until its device has confirmed the hold.
  expect(site.core.lanes.get('in-1')?.gate.mode()).toBe('automatic');
  site.core.lanes.start();
  expect(site.core.lanes.get('out-1')?.gate.mode()).toBe('kept-closed');
  await expect.poll(() => site.core.lanes.get('in-1')?.gate.mode()).toBe('held-open');
  expect(site.gates['in-1'].commands).toEqual(['hold']);
  expect(site.gates['in-2'].commands).toEqual([]);
  site.core.lanes.stop();
});

it('ends a hold by itself when its time is over, also where the program was away', async () => {
  const hold = {
    by: 'account:anna',
    name: 'Anna',
    reasonCode: 'event',
    reason: '',
    lapseMinutes: 30,
  } as const;
  await site.execute({ id: newId(), laneId: 'in-1', action: 'hold', ...hold });
  expect(gateOf('in-1')?.hold).toMatchObject({ name: 'Anna', lapsesAt: '2026-11-21T08:30:00.000Z' });
  site.wait(30 * 60_000);
  // Cars are decided one by one at once; the device is released by the timer, or at the start.
  expect(site.core.lanes.get('in-1')?.gate.mode()).toBe('automatic');
  site.db.close();
  site = createTestSite({ folder: site.folder, start: site.now() });
  site.core.lanes.start();
  await expect.poll(movements).toEqual([
    ['in-1', 'hold', 'account:anna'],
    ['in-1', 'release', 'lane:in-1'],
  ]);
  expect(site.gates['in-1'].commands).toEqual(['release']);
  expect(gateOf('in-1')?.hold).toBeNull();
  const reasons = site.events().flatMap(({ body }) => (body.type === 'gate.moved' ? [body.reason] : []));
  expect(reasons).toEqual(['', 'hold-lapsed']);
});

it('renews a hold, and opens to cars one by one where the device no longer does it', async () => {
  const commands: string[] = [];
  let outcome: GateOutcome = 'done';
  const order = (what: string) => async () => {
    commands.push(what);
    return outcome;
  };
  const holds = new GateHolds(site.core.context, {
    lane: { id: 'in-1', direction: 'entry' },
    gate: { pulse: order('pulse'), hold: order('hold'), release: order('release') },
    store: new GateHoldStore(site.db),
    renewMs: 10,
  });
  await holds.set({
    id: newId(),
    laneId: 'in-1',
    action: 'hold',
    by: 'account:anna',
    reason: 'moving day',
  });
  await expect.poll(() => commands.length).toBeGreaterThan(2);
  expect(holds.mode()).toBe('held-open');
  outcome = 'unreachable';
  await expect.poll(() => holds.mode()).toBe('automatic');
  expect(holds.current()).toMatchObject({ mode: 'held-open', confirmed: false });
  holds.stop();
});

it('does not keep an exit closed for ever with the clock set back', async () => {
  await move('out-1', 'close');
  site.wait(-24 * 3_600_000);
  expect(site.core.lanes.get('out-1')?.gate.mode()).toBe('automatic');
});

it('does not hold open later what could not be reached when it was wanted', async () => {
  site.gates['in-1'].outcome = 'unreachable';
  expect(await move('in-1', 'hold')).toBe('unreachable');
  expect(gateOf('in-1')).toMatchObject({ hold: null, lastError: 'unreachable' });
});

it('lets go of a gate until the device has understood, and opens to cars meanwhile', async () => {
  await move('in-1', 'hold');
  site.gates['in-1'].outcome = 'unknown';
  expect(await move('in-1', 'release')).toBe('unknown');
  expect(site.core.lanes.get('in-1')?.gate.mode()).toBe('automatic');
  site.gates['in-1'].outcome = 'done';
  await expect.poll(() => gateOf('in-1')?.hold).toBeNull();
  expect(site.gates['in-1'].commands).toEqual(['hold', 'release', 'release']);
});

it('lets the car go for which a person opens, unsettled, and does not open to it twice', async () => {
  await site.price();
  await site.read('in-1', 'ABX12');
  site.wait(5 * 3_600_000);
  await site.read('out-1', 'ABX12');
  expect(site.gates['out-1'].pulses).toBe(0);
  expect(await move('out-1', 'pulse')).toBe('done');
  expect(site.visits()).toMatchObject([{ plate: 'ABX12', endedAt: site.now(), status: 'need-payment' }]);
  site.wait(3000);
  await site.read('out-1', 'ABX12');
  expect(site.gates['out-1'].pulses).toBe(1);
});

it('pulses no gate that is held open', async () => {
  await move('in-1', 'hold');
  expect(await move('in-1', 'pulse')).toBe('done');
  expect(site.gates['in-1'].pulses).toBe(0);
  expect(movements()).toHaveLength(2);
});
