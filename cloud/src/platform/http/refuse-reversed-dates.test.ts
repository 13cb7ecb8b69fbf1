import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

const OpenApiSchema = z.looseObject({
  paths: z.record(
    z.string(),
    z.looseObject({
      get: z.looseObject({ parameters: z.array(z.looseObject({ name: z.string() })).optional() }).optional(),
    }),
  ),
});

it('a period that ends before it begins is refused alike by every query that has one', async () => {
  const { paths } = OpenApiSchema.parse((await api.call('GET', '/openapi.json')).body);
  const withDates = Object.entries(paths)
    .filter(([, { get }]) => get?.parameters?.some(({ name }) => name === 'date.from'))
    .map(([path]) => path);
  expect(withDates.length).toBeGreaterThan(5);
  for (const path of withDates) {
    const { status, body } = await api.call('GET', `${path}?date.from=2026-11-22&date.to=2026-11-21`);
    expect([path, status, body['messages']]).toEqual([path, 400, ['date.to: it is before date.from']]);
  }
});

it.each([
  ['2026-11-21', '2026-11-21', 200],
  ['2026-11-21T10:00:00Z', '2026-11-21T09:00:00Z', 400],
  ['2026-11-21T10:00:00+02:00', '2026-11-21T08:00:00Z', 200],
  ['2026-11-21T10:00:00Z', '2026-11-21', 200],
  ['2026-11-24', '2026-11-21T10:00:00Z', 400],
])('from %s to %s is answered by %i', async (from, to, status) => {
  const query = new URLSearchParams({ 'date.from': from, 'date.to': to });
  expect((await api.call('GET', `/visits?${query}`)).status).toBe(status);
});
