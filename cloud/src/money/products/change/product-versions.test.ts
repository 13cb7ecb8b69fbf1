import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import { ALL_ROWS } from '../../../platform/http/caller.ts';
import { siteById } from '../../../records/sites/choose-site.ts';
import { findVisitRow } from '../../../records/visits/find-visits.ts';
import { priceNow } from '../../../stays/visits/price/price-now.ts';
import { plannedVersionRun } from './begin-planned.ts';

/** Now is the 21st of November 2026, noon. */
let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const LIGHT = { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'L' };
const DAY_MS = 24 * 3_600_000;

const plan = (id: string, validFrom: string, body: object) =>
  api.call('PUT', `/products/${id}`, { body: { ...body, validFrom } });

const VersionsSchema = z.array(
  z.looseObject({ version: z.int(), state: z.string(), price: z.int(), validFrom: z.string().nullable() }),
);
async function versionsOf(id: string) {
  return VersionsSchema.parse((await api.call('GET', `/products/${id}/versions`)).body['data']);
}

async function shortVersions(id: string): Promise<string[]> {
  return (await versionsOf(id)).map(({ version, state, price }) => `${version} ${state} ${price}`);
}

const codes = (body: Record<string, unknown>) =>
  z
    .array(z.looseObject({ code: z.string() }))
    .parse(body['codes'])
    .map(({ code }) => code);

const begin = () => plannedVersionRun(api.db).work({ now: api.now(), signal: new AbortController().signal });

/** The present debt of a visit that began then. */
async function owed(startedAt: string): Promise<number | undefined> {
  const { id } = await api.visit({ startedAt: utcTime(Date.parse(startedAt)) });
  return await owedBy(id, api.site.id);
}

/** The debt of a visit an hour from now. */
async function owedBy(visitId: string, siteId: string): Promise<number | undefined> {
  const at = utcTime(Date.parse(api.now()) + 3_600_000);
  return await api.db.read(async (q) => {
    const row = await findVisitRow(q, visitId, ALL_ROWS);
    const site = await siteById(q, siteId);
    if (row === null || site === null) throw new Error('it is not there');
    return (await priceNow(q, row, site, at))?.amountMinor;
  });
}

describe('a planned version', () => {
  it('changes nothing now, and is sent to the sites beside what holds', async () => {
    const { id } = await api.made('/products', LIGHT);
    const answer = await plan(id, '2026-12-01', { price: 600 });
    expect([answer.status, answer.body['price'], answer.body['version']]).toEqual([303, 500, 1]);
    expect(answer.body['planned']).toEqual([{ version: 2, validFrom: '2026-12-01' }]);
    expect(await api.lastChange()).toMatchObject({
      kind: 'product',
      item: { priceMinor: 500, version: 1, planned: [{ from: '2026-12-01', version: 2, priceMinor: 600 }] },
    });
    const [line] = (await api.audited()).filter(({ action }) => action === 'product.plan');
    expect(line).toMatchObject({ by: 'account:the-operator', subjectId: id });
    expect(await owed('2026-11-21T08:00:00.000Z')).toBe(500);
  });

  it('holds from midnight at the site on: for stays that begin then, and for earlier ones where it is cheaper', async () => {
    const { id } = await api.made('/products', { ...LIGHT });
    await plan(id, '2026-11-22', { price: 900 });
    await plan(id, '2026-11-23', { price: 100 });
    api.wait(11 * 3_600_000 - 1);
    expect(await owed('2026-11-21T20:00:00.000Z')).toBe(500);
    api.wait(3 * 3_600_000);
    expect(await owed('2026-11-21T23:59:59.999Z')).toBe(500);
    expect(await owed('2026-11-22T00:00:00.000Z')).toBe(900);
    await begin();
    expect(await owed('2026-11-21T23:59:59.999Z')).toBe(500);
    expect(await owed('2026-11-22T00:00:00.000Z')).toBe(900);
    api.wait(DAY_MS);
    expect(await owed('2026-11-22T23:00:00.000Z')).toBe(100);
  });

  it('becomes what the product is when its day has begun, with its own number', async () => {
    const { id } = await api.made('/products', LIGHT);
    await plan(id, '2026-11-22', { price: 600 });
    await begin();
    expect((await api.call('GET', `/products/${id}`)).body).toMatchObject({ price: 500, version: 1 });
    api.wait(DAY_MS / 2);
    await begin();
    await begin();
    expect((await api.call('GET', `/products/${id}`)).body).toMatchObject({
      price: 600,
      version: 2,
      planned: [],
    });
    const change = await api.lastChange();
    expect(change).toMatchObject({ item: { priceMinor: 600, version: 2 } });
    expect(change).not.toHaveProperty('item.planned');
    expect(await shortVersions(id)).toEqual(['2 present 600', '1 past 500']);
    expect((await api.audited()).filter(({ action }) => action === 'product.begin')).toHaveLength(1);
  });

  it('waits for every site of a product of all sites, and holds at each from its own midnight', async () => {
    const tokyo = await api.addSite('Tokyo');
    await api.call('PUT', `/sites/${tokyo.id}`, { body: { timeZone: 'Asia/Tokyo' } });
    const { id } = await api.made('/products', LIGHT);
    expect(codes((await plan(id, '2026-11-21', { price: 600 })).body)).toEqual(['valid-from-not-ahead']);
    await plan(id, '2026-11-22', { price: 600 });
    // 15:00 is midnight in Tokyo.
    api.wait(3 * 3_600_000);
    await begin();
    expect((await api.call('GET', `/products/${id}`)).body['price']).toBe(500);
    const at = async (siteId: string) =>
      await owedBy(
        (await api.visit({ startedAt: api.now(), plate: siteId.slice(0, 8) }, { siteId })).id,
        siteId,
      );
    expect([await at(tokyo.id), await at(api.site.id)]).toEqual([600, 500]);
    const withdrawn = await api.call('DELETE', `/products/${id}/versions/2`);
    expect([withdrawn.status, codes(withdrawn.body)]).toEqual([400, ['version-not-planned']]);
  });

  it('can be changed until it holds: with a new number, and the former one is withdrawn', async () => {
    const { id } = await api.made('/products', LIGHT);
    await plan(id, '2026-12-01', { price: 600, name: { is: 'Stæði' } });
    await plan(id, '2026-12-01', { price: 700 });
    expect(await shortVersions(id)).toEqual(['3 planned 700', '2 withdrawn 600', '1 present 500']);
    const [newest] = await versionsOf(id);
    expect(newest).toMatchObject({
      name: { is: 'Stæði' },
      savedBy: 'account:the-operator',
      validFrom: '2026-12-01',
    });
  });

  it('that is as what would hold on its day plans nothing', async () => {
    const { id } = await api.made('/products', LIGHT);
    await plan(id, '2026-12-01', { price: 600 });
    await plan(id, '2026-12-05', { price: 600 });
    expect(await shortVersions(id)).toEqual(['2 planned 600', '1 present 500']);
  });

  it('is withdrawn by its number, and not twice', async () => {
    const { id } = await api.made('/products', LIGHT);
    await plan(id, '2026-11-22', { price: 600 });
    expect((await api.call('DELETE', `/products/${id}/versions/2`)).status).toBe(204);
    expect(await api.lastChange()).not.toHaveProperty('item.planned');
    const again = await api.call('DELETE', `/products/${id}/versions/2`);
    expect(codes(again.body)).toEqual(['version-not-planned']);
    expect((await api.call('DELETE', `/products/${id}/versions/9`)).status).toBe(404);
    api.wait(DAY_MS);
    await begin();
    expect(await owed('2026-11-22T08:00:00.000Z')).toBe(500);
    expect(await shortVersions(id)).toEqual(['2 withdrawn 600', '1 present 500']);
  });

  it('stays planned where the product is changed before, and the change has the next number', async () => {
    const { id } = await api.made('/products', LIGHT);
    await plan(id, '2026-12-01', { price: 600 });
    await api.call('PUT', `/products/${id}`, { body: { price: 550 } });
    expect(await shortVersions(id)).toEqual(['3 present 550', '2 planned 600', '1 past 500']);
  });

  it('that has begun and is not noted yet is what a change starts from', async () => {
    const { id } = await api.made('/products', LIGHT);
    await plan(id, '2026-11-22', { price: 600, name: { is: 'Stæði' } });
    api.wait(DAY_MS);
    const { body } = await api.call('PUT', `/products/${id}`, { body: { price: 650 } });
    expect(body).toMatchObject({ price: 650, name: { is: 'Stæði' }, version: 3, planned: [] });
    expect(await shortVersions(id)).toEqual(['3 present 650', '2 past 600', '1 past 500']);
  });

  it.each([
    ['today', '2026-11-21', { price: 600 }, ['valid-from-not-ahead']],
    ['in the past', '2020-01-01', { price: 600 }, ['valid-from-not-ahead']],
    ['in a far future', '2036-01-01', { price: 600 }, ['valid-from-too-far']],
    ['on a day that is none', '2027-02-30', { price: 600 }, ['no-such-day']],
    [
      'with another currency and kind',
      '2026-12-01',
      { currency: 'EUR', type: 'visit' },
      ['not-in-version', 'not-in-version'],
    ],
    [
      'with a tariff that contradicts itself',
      '2026-12-01',
      { config: { tariff: { bands: [] } } },
      ['no-prices'],
    ],
  ])('is refused %s', async (_what, day, body, expected) => {
    const { id } = await api.made('/products', LIGHT);
    const answer = await plan(id, day, body);
    expect([answer.status, codes(answer.body)]).toEqual([400, expected]);
    expect(await shortVersions(id)).toEqual(['1 present 500']);
  });

  it('is withdrawn with its product', async () => {
    const { id } = await api.made('/products', LIGHT);
    await plan(id, '2026-11-22', { price: 600 });
    await api.call('DELETE', `/products/${id}`);
    api.wait(DAY_MS);
    await begin();
    expect(await owed('2026-11-22T08:00:00.000Z')).toBeUndefined();
    expect((await api.call('GET', `/products/${id}/versions`)).status).toBe(404);
  });

  it('of a session needs a fresh proof, like every change of a product', async () => {
    const { id } = await api.made('/products', { ...LIGHT, siteId: api.site.id });
    const headers = await api.session('the-operator', { steppedUpAt: null });
    const send = async (method: string, path: string, body?: object) =>
      (await api.call(method, path, { token: null, headers, body })).body['exception'];
    const stepUp = { message: 'Step-up needed' };
    expect(await send('PUT', `/products/${id}`, { price: 600, validFrom: '2026-12-01' })).toEqual(stepUp);
    expect(await send('PUT', `/products/${id}`, { price: 600 })).toEqual(stepUp);
    expect(await send('DELETE', `/products/${id}/versions/1`)).toEqual(stepUp);
  });
});
