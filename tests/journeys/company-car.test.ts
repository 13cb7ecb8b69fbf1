import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { IdViewSchema, type VisitView } from '../harness/cloud-views.ts';
import { type Network, startNetwork } from '../harness/network.ts';

let network: Network;

beforeAll(async () => {
  network = await startNetwork({ settings: { entryGraceMinutes: 0 } });
});
afterAll(() => network?.stop());

const QuotaViewSchema = z.looseObject({
  id: z.string(),
  total: z.int(),
  used: z.int(),
  free: z.int(),
  currentVisits: z.array(z.looseObject({ visitId: z.string() })),
});

async function addCustomer(name: string, billingMethod: 'monthly' | null): Promise<string> {
  const { id } = await network.operator.call(IdViewSchema, 'POST', '/customers', {
    account: { role: 'customer', status: 'active', name },
    customer: { name, language: 'is', options: { billingMethod } },
  });
  return id;
}

async function giveTo(customerId: string, ...plates: string[]): Promise<void> {
  for (const plate of plates) {
    await network.operator.call(IdViewSchema, 'POST', '/custodians', { plate, customerId });
  }
  await network.settled();
}

async function addQuota(customer: string, quantity: number): Promise<string> {
  const { id: product } = await network.operator.call(IdViewSchema, 'POST', '/products', {
    type: 'quota',
    productCode: `TEN-${customer}`,
    vehicleCategory: 'light',
    price: 4000,
    currency: 'ISK',
    name: { is: 'Tíu sólarhringar', en: 'Ten days' },
  });
  const { id } = await network.operator.call(IdViewSchema, 'POST', '/quotas', {
    customer,
    product,
    quantity,
  });
  await network.settled();
  return id;
}

async function quota(id: string) {
  await network.settled();
  return network.operator.call(QuotaViewSchema, 'GET', `/quotas/${id}`);
}

async function drivesIn(plate: string): Promise<void> {
  const lane = network.lane('in-1');
  const before = lane.openings();
  await lane.passes(plate);
  await lane.opensAfter(before);
}

async function drivesOut(plate: string) {
  const lane = network.lane('out-1');
  const before = lane.openings();
  const passage = await lane.passes(plate);
  if (passage.open) await lane.opensAfter(before);
  return passage;
}

/** The newest visit of a plate in the cloud, once the cloud has received all from the site. */
async function visitOf(plate: string): Promise<VisitView | undefined> {
  await network.settled();
  return (await network.operator.visits({ plate })).find((visit) => visit.plate === plate);
}

describe('a customer who is billed each month', () => {
  it('has its car let out on an invoice to the company', async () => {
    const company = await addCustomer('Bílaleigan', 'monthly');
    await giveTo(company, 'FYR71');
    await drivesIn('FYR71');
    expect(await drivesOut('FYR71')).toMatchObject({ open: true, reason: 'company-invoice' });
    expect(await visitOf('FYR71')).toMatchObject({
      status: 'completed',
      paymentStatus: 'company-invoice',
      price: { amount: 500, currency: 'ISK' },
      flags: [],
    });
  });

  it('pays for a car that it no longer has like any other', async () => {
    const company = await addCustomer('Leigan', 'monthly');
    const { id } = await network.operator.call(IdViewSchema, 'POST', '/custodians', {
      plate: 'LGA38',
      customerId: company,
    });
    expect((await network.operator.ask('DELETE', `/custodians/${id}`)).status).toBe(204);
    await network.settled();
    await drivesIn('LGA38');
    expect(await drivesOut('LGA38')).toMatchObject({ open: false, reason: 'need-payment' });
  });
});

describe('a customer with a quota of two units', () => {
  it('has two visits on the quota, and pays for the third by tariff', async () => {
    const company = await addCustomer('Kvóti', null);
    await giveTo(company, 'KVO16', 'BMX52', 'TJU94');
    const id = await addQuota(company, 2);

    await drivesIn('KVO16');
    const inside = await visitOf('KVO16');
    expect(await quota(id)).toMatchObject({ used: 1, free: 1, currentVisits: [{ visitId: inside?.id }] });
    expect(await drivesOut('KVO16')).toMatchObject({ open: true, reason: 'quota' });
    expect(await visitOf('KVO16')).toMatchObject({
      status: 'completed',
      price: { amount: 500 },
      due: { amount: 0 },
      flags: [],
    });
    expect(await quota(id)).toMatchObject({ used: 1, free: 1, currentVisits: [] });

    await drivesIn('BMX52');
    await network.settled();
    await drivesIn('TJU94');
    expect(await quota(id)).toMatchObject({ used: 2, free: 0 });
    expect(await drivesOut('BMX52')).toMatchObject({ open: true, reason: 'quota' });
    expect(await drivesOut('TJU94')).toMatchObject({ open: false, reason: 'need-payment' });
    expect(await visitOf('TJU94')).toMatchObject({ status: 'need-payment', price: { amount: 500 } });
  });

  it('never uses more than its quota at a site that is offline, and the cloud agrees', async () => {
    const company = await addCustomer('Einmana', null);
    await giveTo(company, 'EIN27', 'SVH63', 'DPR85');
    const id = await addQuota(company, 2);
    await network.cloud.kill();
    for (const plate of ['EIN27', 'SVH63', 'DPR85']) await drivesIn(plate);
    expect(await drivesOut('EIN27')).toMatchObject({ reason: 'quota' });
    expect(await drivesOut('SVH63')).toMatchObject({ reason: 'quota' });
    expect(await drivesOut('DPR85')).toMatchObject({ open: false, reason: 'need-payment' });
    await network.cloud.restart();
    expect(await quota(id)).toMatchObject({ total: 2, used: 2, free: 0, currentVisits: [] });
    expect(await visitOf('SVH63')).toMatchObject({ status: 'completed', flags: [] });
  });
});

describe('a heavy vehicle', () => {
  it('pays the price of heavy vehicles', async () => {
    await network.operator.call(z.unknown(), 'POST', '/vehicle/VRB49/override', {
      values: { massladen: 12_000 },
    });
    await network.settled();
    await drivesIn('VRB49');
    expect(await drivesOut('VRB49')).toMatchObject({ open: false, reason: 'need-payment' });
    expect(await visitOf('VRB49')).toMatchObject({ price: { amount: 1000, currency: 'ISK' } });
  });
});

describe('a visit that an operator begins in the cloud', () => {
  it('is found at the exit', async () => {
    const startedOn = new Date(Date.now() - 25 * HOUR_MS).toISOString();
    await network.operator.call(IdViewSchema, 'POST', '/visits', {
      plate: 'HUG30',
      startedOn,
      status: 'new',
      siteId: network.site.siteId,
    });
    await network.settled();
    expect(await drivesOut('HUG30')).toMatchObject({ open: false, reason: 'need-payment' });
    const owing = await visitOf('HUG30');
    expect(owing).toMatchObject({ startedOn, status: 'need-payment', price: { amount: 1000 } });
    await network.operator.settle(owing?.id ?? '', 'kiosk', 'paid at the desk');
    expect(await visitOf('HUG30')).toMatchObject({ paymentStatus: 'kiosk' });
  });
});
