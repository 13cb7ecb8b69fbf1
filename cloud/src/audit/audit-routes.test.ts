import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const LinesSchema = z.array(z.looseObject({ id: z.string(), action: z.string() }));

async function lines(query = '') {
  const { body } = await api.call('GET', `/audit${query}`);
  return LinesSchema.parse(body['data']);
}

describe('the audit log', () => {
  it('shows who changed what, before and after, newest first', async () => {
    const zone = await api.made('/zones', { name: 'Cellar', settings: {} });
    api.wait(1000);
    await api.call('PUT', `/zones/${zone.id}`, { body: { name: 'Basement' } });
    const [newest, older] = await lines(`?subject=zone&subjectId=${zone.id}`);
    expect(newest).toMatchObject({
      action: 'zone.update',
      by: 'account:the-operator',
      before: { name: 'Cellar' },
      after: { name: 'Basement' },
      on: api.now(),
    });
    expect(older).toMatchObject({ action: 'zone.create', before: null });
  });

  it('can be asked for by person and by time', async () => {
    await api.made('/zones', { name: 'Cellar', settings: {} });
    api.wait(1000);
    const since = api.now();
    await api.made(
      '/zones',
      { name: 'Roof', settings: {} },
      { token: await api.account('operator', { id: 'op2' }) },
    );
    expect(await lines('?by=account:op2')).toHaveLength(1);
    expect(await lines(`?date.from=${since}`)).toHaveLength(1);
    expect(await lines(`?date.to=${since}&subject=zone`)).toHaveLength(2);
    const earlier = new Date(Date.parse(since) - 1).toISOString();
    expect(await lines(`?date.to=${earlier}&subject=zone`)).toHaveLength(1);
    const day = since.slice(0, 10);
    expect(await lines(`?date.from=${day}&date.to=${day}&subject=zone`)).toHaveLength(2);
    expect(await lines('?by=account:nobody')).toEqual([]);
  });

  it('comes in pages that miss nothing', async () => {
    for (let n = 0; n < 60; n++) await api.made('/zones', { name: `Z${n}`, settings: {} });
    const first = await api.call('GET', '/audit?subject=zone');
    const second = await api.call('GET', `/audit?subject=zone&next=${String(first.body['next'])}`);
    const ids = [first, second].flatMap(({ body }) => LinesSchema.parse(body['data']).map(({ id }) => id));
    expect(new Set(ids).size).toBe(60);
    expect(second.body['next']).toBeNull();
  });

  it('is for operators, and refuses what it does not know', async () => {
    const customer = await api.account('customer', { customerId: 'c1' });
    expect((await api.call('GET', '/audit', { token: customer })).status).toBe(403);
    const bad = await api.call('GET', '/audit?colour=red&date.from=yesterday');
    expect(bad.status).toBe(400);
    expect(bad.body['messages']).toHaveLength(2);
    expect((await api.call('GET', '/audit?subjectId=x')).status).toBe(400);
  });
});
