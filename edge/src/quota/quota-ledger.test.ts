import { HOUR_MS } from '@hlid/protocol/base/durations';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestSite } from '../../test/site.ts';

let site: ReturnType<typeof createTestSite>;
beforeEach(() => {
  site = createTestSite();
  site.price(500);
});
afterEach(() => site.close());

async function stays(plate: string, hours: number): Promise<string | undefined> {
  await site.read('in-1', plate);
  site.wait(hours * HOUR_MS);
  return leaves(plate);
}

async function leaves(plate: string): Promise<string | undefined> {
  await site.read('out-1', plate);
  site.wait(HOUR_MS / 10);
  return site.reasons().at(-1);
}

const quotas = () => site.visits().map(({ quota }) => quota);
const edit = (visitId: string, more: object) => {
  const id = '01a1fc93-bdd6-7682-9b18-8dd0566e2419';
  const item = { id, visitId, reason: 'seen in the picture', by: 'account:1', at: site.now(), ...more };
  return site.change({ kind: 'visit-edit', op: 'put', id, item });
};

describe('a visit of a customer with a quota', () => {
  beforeEach(() => site.vehicle('ABX12'));

  it('takes a unit at entry, and leaves on it', async () => {
    site.quota(5);
    await site.read('in-1', 'ABX12');
    expect(quotas()).toEqual([{ id: 'quota-1', units: 1 }]);
    site.wait(3 * HOUR_MS);
    expect(await leaves('ABX12')).toBe('quota');
    expect(site.gates['out-1'].pulses).toBe(1);
    expect(site.visits()).toMatchObject([
      {
        status: 'completed',
        paymentStatus: null,
        quota: { id: 'quota-1', units: 1 },
        price: { amountMinor: 0, lines: [{ rule: 'unit' }, { rule: 'units-met', units: -1 }] },
      },
    ]);
  });

  it('takes one more for each further started day', async () => {
    site.quota(5);
    expect(await stays('ABX12', 50)).toBe('quota');
    expect(quotas()).toEqual([{ id: 'quota-1', units: 3 }]);
  });

  it('owes by tariff what the quota has not, and takes what it has', async () => {
    site.quota(2);
    expect(await stays('ABX12', 50)).toBe('need-payment');
    expect(site.visits()).toMatchObject([
      { status: 'need-payment', quota: { units: 2 }, price: { amountMinor: 500 } },
    ]);
    const messages = site.events().filter(({ body }) => body.type.startsWith('visit.')).length;
    expect(await leaves('ABX12')).toBe('need-payment');
    expect(site.events().filter(({ body }) => body.type.startsWith('visit.'))).toHaveLength(messages);
  });

  it('never takes more than there is, however long the cloud is away', async () => {
    site.quota(2);
    for (const plate of ['CAR11', 'CAR22']) site.vehicle(plate);
    expect(await stays('ABX12', 1)).toBe('quota');
    expect(await stays('CAR11', 1)).toBe('quota');
    expect(await stays('CAR22', 1)).toBe('need-payment');
    expect(quotas()).toEqual([{ id: 'quota-1', units: 1 }, { id: 'quota-1', units: 1 }, null]);
  });

  it('counts a unit once when the cloud has received it', async () => {
    site.quota(2);
    await stays('ABX12', 1);
    site.quota(2, { used: 1 });
    site.acknowledge();
    expect(await stays('ABX12', 1)).toBe('quota');
    site.quota(2, { used: 2 });
    site.acknowledge();
    expect(await stays('ABX12', 1)).toBe('need-payment');
  });

  it('gives its unit back where nothing was due after all', async () => {
    site.quota(1);
    expect(await stays('ABX12', 0.2)).toBe('nothing-due');
    expect(quotas()).toEqual([{ id: 'quota-1', units: 0 }]);
    expect(await stays('ABX12', 2)).toBe('quota');
  });

  it('takes none under a permit, and none that a settlement has made needless', async () => {
    site.quota(1);
    site.permit('ABX12');
    expect(await stays('ABX12', 2)).toBe('whitelisted');
    expect(quotas()).toEqual([null]);
    site.change({ kind: 'permit', op: 'remove', id: 'permit-ABX12' });
    await site.read('in-1', 'ABX12');
    const visit = site.visits().at(-1);
    expect(visit?.quota).toEqual({ id: 'quota-1', units: 1 });
    const id = '01a1fc93-bdd6-7682-9b18-8dd0566e2418';
    const settlement = { paymentStatus: 'void', amountMinor: 0, currency: 'ISK', units: 0 } as const;
    site.change({
      kind: 'settlement',
      op: 'put',
      id,
      item: { id, visitId: visit?.id ?? '', ...settlement, settledAt: site.now(), by: 'account:1' },
    });
    expect(quotas().at(-1)).toEqual({ id: 'quota-1', units: 0 });
  });

  it('keeps what it took where a person closes it', async () => {
    site.quota(2);
    await site.read('in-1', 'ABX12');
    edit(site.visits()[0]?.id ?? '', { status: 'completed', endedAt: site.now() });
    expect(site.visits()).toMatchObject([{ status: 'completed', quota: { units: 1 } }]);
  });

  it('draws on a quota of its own category only, and on the first that has some', async () => {
    site.quota(5, { id: 'trucks', vehicleCategory: 'heavy' });
    site.quota(1, { id: 'full', used: 1 });
    site.quota(1, { id: 'other', customerId: 'other' });
    site.quota(1, { id: 'some' });
    await site.read('in-1', 'ABX12');
    expect(quotas()).toEqual([{ id: 'some', units: 1 }]);
  });

  it('has none before its custody and after it', async () => {
    site.quota(5);
    const custody = (from: string, until: string | null) => [
      { customerId: 'acme', billing: null, from, until },
    ];
    site.vehicle('CAR11', { custody: custody('2026-11-21T08:00:00.001Z', null) });
    site.vehicle('CAR22', { custody: custody('2026-01-01T00:00:00.000Z', '2026-11-21T08:00:00.000Z') });
    await site.read('in-1', 'CAR11');
    await site.read('in-2', 'CAR22');
    expect(quotas()).toEqual([null, null]);
  });

  it('has no further units taken by a plate that was misread at the exit', async () => {
    site.vehicle('ABO12');
    site.quota(5);
    await site.read('in-1', 'ABO12');
    site.wait(26 * HOUR_MS);
    expect(await leaves('AB012')).toBe('quota');
    expect(site.gates['out-1'].pulses).toBe(1);
    expect(site.visits()).toMatchObject([
      {
        status: 'need-payment',
        endedAt: expect.any(String),
        flags: ['uncertain-plate'],
        quota: { units: 1 },
        price: { amountMinor: 500 },
      },
    ]);
  });

  it('keeps what it took when the quota goes, and takes no more', async () => {
    site.quota(5);
    await site.read('in-1', 'ABX12');
    site.change({ kind: 'quota', op: 'remove', id: 'quota-1' });
    site.wait(3 * HOUR_MS);
    expect(await leaves('ABX12')).toBe('quota');
    await site.read('in-1', 'ABX12');
    expect(quotas().at(-1)).toBeNull();
  });

  it('follows its plate: given back by one that was misread, taken by the one that it is', async () => {
    site.quota(1);
    await site.read('in-1', 'ABX12', { score: 0.75 });
    site.wait(300);
    await site.read('in-1', 'ABX1Z', { score: 0.97 });
    expect(site.visits()).toMatchObject([{ plate: 'ABX1Z', quota: { id: 'quota-1', units: 0 } }]);
    edit(site.visits()[0]?.id ?? '', { plate: 'ABX12' });
    expect(site.visits()).toMatchObject([{ plate: 'ABX12', quota: { id: 'quota-1', units: 1 } }]);
  });
});

describe('a customer', () => {
  const custody = (billing: 'daily' | 'monthly' | 'whitelist') => [
    { customerId: 'acme', billing, from: '2026-01-01T00:00:00.000Z', until: null },
  ];

  it('who is billed leaves on an invoice, of what the quota does not meet', async () => {
    site.vehicle('ABX12', { custody: custody('monthly') });
    expect(await stays('ABX12', 3)).toBe('company-invoice');
    site.quota(1);
    expect(await stays('ABX12', 30)).toBe('company-invoice');
    expect(site.visits()).toMatchObject([
      { status: 'completed', paymentStatus: 'company-invoice', quota: null, price: { amountMinor: 500 } },
      {
        status: 'completed',
        paymentStatus: 'company-invoice',
        quota: { units: 1 },
        price: { amountMinor: 500 },
      },
    ]);
  });

  it('who got the car while it was inside neither pays for the stay nor gives a unit for it', async () => {
    const later = { customerId: 'acme', billing: 'monthly' as const, from: site.now(), until: null };
    site.quota(5);
    await site.read('in-1', 'ABX12');
    site.wait(HOUR_MS);
    site.vehicle('ABX12', { custody: [{ ...later, from: site.now() }] });
    site.wait(3 * HOUR_MS);
    expect(await leaves('ABX12')).toBe('need-payment');
    expect(site.visits()).toMatchObject([{ quota: null }]);
  });

  it('who is whitelisted owes nothing', async () => {
    site.vehicle('ABX12', { custody: custody('whitelist') });
    expect(await stays('ABX12', 3)).toBe('whitelisted');
    expect(site.visits()).toMatchObject([{ paymentStatus: 'whitelisted', price: { amountMinor: 0 } }]);
  });

  it('is asked like any other by a plate that only looks like theirs', async () => {
    site.vehicle('ABO12', { custody: custody('monthly') });
    expect(await stays('AB012', 3)).toBe('need-payment');
  });

  it('gets no invoice without a review if the plate was misread at the exit', async () => {
    site.vehicle('ABO12', { custody: custody('monthly') });
    await site.read('in-1', 'ABO12');
    site.wait(3 * HOUR_MS);
    expect(await leaves('AB012')).toBe('company-invoice');
    expect(site.visits()).toMatchObject([
      { status: 'need-payment', paymentStatus: null, flags: ['uncertain-plate'] },
    ]);
  });
});

describe('a heavy vehicle', () => {
  it('is priced by the heavy product, or by the light one where there is no other', async () => {
    site.vehicle('TRK11', { category: 'heavy', custody: [] });
    await stays('TRK11', 3);
    expect(site.visits()).toMatchObject([{ price: { amountMinor: 500 } }]);
    site.price(1200, 'heavy');
    site.vehicle('TRK22', { category: 'heavy', custody: [] });
    await stays('TRK22', 3);
    expect(site.visits().at(-1)).toMatchObject({
      price: { amountMinor: 1200, product: { id: 'day-heavy' } },
    });
    await stays('CAR11', 3);
    expect(site.visits().at(-1)).toMatchObject({ price: { amountMinor: 500 } });
  });
});

describe('always', () => {
  it('takes no more than the quota has, charges nothing that it met, and forgets none of it at a restart', async () => {
    const step = fc.record({
      car: fc.constantFrom('ABX12', 'CAR11', 'CAR22'),
      hours: fc.constantFrom(0.1, 2, 26, 60),
      next: fc.constantFrom('nothing', 'nothing', 'cloud hears', 'restart'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 6 }),
        fc.array(step, { maxLength: 10 }),
        async (total, steps) => {
          site.close();
          site = createTestSite();
          site.price(500);
          for (const plate of ['ABX12', 'CAR11', 'CAR22']) site.vehicle(plate);
          site.quota(total);
          const used = () => site.visits().reduce((sum, { quota }) => sum + (quota?.units ?? 0), 0);
          for (const { car, hours, next } of steps) {
            await stays(car, hours);
            expect(used()).toBeLessThanOrEqual(total);
            if (next === 'cloud hears') {
              site.quota(total, { used: used() });
              site.acknowledge();
            }
            if (next === 'restart') {
              site.db.close();
              site = createTestSite({ folder: site.folder, start: site.now() });
            }
          }
          for (const { price, quota } of site.visits()) {
            if (price === null) continue;
            const [unit] = price.lines;
            const units = unit?.units ?? 0;
            expect(price.amountMinor).toBeLessThanOrEqual(500 * (units - (quota?.units ?? 0)));
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});
