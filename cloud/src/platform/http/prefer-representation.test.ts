import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
});
afterEach(() => api.close());

const PREFER = { prefer: 'return=representation' };

async function addZone(name: string, headers: Record<string, string>) {
  return await api.call('POST', '/zones', { body: { name, settings: {} }, headers });
}

it.each(['return=representation', 'respond-async, return=representation', 'Return="representation"; foo=1'])(
  'with Prefer: %s, create and update answer 200 with the resource',
  async (prefer) => {
    const made = await addZone('P1', { prefer });
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ name: 'P1' });
    const path = `/zones/${String(made.body['id'])}`;
    expect(made.headers.get('content-location')).toBe(path);
    expect(made.headers.get('location')).toBeNull();
    expect(made.headers.get('preference-applied')).toBe('return=representation');
    const changed = await api.call('PUT', path, { body: { name: 'P2' }, headers: { prefer } });
    expect([changed.status, changed.body['name']]).toEqual([200, 'P2']);
  },
);

it.each([{}, { prefer: 'return=minimal' }, { prefer: 'return=representations' }])(
  'with %j they answer 303',
  async (headers) => {
    const made = await addZone('P1', headers);
    expect(made.status).toBe(303);
    expect(made.headers.get('preference-applied')).toBeNull();
  },
);

it('leaves refusals and replies to other calls as they are', async () => {
  expect((await addZone('', PREFER)).status).toBe(400);
  const read = await api.call('GET', '/zones', { headers: PREFER });
  expect(read.headers.get('preference-applied')).toBeNull();
});

it('works with an idempotency key, whichever of the two calls asks for it', async () => {
  const key = { 'idempotency-key': 'zone-1' };
  const first = await addZone('P1', key);
  const again = await addZone('P1', { ...key, ...PREFER });
  expect([first.status, again.status]).toEqual([303, 200]);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});
