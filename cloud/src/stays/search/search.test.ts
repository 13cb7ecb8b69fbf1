import { HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { addCustomer, allInvoices, settle } from '../../../test/settlements.ts';
import { SearchResultSchema } from './search.ts';

let api: TestApi;
let otherSite: string;
let customerId: string;
const at = (hour: number) => utcTime(Date.parse('2026-11-20T00:00:00.000Z') + hour * HOUR_MS);

beforeAll(async () => {
  api = await createTestApi();
  otherSite = (await api.addSite('Airport')).id;
  customerId = await addCustomer(
    api,
    { billingMethod: 'daily' },
    { ssn: '5305750209', name: 'Þórður & synir' },
  );
  const left = { endedAt: at(20), status: 'completed' } as const;
  await api.visit({ plate: 'ABX12', startedAt: at(1), ...left });
  await api.visit({ plate: 'ABX12', startedAt: at(3), ...left });
  await api.visit({ plate: 'A8X12', startedAt: at(2) });
  await api.visit({ plate: 'ABY12', startedAt: at(5) }, { siteId: otherSite });
  await api.visit({ plate: 'ABX123', startedAt: at(4), ...left });
  await api.visit({ plate: 'ABX12345', startedAt: at(6) });
  await api.visit({ plate: 'ZZZ99', startedAt: at(7) });
  const { id } = await api.visit({ plate: 'ABX13', startedAt: at(8), ...left });
  await api.giveVisit(id, customerId);
});
afterAll(() => api.close());

async function search(query: string, token = api.operator) {
  const { status, body } = await api.call('GET', `/search?${new URLSearchParams(`q=${query}`)}`, { token });
  expect(status).toBe(200);
  return SearchResultSchema.parse(body);
}

describe('a plate typed as it was heard', () => {
  it('finds cars inside first, then the better matches, and says why', async () => {
    const { visits } = await search('abx-12');
    expect(visits.map(({ plate, match, inside }) => [plate, match, inside])).toEqual([
      ['A8X12', 'confusable', true],
      ['ABY12', 'near', true],
      ['ABX12345', 'prefix', true],
      ['ABX12', 'equal', false],
      ['ABX13', 'near', false],
      ['ABX123', 'near', false],
    ]);
    expect(visits.map(({ differences }) => differences)).toEqual([
      [{ at: 1, typed: 'B', found: '8' }],
      [{ at: 2, typed: 'X', found: 'Y' }],
      [],
      [],
      [{ at: 4, typed: '2', found: '3' }],
      [{ at: 5, typed: '', found: '3' }],
    ]);
    // A plate that is not inside is found by its newest visit.
    expect(visits[3]).toMatchObject({ startedOn: at(3), status: 'completed', photoId: null, flags: [] });
  });

  it('is found at one site where one is asked for', async () => {
    const { visits } = await search(`ABX12&siteId=${otherSite}`);
    expect(visits.map(({ plate }) => plate)).toEqual(['ABY12']);
  });

  it('is found as soon as two characters are typed, inside', async () => {
    expect((await search('AB')).visits.map(({ plate }) => plate)).toEqual(['ABX12345', 'ABY12', 'A8X12']);
    expect((await search('Z')).visits).toEqual([]);
  });

  it('is found by customers among their own visits', async () => {
    const customer = await api.account('customer', { customerId });
    expect((await search('ABX12', customer)).visits.map(({ plate }) => plate)).toEqual(['ABX13']);
    const nobody = await api.account('customer');
    expect((await search('ABX12', nobody)).visits).toEqual([]);
  });

  it('refuses nothing that may be typed', async () => {
    for (const query of ['%25', "'", '"', '()', '"%2500', 'x'.repeat(100), 'ЖЖЖ']) await search(query);
    expect((await api.call('GET', '/search?q=')).status).toBe(400);
  });
});

describe('other things', () => {
  it('are invoices by number and customers by name or national id', async () => {
    await settle(api, { plate: 'ABX13', customerId, paymentStatus: 'kiosk' });
    const [invoice] = await allInvoices(api);
    const byNumber = await search(String(invoice?.number));
    expect(byNumber.invoices).toMatchObject([{ id: invoice?.id, amount: 1240 }]);
    const customer = { id: customerId, name: 'Þórður & synir', ssn: '5305750209' };
    expect((await search('thordur')).customers).toEqual([customer]);
    expect((await search('530575-0209')).customers).toEqual([customer]);
  });

  it('are found by the permission for each', async () => {
    const [invoice] = await allInvoices(api);
    const kinds = async (permission: 'visits' | 'money' | 'people' | 'lanes') => {
      const token = await api.account('operator', { permissions: [permission] });
      const found = [await search('ABX12', token), await search(String(invoice?.number), token)];
      const [visits, money, named] = [...found, await search('synir', token)];
      return [visits?.visits.length !== 0, money?.invoices.length !== 0, named?.customers.length !== 0];
    };
    expect(await kinds('visits')).toEqual([true, false, false]);
    expect(await kinds('money')).toEqual([false, true, false]);
    expect(await kinds('people')).toEqual([false, false, true]);
    expect(await kinds('lanes')).toEqual([false, false, false]);
  });

  it('are of the own customer only', async () => {
    const other = await api.account('customer', { customerId: await addCustomer(api) });
    const [invoice] = await allInvoices(api);
    expect(await search(String(invoice?.number), other)).toMatchObject({ invoices: [] });
    expect((await search('synir', other)).customers).toEqual([]);
    const own = await api.account('customer', { customerId });
    expect((await search('synir', own)).customers).toHaveLength(1);
    const lister = await api.account('whitelist', { customerId });
    expect((await search('synir', lister)).customers).toEqual([]);
  });
});
