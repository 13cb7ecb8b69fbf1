import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';

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

  it('names people and things, and can be asked for by site', async () => {
    const other = (await api.addSite('Airport')).id;
    await api.made('/zones', { name: 'Cellar', settings: {}, siteId: other });
    const { id } = await api.visit({ plate: 'ABX12' });
    await api.call('PUT', `/visit/${id}`, { body: { plate: 'ABX13', reason: 'Mud' } });
    expect(await lines(`?siteId=${other}&subject=zone`)).toMatchObject([
      { action: 'zone.create', byName: 'operator', subjectName: 'Cellar', siteId: other },
    ]);
    expect(await lines(`?siteId=${api.site.id}&subject=visit`)).toMatchObject([
      { action: 'visit.update', subjectId: id, subjectName: 'ABX13', reason: 'Mud' },
    ]);
  });
});

describe('look-ups of plates', () => {
  const LOOK_UPS = '?action=plate.look-up';
  const look = (path: string, headers: Record<string, string> = {}, token = api.operator) =>
    api.call('GET', path, { headers, token });

  it('by operators are noted with their purpose, whatever call made them', async () => {
    await look('/search?q=abx-12', { 'X-Purpose': encodeURIComponent('Kvörtun') });
    await look('/visits?plate=MKJ45');
    await look('/visits?near=ABX99');
    await look('/passages?plate=KL');
    await look('/vehicle/XY123');
    const found = await lines(LOOK_UPS);
    expect(found.map(({ subjectId }) => subjectId).sort()).toEqual(['ABX12', 'ABX99', 'KL', 'MKJ45']);
    expect(found.find(({ subjectId }) => subjectId === 'ABX12')).toMatchObject({
      by: 'account:the-operator',
      byName: 'operator',
      subject: 'plate',
      reason: 'Kvörtun',
      after: { route: 'GET /search' },
    });
    expect(await lines('?subject=plate&subjectId=ABX12')).toHaveLength(1);
  });

  it('are noted once for some minutes, and not where nothing was shown', async () => {
    for (let n = 0; n < 3; n++) await look('/search?q=ABX12');
    await look('/visits?plate=ABX12');
    await look('/search?q=A');
    await look('/search?q=Anna%20Sigurveig%20Karlsdóttir');
    await look('/visits?plate=MKJ45&flag=blue');
    expect(await lines(LOOK_UPS)).toHaveLength(1);
    api.wait(11 * 60_000);
    await look('/search?q=ABX12');
    expect(await lines(LOOK_UPS)).toHaveLength(2);
  });

  it('by customers among their own are their own business', async () => {
    const customer = await api.account('customer', { customerId: 'c1' });
    await look('/search?q=ABX12', {}, customer);
    expect(await lines(LOOK_UPS)).toEqual([]);
  });

  it('refuse a purpose that cannot be stored', async () => {
    for (const purpose of ['%', ' ', 'x'.repeat(201)]) {
      expect((await look('/search?q=ABX12', { 'X-Purpose': purpose })).status, purpose).toBe(400);
    }
    expect(await lines(LOOK_UPS)).toEqual([]);
  });

  it('go when the plate is erased', async () => {
    const left = { status: 'completed', endedAt: api.now() } as const;
    await api.visit({ plate: 'ABX12', ...left });
    await look('/search?q=ABX12', { 'X-Purpose': 'ABX12 again' });
    expect((await api.call('DELETE', '/privacy/plates/ABX12')).status).toBe(200);
    expect(JSON.stringify(await lines(LOOK_UPS))).not.toContain('ABX12');
    expect(await lines(LOOK_UPS)).toHaveLength(1);
  });
});
