import { randomUUID } from 'node:crypto';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { MAX_PICTURE_BYTES } from '@hlid/protocol/site-link/edge-api';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { TINY_JPEG } from '../../../test/sample-documents.ts';
import { readEvent, sampleVisit } from '../../../test/sample-events.ts';
import { storeSiteRead } from '../../../test/store-site-read.ts';
import { eraseWhatIsDue } from '../../privacy/retention/retention-run.ts';
import { loosePictureTable } from '../../records/photos/loose-picture-table.ts';
import { integrationEventTable } from '../../records/webhooks/integration-event-table.ts';

const JPEG = Buffer.from(TINY_JPEG, 'base64');
const PNG = Buffer.from('89504e470d0a1a0a0000', 'hex');

let api: TestApi;
let readId: string;

beforeEach(async () => {
  api = await createTestApi();
  const { read } = readEvent({ receivedAt: api.now(), plate: 'ABX12' });
  readId = read.id;
  await storeSiteRead(api, read);
});
afterEach(async () => await api.close());

interface Brought {
  of?: string;
  kind?: string;
  body?: Buffer;
  token?: string;
}

async function bring({ of = readId, kind = 'vehicle', body = JPEG, token }: Brought = {}) {
  return await api.call('PUT', `/edge/pictures/${of}/${kind}`, {
    body,
    token: token ?? `${api.site.id}.${api.site.secret}`,
    headers: { 'content-type': 'image/jpeg' },
  });
}

async function seen(path: string): Promise<{ status: number; type: string | null; bytes: Buffer }> {
  const answer = await api.app.request(path, { headers: { authorization: `Bearer ${api.operator}` } });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return { status: answer.status, type: answer.headers.get('content-type'), bytes };
}

test('a picture stands at its read and at its visit, byte for byte', async () => {
  const visit = sampleVisit({ entryReadId: readId });
  await api.visit(visit);
  expect((await bring()).status).toBe(204);
  expect((await bring({ kind: 'plate', body: PNG })).status).toBe(204);
  const photo = (await api.call('GET', `/photo/${readId}`)).body;
  expect(photo).toMatchObject({
    url: `/photo/${readId}/picture`,
    plateUrl: `/photo/${readId}/picture?kind=plate`,
  });
  expect(await seen(String(photo['url']))).toEqual({ status: 200, type: 'image/jpeg', bytes: JPEG });
  expect(await seen(String(photo['plateUrl']))).toEqual({ status: 200, type: 'image/png', bytes: PNG });
  const shown = await api.call('GET', `/visit/${visit.id}`);
  expect(shown.body['entrancePhoto']).toMatchObject({ url: `/photo/${readId}/picture` });
});

test('the same again, or another one, is answered alike and changes nothing; integrators hear of it once', async () => {
  expect((await bring()).status).toBe(204);
  expect((await bring()).status).toBe(204);
  expect((await bring({ body: PNG })).status).toBe(204);
  expect((await seen(`/photo/${readId}/picture`)).bytes.equals(JPEG)).toBe(true);
  const reported = await api.db.read(async (q) => await q.select().from(integrationEventTable));
  expect(reported.map(({ type, subjectId }) => [type, subjectId])).toEqual([['photo.stored', readId]]);
});

test.each<[string, () => Brought, number]>([
  ['what is no picture', () => ({ body: Buffer.from('<svg onload="alert(1)"/>') }), 415],
  ['nothing', () => ({ body: Buffer.alloc(0) }), 415],
  ['more than a camera makes', () => ({ body: Buffer.concat([JPEG, Buffer.alloc(MAX_PICTURE_BYTES)]) }), 413],
  ['another kind', () => ({ kind: 'driver' }), 400],
  ['an id that is none', () => ({ of: 'x' }), 400],
  ['of a read that is not there', () => ({ of: randomUUID() }), 410],
  ['of people', () => ({ token: api.operator }), 403],
])('refuses %s', async (_what, brought, status) => {
  const answer = await bring(brought());
  expect(answer.status).toBe(status);
  expect(answer.body['messages']).toHaveLength(1);
});

test('a site brings pictures of its own reads only', async () => {
  const other = await api.addSite('Airport');
  expect((await bring({ token: `${other.id}.${other.secret}` })).status).toBe(410);
  expect((await bring()).status).toBe(204);
});

test('a late picture of an erased plate, or of one that is too old, is not taken', async () => {
  await api.call('DELETE', '/privacy/plates/ABX12');
  expect((await bring()).status).toBe(410);
  const { read } = readEvent({ receivedAt: api.now(), plate: 'KLM34', eventKey: 'another' });
  await storeSiteRead(api, read);
  api.wait(91 * DAY_MS);
  expect((await bring({ of: read.id })).status).toBe(410);
});

test.each(['retention', 'erasing the photo', 'erasing the plate'])('%s takes both pictures', async (how) => {
  await bring();
  await bring({ kind: 'plate' });
  if (how === 'erasing the photo') await api.call('DELETE', `/photo/${readId}`);
  else if (how === 'erasing the plate') await api.call('DELETE', '/privacy/plates/ABX12');
  else {
    api.wait(91 * DAY_MS);
    await eraseWhatIsDue({ ...api.context }, api.now(), AbortSignal.timeout(5000));
  }
  for (const key of ['', '-plate']) {
    const stored = await api.context.pictures.get(`${api.site.id}/2026-11-21/${readId}${key}.jpg`);
    expect(stored).toBeNull();
  }
  expect(await api.db.read(async (q) => await q.select().from(loosePictureTable))).toEqual([]);
});
