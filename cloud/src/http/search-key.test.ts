import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const ListSchema = z.looseObject({ data: z.array(z.looseObject({ name: z.string() })) });
const names = async (path: string) =>
  ListSchema.parse((await api.call('GET', path)).body).data.map(({ name }) => name);

it.each(['jón', 'Jon', 'ÞÓRÐ', 'thord', 'ordars', 'þórðarson'])(
  'a name is found by part of it, accents or not: %s',
  async (part) => {
    const name = 'Jón Þórðarson';
    const made = await api.made('/customers', { customer: { name, language: 'is' } });
    await api.made('/customers', { customer: { name: 'Ægir ehf.', language: 'is' } });
    await api.made('/accounts', { account: { role: 'partner', status: 'active', name } });
    await api.made('/custodians', { plate: 'ABX12', customerId: made.id });
    const query = `?name=${encodeURIComponent(part)}`;
    expect([await names(`/customers${query}`), await names(`/accounts${query}`)]).toEqual([[name], [name]]);
    const { body } = await api.call('GET', `/custodians${query}`);
    expect(body['data']).toMatchObject([{ customerId: made.id }]);
  },
);

it('a visit is found by the beginning or the middle of its plate, equal ones first', async () => {
  for (const plate of ['VAB12', 'AVAB1', 'VAB', 'XYZ99', 'ABVA7']) {
    await api.visit({ plate });
    api.wait(1);
  }
  const found = async (part: string) => (await api.plates(`/visits?plate=${part}`)).sort();
  expect(await found('va')).toEqual(['VAB', 'VAB12']);
  expect(await found('vab')).toEqual(['AVAB1', 'VAB', 'VAB12']);
  // Characters that cameras mix up: 8 is B.
  expect(await found('va8')).toEqual(['AVAB1', 'VAB', 'VAB12']);
  expect(await found('yz9')).toEqual(['XYZ99']);
  expect(await found('V')).toEqual([]);
  expect((await api.plates('/visits?plate=VAB'))[0]).toBe('VAB');
  expect((await api.call('GET', '/visits/counts?plate=vab')).body).toEqual({ count: 3 });
  expect(await found('vab&status=closed')).toEqual([]);
});

it('whitelist entries are found by the beginning of their plate', async () => {
  for (const plate of ['VAB12', 'AVAB1', 'VAB']) await api.made('/visit/whitelist', { plate, reason: 'x' });
  expect((await api.plates('/visit/whitelist?plate=va')).sort()).toEqual(['VAB', 'VAB12']);
  expect((await api.plates('/visit/whitelist?plate=vab'))[0]).toBe('VAB');
});
