import { HOUR_MS } from '@hlid/protocol/utc-time';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { linkWatchJob } from '../../devices/alarms/watch-links.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const ListSchema = z.looseObject({
  data: z.array(z.looseObject({ id: z.string(), archivedOn: z.string().nullable() })),
});

async function listed(query = ''): Promise<string[]> {
  const { body } = await api.call('GET', `/sites${query}`);
  return ListSchema.parse(body).data.map(({ id }) => id);
}

it('leaves an archived site out of lists and alarms, keeps its history, and brings it back', async () => {
  const { id } = api.site;
  const visit = { plate: 'ABX12', siteId: id, startedOn: '2026-11-21T09:00:00.000Z' };
  const { body: made } = await api.call('POST', '/visits', { body: visit });
  expect((await api.call('DELETE', `/sites/${id}`)).body).toMatchObject({ codes: [{ code: 'site-in-use' }] });

  expect((await api.call('POST', `/sites/${id}/archive`)).body).toMatchObject({ id, status: 'revoked' });
  expect(await listed()).not.toContain(id);
  expect(await listed('?archived=true')).toEqual([id]);
  expect(await listed('?archived=all')).toContain(id);
  expect((await api.call('GET', `/visit/${made['id']}`)).status).toBe(200);
  api.wait(48 * HOUR_MS);
  expect(await linkWatchJob(api.db).isDue?.(api.now())).toBe(false);

  expect((await api.call('DELETE', `/sites/${id}/archive`)).status).toBe(204);
  expect(await listed()).toContain(id);
  // Its secret is gone: it needs another one.
  expect((await api.call('GET', `/sites/${id}`)).body).toMatchObject({ status: 'revoked', archivedOn: null });
});

it('deletes a site to which nothing belongs, and no other', async () => {
  const { id: unused } = await api.addSite('Airport');
  expect((await api.call('DELETE', `/sites/${unused}`)).status).toBe(204);
  expect((await api.call('GET', `/sites/${unused}`)).status).toBe(404);
  expect((await api.call('DELETE', `/sites/${unused}`)).status).toBe(404);

  const { id: zoned } = await api.addSite('Harbour 2');
  const zone = await api.call('POST', '/zones', { body: { siteId: zoned, name: 'Cellar', settings: {} } });
  expect(zone.status).toBeLessThan(400);
  expect((await api.call('DELETE', `/sites/${zoned}`)).status).toBe(400);
});

it('raises an alarm for a site that has never been connected a day after it was made', async () => {
  const { id: late } = await api.addSite('Airport');
  const job = linkWatchJob(api.db);
  api.wait(23 * HOUR_MS);
  expect(await job.isDue?.(api.now())).toBe(false);
  api.wait(2 * HOUR_MS);
  expect(await job.isDue?.(api.now())).toBe(true);
  await job.work({ now: api.now(), signal: new AbortController().signal });
  const { body } = await api.call('GET', `/sites/${late}/devices`);
  expect(body['data']).toMatchObject([{ kind: 'link', state: 'unreachable', alarm: true }]);
  expect(await job.isDue?.(api.now())).toBe(false);
});
