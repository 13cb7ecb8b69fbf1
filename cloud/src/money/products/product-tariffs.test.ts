import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { allInvoices } from '../../../test/settlements.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const label = { is: 'Dagur', en: 'Day' };
/** 15 minutes free once in 24 hours, then 200 for each started half hour. */
const TARIFF = {
  free: { minutes: 15, when: 'always', per: 'plate-24h' },
  exitGraceMinutes: 5,
  bands: [{ label, steps: [{ kind: 'each', everyMinutes: 30, priceMinor: 200 }] }],
};
const product = (config: unknown, fields = {}) => ({
  type: 'default',
  price: 3000,
  vehicleCategory: 'light',
  productCode: 'P',
  config,
  ...fields,
});
const config = (tariff: unknown) => ({ startTime: '00:00', endTime: '23:59', tariff });
const sell = async (tariff: unknown) => (await api.made('/products', product(config(tariff)))).id;
const trace = async (id: string) => (await api.call('GET', `/visit/${id}/price`)).body;

describe('a product with a tariff', () => {
  it('is shown as it was given, and sent to its sites', async () => {
    const id = await sell(TARIFF);
    const { body } = await api.call('GET', `/products/${id}`);
    expect(body).toMatchObject({ config: { tariff: TARIFF } });
    expect(await api.lastChange()).toMatchObject({ kind: 'product', item: { config: { tariff: TARIFF } } });
  });

  it('is refused if it contradicts itself, with the place of the contradiction', async () => {
    const bands = [{ steps: [{ kind: 'each', everyMinutes: 0, priceMinor: 200 }] }];
    const { status, body } = await api.call('POST', '/products', { body: product(config({ bands })) });
    expect(status).toBe(400);
    expect(JSON.stringify(body['messages'])).toContain('config.tariff.bands.0.steps.0');
  });

  it('has its form in the API’s description', async () => {
    const { body } = await api.call('GET', '/openapi.json', { token: null });
    const text = { type: 'string', pattern: expect.any(String) };
    expect(body).toMatchObject({
      components: {
        schemas: {
          Tariff: { type: 'object', description: expect.any(String) },
          TariffWindow: {
            properties: { startTime: { ...text, default: '00:00' }, endTime: { ...text, default: '23:59' } },
          },
          ProductConfig: { properties: { endTime: { default: '23:59' } } },
        },
      },
    });
  });
});

describe('a visit that a tariff prices', () => {
  const startedAt = '2026-11-21T10:00:00.000Z';

  it('has its lines with their names and lengths', async () => {
    await sell(TARIFF);
    const { id } = await api.visit({ startedAt });
    const { due } = (await trace(id)) as { due: unknown };
    expect(due).toMatchObject({
      amount: 800,
      lines: [
        { rule: 'free', units: 15, amount: 0 },
        { rule: 'step', units: 4, amount: 800, unitAmount: 200, minutes: 30, label },
      ],
    });
  });

  it('has its free time once in 24 hours', async () => {
    await sell(TARIFF);
    await api.visit({
      startedAt: '2026-11-21T06:00:00.000Z',
      endedAt: '2026-11-21T06:10:00.000Z',
      status: 'completed',
    });
    const { id } = await api.visit({ startedAt: '2026-11-21T11:44:00.000Z' });
    expect(await trace(id)).toMatchObject({ due: { amount: 200 } });
    const { id: other } = await api.visit({ startedAt: '2026-11-21T11:50:00.000Z', plate: 'XYZ99' });
    expect(await trace(other)).toMatchObject({ due: { amount: 0 } });
  });

  it('is settled in money, which later time is charged beside, and left by the tariff’s own grace', async () => {
    await sell(TARIFF);
    const { id } = await api.visit({ startedAt });
    await api.call('PUT', `/visit/${id}`, { body: { paymentStatus: 'kiosk' } });
    const { body } = await api.call('GET', `/visit/${id}`);
    expect(body).toMatchObject({
      paymentStatus: 'kiosk',
      unitsMet: 0,
      paid: 800,
      paidUntil: '2026-11-21T12:05:00.000Z',
    });
    expect(await allInvoices(api)).toMatchObject([{ amountMinor: 800, status: 'paid' }]);
    expect(await api.lastChange()).toMatchObject({
      kind: 'settlement',
      item: { units: 0, amountMinor: 800 },
    });
    api.wait(HOUR_MS);
    expect(await trace(id)).toMatchObject({ paid: 800, due: { amount: 400 } });
  });

  it('owes the money again that was to be invoiced and is taken back', async () => {
    await sell(TARIFF);
    const { id } = await api.visit({ startedAt });
    await api.call('PUT', `/visit/${id}`, { body: { paymentStatus: 'owner-invoice' } });
    await api.call('PUT', `/visit/${id}`, { body: { status: 'completed', reason: 'left' } });
    expect((await api.call('GET', `/visit/${id}`)).body).toMatchObject({ paid: 800 });
    await api.call('PUT', `/visit/${id}`, { body: { status: 'new', reason: 'it is there' } });
    expect((await api.call('GET', `/visit/${id}`)).body).toMatchObject({ paid: 0 });
    expect(await allInvoices(api)).toEqual([]);
    const settlements = (await api.changes()).filter(({ kind }) => kind === 'settlement');
    expect(settlements).toMatchObject([
      { item: { amountMinor: 800 } },
      { item: { amountMinor: -800, units: 0 } },
    ]);
  });

  it('goes by the price at entry, unless the new one is cheaper', async () => {
    const id = await sell(TARIFF);
    api.wait(60_000);
    const { id: visit } = await api.visit({ startedAt: api.now() });
    api.wait(HOUR_MS);
    const edit = (priceMinor: number) =>
      api.call('PUT', `/products/${id}`, {
        body: {
          config: config({ ...TARIFF, bands: [{ steps: [{ kind: 'each', everyMinutes: 30, priceMinor }] }] }),
        },
      });
    await edit(900);
    expect(await trace(visit)).toMatchObject({ due: { amount: 400, product: { id, version: 1 } } });
    await edit(50);
    expect(await trace(visit)).toMatchObject({ due: { amount: 100, product: { id, version: 3 } } });
  });
});
