import { readdirSync, readFileSync } from 'node:fs';
import { deflateSync, gzipSync } from 'node:zlib';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { MAX_DOCUMENT_BYTES, MAX_SENT_BYTES } from '@hlid/protocol/camera/document-collector';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { frame, group } from '../../../test/sample-documents.ts';
import { integrationEventTable } from '../../records/webhooks/integration-event-table.ts';

const FIXTURES = new URL('../../../../tests/fixtures/cameras/', import.meta.url);

let api: TestApi;
let camera: string;

beforeEach(async () => {
  api = await createTestApi();
  camera = (await api.made('/cameras', { name: 'Entrance', location: 'entrance', remoteId: 'cam-in' })).id;
});
afterEach(async () => await api.close());

const post = (body: unknown, type = 'open-alpr', token?: string) =>
  api.call('POST', `/photos/${type}?camera.id=${camera}`, { body, ...(token !== undefined && { token }) });

/** The photos that the API lists. */
async function photos(query = '') {
  const { body } = await api.call('GET', `/photos${query}`);
  return z.array(z.looseObject({ id: z.string(), plate: z.string().nullable() })).parse(body['data']);
}

describe('every genuine document', () => {
  for (const type of ['open-alpr', 'survision'] as const) {
    for (const name of readdirSync(new URL(type, FIXTURES)).filter((file) => file.endsWith('.json'))) {
      test(`${type}/${name} is taken or refused with a word, and old as it is makes no visit`, async () => {
        const answer = await post(readFileSync(new URL(`${type}/${name}`, FIXTURES), 'utf8'), type);
        expect([200, 303, 400], JSON.stringify(answer.body)).toContain(answer.status);
        const expected = ({ 200: 0, 303: 1, 400: 0 } as Record<number, number>)[answer.status];
        expect(await photos()).toHaveLength(expected ?? -1);
        if (answer.status === 303) {
          expect(answer.body).toMatchObject({ standing: 'late', status: 'need-review', visitId: null });
        }
        expect(await api.plates('/visits')).toEqual([]);
      });
    }
  }

  test('returns its reads: the plate of a captured push of a Survision camera', async () => {
    const document = readFileSync(
      new URL('survision/httppush_anpr_decision_MW818WM.trimmed.json', FIXTURES),
      'utf8',
    );
    const { body } = await post(document, 'survision');
    expect(body).toMatchObject({ plate: 'MW818WM', camera: { id: camera, location: 'entrance' } });
  });
});

test('a read is stored with its picture, answered with its location, and sent to integrators', async () => {
  const answer = await post(frame('AB-X12', api.now()));
  expect(answer).toMatchObject({ status: 303, location: `/photo/${String(answer.body['id'])}` });
  expect(answer.body).toMatchObject({
    plate: 'ABX12',
    plateRaw: 'AB-X12',
    score: 0.93,
    country: 'IS',
    capturedOn: api.now(),
    url: `/photo/${String(answer.body['id'])}/picture`,
    decision: { open: true, reason: 'welcome' },
    test: false,
  });
  expect((await api.call('GET', answer.location ?? '')).body).toEqual(answer.body);
  const made = (await api.audited()).filter(({ action }) => action === 'photo.create');
  expect(made.map(({ subjectId }) => subjectId)).toEqual([answer.body['id']]);
  const reported = await api.db.read(async (q) => await q.select().from(integrationEventTable));
  expect(reported.map(({ type }) => type)).toEqual(['visit.opened', 'photo.stored']);
});

test('the same event once more makes no second, but may bring the picture that got lost', async () => {
  const document = frame('ABX12', api.now(), { uuid: 'one' });
  const without = {
    ...document,
    results: document.results.map((one) => ({ ...one, plate_crop_jpeg: null })),
  };
  const first = await post(without);
  expect(first.body['url']).toBeNull();
  const again = await post(document);
  expect(again).toMatchObject({ status: 422, body: { id: first.body['id'] } });
  const { body } = await api.call('GET', `/photo/${String(first.body['id'])}`);
  expect(body['url']).not.toBeNull();
  expect(await photos()).toHaveLength(1);
  expect(await api.plates('/visits')).toEqual(['ABX12']);
});

test('the same event posted by two at once is stored once', async () => {
  const document = frame('ABX12', api.now(), { uuid: 'one' });
  const answers = await Promise.all(Array.from({ length: 8 }, () => post(document)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 422, 422, 422, 422, 422, 422, 422]);
  expect(await api.plates('/visits')).toEqual(['ABX12']);
});

test('a document with several vehicles makes a photo of each', async () => {
  const document = frame('ABX12', api.now(), { uuid: 'one' });
  const second = { plate: 'XYZ98', confidence: 91, plate_index: 1 };
  const answer = await post({ ...document, results: [...document.results, second] });
  expect(answer.body['plate']).toBe('ABX12');
  expect((await photos()).map(({ plate }) => plate).sort()).toEqual(['ABX12', 'XYZ98']);
});

test('a heartbeat makes nothing', async () => {
  const answer = await post({ data_type: 'heartbeat', timestamp: Date.parse(api.now()) });
  expect(answer).toMatchObject({ status: 200, body: { kind: 'heartbeat', heartbeat: true } });
  expect(await photos()).toEqual([]);
});

test('a test document is stored apart: no visit, no list, no event', async () => {
  const document = frame('ABX12', api.now(), { uuid: 'one' });
  const tested = await post(document, 'open-alpr-test');
  expect(tested).toMatchObject({ status: 303, body: { test: true, visitId: null, decision: null } });
  expect(await photos()).toEqual([]);
  expect(await photos('?collection=need-review')).toEqual([]);
  expect(await api.plates('/visits')).toEqual([]);
  expect((await post(document, 'open-alpr-test')).status).toBe(422);
  // It is not the live read of that event.
  expect((await post(document)).status).toBe(303);
});

describe('what is refused, with nothing stored', () => {
  const wrong: [string, string, string][] = [
    ['no JSON', 'open-alpr', '{"data_type":'],
    ['nothing', 'open-alpr', ''],
    ['another maker’s', 'survision', JSON.stringify(group('ABX12', '2026-11-21T12:00:00.000Z'))],
    ['of a wrong shape', 'open-alpr', JSON.stringify({ data_type: 'alpr_group', best_uuid: 5 })],
    ['of an unknown kind', 'open-alpr', JSON.stringify({ data_type: 'weather' })],
  ];
  test.each(wrong)('a document that is %s', async (_what, type, body) => {
    const answer = await post(body, type);
    expect(answer.status).toBe(400);
    expect(answer.body['messages']).toHaveLength(1);
    expect(await photos()).toEqual([]);
  });

  test('a type that there is not, a camera that there is not, and none', async () => {
    const document = frame('ABX12', api.now());
    expect((await post(document, 'genetec')).status).toBe(400);
    const answers = [
      await api.call('POST', '/photos/open-alpr?camera.id=nobody', { body: document }),
      await api.call('POST', '/photos/open-alpr', { body: document }),
      await api.call('POST', `/photos/open-alpr?camera.id=${camera}&plate=X`, { body: document }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  test('more than may be sent', async () => {
    const headers = { 'content-length': String(MAX_SENT_BYTES + 1) };
    const to = `/photos/open-alpr?camera.id=${camera}`;
    expect((await api.call('POST', to, { body: '{}', headers })).status).toBe(413);
  });

  test.each([
    ['with its length', false],
    ['in chunks', true],
  ])('nothing of a document whose picture is too large but the picture: %s', async (_, inChunks) => {
    const document = { ...group('ABX12', api.now()), overview_jpeg: `/9j/${'A'.repeat(13 * 1024 * 1024)}` };
    const body = Buffer.from(JSON.stringify(document));
    const length: Record<string, string> = inChunks ? {} : { 'content-length': String(body.length) };
    const response = await api.app.request(`/photos/open-alpr?camera.id=${camera}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.operator}`, 'content-type': 'application/json', ...length },
      body,
    });
    expect(response.status).toBe(303);
    expect(await photos()).toMatchObject([{ plate: 'ABX12' }]);
  });

  test('nothing of a body of a few megabytes', async () => {
    const large = (bytes: number) => ({
      ...group('ABX12', api.now()),
      overview_jpeg: `/9j/${'A'.repeat(bytes)}`,
    });
    const taken = await post(large(4 * 1024 * 1024));
    expect(taken.body['url']).not.toBeNull();
  });

  test('callers who may not', async () => {
    const document = frame('ABX12', api.now());
    expect((await post(document, 'open-alpr', await api.account('customer'))).status).toBe(403);
    expect((await post(document, 'open-alpr', await api.roleToken('kiosk'))).status).toBe(403);
    const nobody = await api.call('POST', '/photos/open-alpr?token=guessed', { body: document, token: null });
    expect(nobody.status).toBe(401);
  });
});

test('a webhook’s token may post and follow the answer’s location, and no more', async () => {
  const token = await api.roleToken('webhook');
  const answer = await post(frame('ABX12', api.now()), 'open-alpr', token);
  expect(answer.location).toContain('?access_token=');
  expect((await api.call('GET', answer.location ?? '', { token: null })).body).toEqual(answer.body);
  expect((await api.call('GET', `/photo/${String(answer.body['id'])}`, { token })).status).toBe(200);
  expect((await api.call('GET', '/photos', { token })).status).toBe(403);
});

test('a camera’s own token posts for that camera and for no other', async () => {
  const made = await api.call('POST', '/admin/create-photo-token', {
    body: { cameraId: camera, name: 'In' },
  });
  expect(made.status, JSON.stringify(made.body)).toBeLessThan(400);
  const token = encodeURIComponent(z.string().parse(made.body['access_token']));
  const body = frame('ABX12', api.now());
  const answer = await api.call('POST', `/photos/open-alpr?token=${token}`, { body, token: null });
  expect(answer).toMatchObject({ status: 303, body: { camera: { id: camera } } });
  const other = await api.made('/cameras', { name: 'Exit', location: 'exit', remoteId: 'cam-out' });
  const refused = await api.call('POST', `/photos/open-alpr?token=${token}&camera.id=${other.id}`, {
    body,
    token: null,
  });
  expect(refused.status).toBe(400);
});

describe('a packed document', () => {
  const postBytes = async (body: Uint8Array, headers: Record<string, string> = {}) =>
    await api.app.request(`/photos/open-alpr?camera.id=${camera}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api.operator}`, 'content-type': 'application/json', ...headers },
      body: new Uint8Array(body),
    });
  const document = () => JSON.stringify(frame('AB-X12', api.now()));

  test.each([
    ['gzip', (text: string) => gzipSync(text)],
    ['zlib', (text: string) => deflateSync(text)],
    // Some cameras declare packed content and send it unpacked.
    ['nothing, though it says so', (text: string) => Buffer.from(text)],
  ])('by %s is taken as at the edge', async (_how, pack) => {
    expect((await postBytes(pack(document()), { 'content-encoding': 'gzip' })).status).toBe(303);
    expect((await photos()).map(({ plate }) => plate)).toEqual(['ABX12']);
  });

  test.each(['br', 'zstd', 'gzip, br'])(
    'by %s is refused as at the edge, naming what is accepted',
    async (encoding) => {
      const refused = await postBytes(Buffer.from(document()), { 'content-encoding': encoding });
      expect(refused.status).toBe(415);
      expect(refused.headers.get('accept-encoding')).toBe('gzip, x-gzip, deflate, identity');
      expect(await refused.json()).toMatchObject({
        messages: ['The document must not be compressed, or by one of: gzip, x-gzip, deflate, identity.'],
      });
      expect(await photos()).toEqual([]);
    },
  );

  test('is unpacked up to a bound, and refused where it cannot be unpacked', async () => {
    expect((await postBytes(gzipSync(Buffer.alloc(MAX_SENT_BYTES + 1, 32)))).status).toBe(413);
    expect((await postBytes(gzipSync(document()).subarray(0, 60))).status).toBe(400);
    expect(await photos()).toEqual([]);
  });
});

test('what was mended in its documents stands with the devices of its site, for a day', async () => {
  const devices = async () => (await api.call('GET', `/sites/${api.site.id}/devices`)).body['data'];
  await post(frame('AB-X12', api.now()));
  expect(await devices()).toEqual([]);
  const picture = 'A'.repeat(MAX_DOCUMENT_BYTES);
  const large = { ...frame('KZD82', api.now()), picture };
  expect((await post(large)).status).toBe(303);
  const shown = {
    kind: 'camera',
    name: 'Entrance',
    state: 'ok',
    alarm: false,
    detail: expect.stringContaining('understood, though '),
  };
  expect(await devices()).toMatchObject([shown]);
  api.wait(DAY_MS / 2);
  await post(frame('BTE97', api.now()));
  expect(await devices()).toMatchObject([shown]);
  api.wait(DAY_MS);
  await post(frame('OKM37', api.now()));
  expect(await devices()).toMatchObject([{ ...shown, detail: '' }]);
});
