import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Json } from '../../../test/api.ts';
import { useLanes } from '../../../test/lanes.ts';
import { frame } from '../../../test/sample-documents.ts';

const lanes = useLanes();
const { post, drivesIn, drivesOut, visit } = lanes;

/** A customer with this plate's car. */
async function customerWith(plate: string, options: Json = {}): Promise<string> {
  const customer = { name: 'Fisk ehf.', language: 'is', options };
  const { id } = await lanes.api.made('/customers', { customer });
  const custody = { plate, customerId: id, dateFrom: '2026-01-01T00:00:00.000Z' };
  expect((await lanes.api.call('POST', '/custodians', { body: custody })).status).toBe(303);
  return id;
}

/** Two units of a prepaid stay. */
async function quotaOf(customer: string) {
  const product = await lanes.api.made('/products', {
    type: 'quota',
    price: 300,
    currency: 'ISK',
    vehicleCategory: 'light',
    productCode: 'quota',
    name: { is: 'Inneign' },
  });
  return await lanes.api.made('/quotas', { customer, product: product.id, quantity: 2 });
}

test('cars of a customer with a bill leave on it', async () => {
  await customerWith('FISK1', { billingMethod: 'monthly' });
  const seen = await drivesIn('FISK1');
  lanes.api.wait(3 * HOUR_MS);
  expect((await drivesOut('FISK1')).decision).toEqual({ open: true, reason: 'company-invoice' });
  const over = await visit(seen.visitId);
  expect(over).toMatchObject({
    status: 'completed',
    paymentStatus: 'company-invoice',
    price: { amount: 500 },
  });
});

test('a quota meets what it has units for, gives back what was not needed, and the rest is paid', async () => {
  const customer = await customerWith('FISK1');
  const quota = await quotaOf(customer);
  const units = async () => {
    const { used, free, currentVisits } = (await lanes.api.call('GET', `/quotas/${quota.id}`)).body;
    return { used, free, inside: z.array(z.unknown()).parse(currentVisits).length };
  };

  await drivesIn('FISK1');
  expect(await units()).toEqual({ used: 1, free: 1, inside: 1 });
  lanes.api.wait(5 * MINUTE_MS);
  expect((await drivesOut('FISK1')).decision?.reason).toBe('nothing-due');
  expect(await units()).toEqual({ used: 0, free: 2, inside: 0 });

  lanes.api.wait(HOUR_MS);
  await drivesIn('FISK1');
  lanes.api.wait(30 * HOUR_MS);
  expect((await drivesOut('FISK1')).decision).toEqual({ open: true, reason: 'quota' });
  expect(await units()).toEqual({ used: 2, free: 0, inside: 0 });

  lanes.api.wait(HOUR_MS);
  const { visitId } = await drivesIn('FISK1');
  lanes.api.wait(3 * HOUR_MS);
  expect((await drivesOut('FISK1')).decision?.reason).toBe('need-payment');
  expect(await visit(visitId)).toMatchObject({ price: { amount: 500 } });
});

test('a misread plate takes no unit of another’s quota for good', async () => {
  const customer = await customerWith('FISK1');
  const quota = await quotaOf(customer);
  const used = async () => (await lanes.api.call('GET', `/quotas/${quota.id}`)).body['used'];
  await post(lanes.entrance, frame('FISK1', lanes.api.now(), { uuid: 'u1', confidence: 75 }));
  expect(await used()).toBe(1);
  lanes.api.wait(1000);
  const { visitId } = await post(
    lanes.entrance,
    frame('FISKI2', lanes.api.now(), { uuid: 'u2', confidence: 95 }),
  );
  expect(await visit(visitId)).toMatchObject({ plate: 'FISKI2', customer: null });
  expect(await used()).toBe(0);
  lanes.api.wait(1000);
  await post(lanes.entrance, frame('FISK1', lanes.api.now(), { uuid: 'u3', confidence: 99 }));
  expect(await used()).toBe(1);
});

test('a site that invoices owners lets its guests go', async () => {
  const { settings } = (await lanes.api.call('GET', `/sites/${lanes.api.site.id}`)).body;
  await lanes.api.call('PUT', `/sites/${lanes.api.site.id}`, {
    body: { settings: { ...z.looseObject({}).parse(settings), invoicesOwners: true } },
  });
  const { visitId } = await drivesIn('ABX12');
  lanes.api.wait(3 * HOUR_MS);
  expect((await drivesOut('ABX12')).decision?.reason).toBe('owner-invoice');
  expect(await visit(visitId)).toMatchObject({ status: 'completed', paymentStatus: 'owner-invoice' });
});
