import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newId } from '@hlid/node/new-id';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTestSite } from '../../test/site.ts';

const WAIT_MS = 30 * MINUTE_MS;

let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  site = createTestSite({ kioskWorks: true });
});
afterEach(() => {
  site.close();
  vi.useRealTimers();
});

type Exit = 'out-1' | 'out-2';
const pulses = (exit: Exit = 'out-1') => site.gates[exit].pulses;
const shown = (exit: Exit = 'out-1') =>
  site.core.lanes.lanes().find(({ id }) => id === exit)?.instruction?.code ?? null;
const visitOf = (plate: string) => site.visits().findLast((visit) => visit.plate === plate);

/** Time goes by, for timers too, and what they begin is done. */
async function pass(ms: number): Promise<void> {
  site.wait(ms);
  vi.advanceTimersByTime(ms);
  await settled();
}

async function settled(): Promise<void> {
  for (let commits = 0; commits < 4; commits++) await site.core.commit.run(() => undefined);
}

/** A car that owes 500 comes to an exit and is kept. */
async function keep(plate: string, exit: Exit = 'out-1'): Promise<void> {
  await site.price();
  await site.read('in-1', plate);
  site.wait(5 * HOUR_MS);
  await site.read(exit, plate);
  expect(site.gates[exit].pulses).toBe(0);
}

let settlements = 0;
async function pay(plate: string): Promise<void> {
  const id = `settlement-${++settlements}`;
  const item = {
    id,
    visitId: visitOf(plate)?.id ?? '',
    paymentStatus: 'kiosk' as const,
    amountMinor: 500,
    currency: 'ISK',
    units: 1,
    settledAt: site.now(),
    by: 'account:1',
  };
  site.change({ kind: 'settlement', op: 'put', id, item });
  await settled();
}

/** Moves a gate, as an operator at the site or in the console. */
async function move(action: 'pulse' | 'hold' | 'close' | 'release'): Promise<void> {
  await site.execute({
    id: newId(),
    laneId: 'out-1',
    action,
    by: 'account:1',
    reason: 'test',
  });
  await settled();
}

describe('a car that an exit has kept', () => {
  it.each([
    ['at once', 0],
    ['after 35 seconds', 35_000],
    ['after ten minutes', 10 * MINUTE_MS],
    ['just when the wait ends', WAIT_MS],
  ])('leaves when it is paid for %s, though no camera reads it again', async (_when, ms) => {
    await keep('ABX12');
    await pass(ms);
    await pay('ABX12');
    expect(pulses()).toBe(1);
    expect(visitOf('ABX12')).toMatchObject({ endedAt: site.now(), exitLaneId: 'out-1' });
    expect(site.reasons().at(-1)).toBe('paid');
  });

  it('does not wait for ever', async () => {
    await keep('ABX12');
    await pass(WAIT_MS + 1);
    await pay('ABX12');
    expect([pulses(), visitOf('ABX12')?.endedAt]).toEqual([0, null]);
    await site.read('out-1', 'ABX12');
    expect(pulses()).toBe(1);
  });

  it('waits as long as the site wants', async () => {
    site.close();
    site = createTestSite({ settings: { exitWaitMinutes: 2 } });
    await keep('ABX12');
    await pass(2 * MINUTE_MS + 1);
    await pay('ABX12');
    expect(pulses()).toBe(0);
  });

  it('leaves by a permit, or a customer, that comes from the cloud', async () => {
    await keep('ABX12');
    await pass(5 * MINUTE_MS);
    await site.permit('ABX12', { type: 'visit', visitId: visitOf('ABX12')?.id ?? null });
    await settled();
    expect([pulses(), visitOf('ABX12')?.paymentStatus]).toEqual([1, 'whitelisted']);

    await keep('KZD82', 'out-2');
    await pass(20 * MINUTE_MS);
    const custody = { customerId: 'acme', billing: 'monthly' as const, from: '2026-01-01T00:00:00.000Z' };
    await site.vehicle('KZD82', { custody: [{ ...custody, until: null }] });
    await settled();
    expect([pulses('out-2'), site.reasons().at(-1)]).toEqual([1, 'company-invoice']);
  });

  it('leaves when a person voids its visit', async () => {
    site.close();
    site = createTestSite({ settings: { opensUnmatchedExit: false } });
    await keep('ABX12');
    await pass(5 * MINUTE_MS);
    await site.settle(visitOf('ABX12')?.id ?? '', 0, 'void');
    await settled();
    expect(pulses()).toBe(1);
  });

  it('is shown what to do all the while, and whom to call when the wait is over, until another car is there', async () => {
    await keep('ABX12');
    for (let minutes = 0; minutes < 29; minutes++) {
      expect(shown()).toBe('pay-at-kiosk');
      await pass(MINUTE_MS);
    }
    await pass(2 * MINUTE_MS);
    expect(shown()).toBe('call-for-help');
    await pass(HOUR_MS);
    expect(shown()).toBe('call-for-help');
    await site.read('out-2', 'ABX12');
    expect(shown()).toBeNull();
  });

  it('is let out by a person at any time of it', async () => {
    await keep('ABX12');
    await pass(10 * MINUTE_MS);
    await move('pulse');
    expect(visitOf('ABX12')).toMatchObject({ endedAt: site.now(), status: 'need-payment' });
    await pay('ABX12');
    expect(pulses()).toBe(1);
  });

  it('leaves after a restart of the edge, which shows it what to do', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hlid-waits-'));
    site.close();
    site = createTestSite({ folder, kioskWorks: true });
    await keep('ABX12');
    await pass(3 * MINUTE_MS);
    const start = site.now();
    site.core.stop();
    site.db.close();
    site = createTestSite({ folder, kioskWorks: true, start });
    expect(shown()).toBe('pay-at-kiosk');
    await pay('ABX12');
    expect(pulses()).toBe(1);
  });
});

it('is opened to after a restart that came between the payment and the gate, where the gate says that it is closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-waits-'));
  site.close();
  site = createTestSite({ folder });
  await keep('ABX12');
  site.gates['out-1'].pulse = () => new Promise(() => undefined);
  await pay('ABX12');
  const start = site.now();
  site.core.stop();
  site.db.close();
  site = createTestSite({ folder, start });
  site.gates['out-1'].reports = 'closed';
  await pass(2100);
  expect(pulses()).toBe(1);
});

it('is sent to the kiosk where the site has one that its edge knows nothing of, and to the telephone else', async () => {
  for (const [settings, code] of [
    [{ hasKiosk: true }, 'pay-at-kiosk'],
    [{}, 'call-for-help'],
  ] as const) {
    site.close();
    site = createTestSite({ settings });
    await keep('ABX12');
    expect(shown()).toBe(code);
  }
});

it('is not sent to a kiosk whose screen is dead, whatever the settings say', async () => {
  for (const settings of [{ hasKiosk: true }, {}]) {
    site.close();
    site = createTestSite({ settings, kioskWorks: true });
    await keep('ABX12');
    expect(shown()).toBe('pay-at-kiosk');
    site.core.lanes.setKiosk('dead');
    expect(shown()).toBe('call-for-help');
    site.core.lanes.setKiosk('works');
    expect(shown()).toBe('pay-at-kiosk');
  }
});

it('is shown a code to pay by phone, with its plate, as long as the cloud can pass on that it is paid', async () => {
  site.close();
  site = createTestSite({ settings: { payOnline: 'https://pay.example/pay/7KWM' }, kioskWorks: true });
  await keep('ABX12');
  const url = () =>
    site.core.lanes.lanes().find(({ id }) => id === 'out-1')?.instruction?.payByPhone?.url ?? null;
  expect(url()).toBeNull();
  site.core.lanes.setCloud(true);
  expect(url()).toBe('https://pay.example/pay/7KWM#plate=ABX12');
  site.core.lanes.setCloud(false);
  expect(url()).toBeNull();
  site.core.lanes.setCloud(true);
  await pay('ABX12');
  expect([url(), pulses()]).toEqual([null, 1]);
});

describe('a kept car', () => {
  it('has left when another car is read there: its payment opens no gate', async () => {
    await keep('ABX12');
    await pass(MINUTE_MS);
    await keep('KZD82');
    await pay('ABX12');
    expect(pulses()).toBe(0);
    await pay('KZD82');
    expect(pulses()).toBe(1);
    await pass(MINUTE_MS);
    await site.read('out-1', 'ABX12');
    expect([pulses(), site.reasons().at(-1)]).toEqual([2, 'paid']);
  });

  it('has left when it is read at another exit: only that one opens', async () => {
    await keep('ABX12');
    await pass(MINUTE_MS);
    await site.read('out-2', 'ABX12');
    expect([shown('out-1'), shown('out-2')]).toEqual([null, 'pay-at-kiosk']);
    await pass(MINUTE_MS);
    await pay('ABX12');
    expect([pulses('out-1'), pulses('out-2')]).toEqual([0, 1]);
  });

  it('has left when the loop before the gate is free again, and not while it stands on it', async () => {
    site.close();
    site = createTestSite({ withLoops: true, kioskWorks: true });
    const { arrival } = site.loops['out-1'];
    await keep('ABX12');
    arrival.set(true);
    await pass(2 * HOUR_MS);
    await pay('ABX12');
    expect(pulses()).toBe(1);
    arrival.set(false);
    await pass(MINUTE_MS);

    await keep('KZD82', 'out-2');
    site.loops['out-2'].arrival.set(true);
    await pass(1000);
    site.loops['out-2'].arrival.set(false);
    await pass(1000);
    expect(shown('out-2')).toBeNull();
    await pay('KZD82');
    expect(pulses('out-2')).toBe(0);
  });

  it('has not left when the loop loses it for a moment', async () => {
    site.close();
    site = createTestSite({ withLoops: true, kioskWorks: true });
    const { arrival } = site.loops['out-1'];
    await keep('ABX12');
    for (const occupied of [true, false, true]) {
      arrival.set(occupied);
      await pass(1000);
    }
    expect(shown()).toBe('pay-at-kiosk');
    await pass(10 * MINUTE_MS);
    await pay('ABX12');
    expect(pulses()).toBe(1);
  });
});

describe('a lane that a person keeps closed', () => {
  it('opens for who has paid meanwhile once it is released', async () => {
    await keep('ABX12');
    await move('close');
    await pass(5 * MINUTE_MS);
    await pay('ABX12');
    expect(pulses()).toBe(0);
    await pass(5 * MINUTE_MS);
    await move('release');
    expect(pulses()).toBe(1);
    expect(visitOf('ABX12')?.exitLaneId).toBe('out-1');
  });

  it('keeps who has not paid', async () => {
    await keep('ABX12');
    await move('close');
    await pass(5 * MINUTE_MS);
    await move('release');
    expect([pulses(), shown()]).toEqual([0, 'pay-at-kiosk']);
    await pay('ABX12');
    expect(pulses()).toBe(1);
  });
});

describe('a payment page whose gateway is off', () => {
  const payOnline = 'https://parking.example/pay/x';
  /** The cloud sends the site again. */
  const tell = (more: object) => {
    const { onlinePayment: _before, ...present } = site.core.site();
    const item = { ...present, settings: { ...present.settings, payOnline, helpPhone: '555 1234' }, ...more };
    site.change({ kind: 'site', op: 'put', id: 'site', item });
  };
  const instruction = () => site.core.lanes.lanes().find(({ id }) => id === 'out-1')?.instruction;

  it('is not where a driver is sent, also while he waits, until it is on again', async () => {
    site.close();
    site = createTestSite({ kioskWorks: false });
    tell({});
    await keep('ABX12');
    expect(instruction()).toMatchObject({ code: 'pay-online', payOnline });
    tell({ onlinePayment: 'off' });
    expect(instruction()).toMatchObject({ code: 'call-for-help', payOnline: null, helpPhone: '555 1234' });
    tell({});
    expect(instruction()).toMatchObject({ code: 'pay-online', payOnline });
  });

  it('is not shown beside a kiosk that works', async () => {
    tell({ onlinePayment: 'off' });
    await keep('ABX12');
    expect(instruction()).toMatchObject({ code: 'pay-at-kiosk', payOnline: null });
    tell({});
    expect(instruction()).toMatchObject({ code: 'pay-at-kiosk', payOnline });
  });
});
