import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { frame, group } from '../../../test/sample-documents.ts';
import { eventAt, passageEvent, readEvent, visitEvent } from '../../../test/sample-events.ts';
import { applyBatch } from '../../integration/ingest/apply-batch.ts';

let api: TestApi;
let entrance: string;
let exit: string;

beforeEach(async () => {
  api = await createTestApi();
  entrance = (await api.made('/cameras', { name: 'In', location: 'entrance', remoteId: 'cam-in' })).id;
  exit = (await api.made('/cameras', { name: 'Out', location: 'exit', remoteId: 'cam-out' })).id;
});
afterEach(async () => await api.close());

const PhotoSchema = z.looseObject({
  id: z.string(),
  plate: z.string().nullable(),
  status: z.string(),
  visitId: z.string().nullable(),
});
async function post(camera: string, document: unknown) {
  const { body } = await api.call('POST', `/photos/open-alpr?camera.id=${camera}`, { body: document });
  return PhotoSchema.parse(body);
}
const seen = (plate: string, camera = entrance) => post(camera, frame(plate, api.now()));
const edit = (id: string, body: unknown) => api.call('PUT', `/photo/${id}`, { body });
const visit = async (id: string | null) => (await api.call('GET', `/visit/${id}`)).body;
async function priced() {
  await api.made('/products', {
    type: 'default',
    price: 500,
    currency: 'ISK',
    vehicleCategory: 'light',
    productCode: 'day',
    name: { is: 'Dagur' },
  });
}

describe('GET /photos', () => {
  test('newest first, by plate, camera, place and day', async () => {
    await seen('ABX12');
    api.wait(HOUR_MS);
    await seen('ABX12', exit);
    api.wait(HOUR_MS);
    await seen('XYZ98');
    expect(await api.plates('/photos')).toEqual(['XYZ98', 'ABX12', 'ABX12']);
    expect(await api.plates('/photos?plate=ab-x12')).toEqual(['ABX12', 'ABX12']);
    expect(await api.plates(`/photos?camera.id=${exit}`)).toEqual(['ABX12']);
    expect(await api.plates('/photos?camera.location=entrance')).toEqual(['XYZ98', 'ABX12']);
    expect(await api.plates('/photos?camera.id=nobody')).toEqual([]);
    expect(await api.plates('/photos?date=2026-11-21')).toHaveLength(3);
    expect(await api.plates('/photos?date=2026-11-20')).toEqual([]);
    expect(await api.plates('/photos?date.from=2026-11-21T13:30:00Z')).toEqual(['XYZ98']);
    expect(await api.plates('/photos?date.to=2026-11-21T12:00:00.000Z')).toEqual(['ABX12']);
  });

  test('a day is one of the camera’s site', async () => {
    const tokyo = await api.addSite('Tokyo', 'Asia/Tokyo');
    const body = { name: 'T', location: 'entrance', remoteId: 't', siteId: tokyo.id };
    const camera = (await api.made('/cameras', body)).id;
    api.wait(4 * HOUR_MS);
    await seen('ABX12', camera);
    expect(await api.plates(`/photos?camera.id=${camera}&date=2026-11-22`)).toEqual(['ABX12']);
    expect(await api.plates(`/photos?camera.id=${camera}&date=2026-11-21`)).toEqual([]);
  });

  test('what has to be looked at, the longest waiting first, page by page', async () => {
    const plates = Array.from({ length: 120 }, (_unused, n) => `OLD${String(n).padStart(3, '0')}`);
    for (const plate of plates) {
      await post(entrance, group(plate, '2020-01-01T00:00:00.000Z'));
      api.wait(1000);
    }
    await seen('ABX12');
    for (const where of ['', '&camera.location=entrance']) {
      const walked: unknown[] = [];
      let next: string | null = '';
      while (next !== null) {
        const cursor: string = next === '' ? '' : `&next=${encodeURIComponent(next)}`;
        const { body } = await api.call('GET', `/photos?collection=need-review${where}${cursor}`);
        const page = z.looseObject({ next: z.string().nullable(), data: z.array(PhotoSchema) }).parse(body);
        walked.push(...page.data.map(({ plate }) => plate));
        next = page.next;
      }
      expect(walked).toEqual(plates);
    }
  });

  test('is refused to all but operators, and where the query is wrong', async () => {
    const token = await api.account('customer', { customerId: 'c1' });
    expect((await api.call('GET', '/photos', { token })).status).toBe(403);
    expect((await api.call('GET', '/photos?collection=all')).status).toBe(400);
    expect((await api.call('GET', '/photos?date=yesterday&colour=red')).body['messages']).toHaveLength(2);
  });
});

describe('whose photos are whose', () => {
  test('customers see those of their own visits, and none of others', async () => {
    const mine = await seen('ABX12');
    const other = await seen('XYZ98');
    await api.giveVisit(mine.visitId ?? '', 'c1');
    await api.giveVisit(other.visitId ?? '', 'c2');
    const token = await api.account('customer', { customerId: 'c1' });
    const nobody = await api.account('customer');
    for (const path of ['', '/picture']) {
      expect((await api.call('GET', `/photo/${mine.id}${path}`, { token })).status).toBe(200);
      expect((await api.call('GET', `/photo/${other.id}${path}`, { token })).status).toBe(404);
      expect((await api.call('GET', `/photo/${mine.id}${path}`, { token: nobody })).status).toBe(404);
      expect((await api.call('GET', `/photo/nothing${path}`)).status).toBe(404);
    }
    expect((await api.call('PUT', `/photo/${mine.id}`, { token, body: {} })).status).toBe(403);
    expect((await api.call('DELETE', `/photo/${mine.id}`, { token })).status).toBe(403);
  });

  test('a read that a site stored is its visit’s by its passage', async () => {
    const { read } = readEvent({ cameraId: 'cam-in' });
    const visitId = (await api.visit({ entryReadId: read.id })).id;
    const body = passageEvent({ passageId: read.passageId ?? '', visitId, read });
    const events = [{ ok: true as const, event: eventAt(1, body) }];
    await applyBatch(api.db, api.clock, { siteId: api.site.id, epoch: 'e1', events });
    expect((await api.call('GET', `/photo/${read.id}`)).body).toMatchObject({
      visitId,
      camera: { name: 'In' },
      decision: { open: true, reason: 'welcome' },
      url: null,
    });
  });
});

describe('PUT /photo/{id}', () => {
  test('says how far it has been looked at', async () => {
    const { id } = await seen('ABX12');
    for (const status of ['force-review', 'need-review', 'reviewed', 'new']) {
      const answer = await edit(id, { status });
      expect(answer).toMatchObject({ status: 303, location: `/photo/${id}`, body: { status } });
    }
    expect(await api.audited()).toHaveLength(8);
    expect((await edit(id, { status: 'deleted' })).status).toBe(400);
    // The score is shown with a photo, and passed over where it is sent back.
    expect((await edit(id, { plate: '', score: 1, status: 'odd' })).body['messages']).toHaveLength(2);
    expect((await edit(id, { id: 'other' })).status).toBe(400);
    expect((await edit('nothing', { status: 'reviewed' })).status).toBe(404);
  });

  test('corrects the plate of the visit that it began, and the site hears of it', async () => {
    const photo = await seen('ABX1Z');
    const answer = await edit(photo.id, { plate: 'ab x12', reason: 'Mud' });
    expect(answer.body).toMatchObject({ plate: 'ABX12', status: 'reviewed', outcome: 'visit-corrected' });
    expect(await visit(photo.visitId)).toMatchObject({ plate: 'ABX12' });
    const change = (await api.lastChange()) ?? { kind: 'none' };
    expect(change).toMatchObject({ kind: 'visit-edit', item: { plate: 'ABX12', reason: 'Mud' } });
    api.wait(HOUR_MS / 60);
    expect((await seen('ABX12', exit)).visitId).toBe(photo.visitId);
  });

  test('gives an unreadable car its plate', async () => {
    const photo = await seen('');
    expect(await visit(photo.visitId)).toMatchObject({ status: 'need-plate' });
    await edit(photo.id, { plate: 'ABX12' });
    expect(await visit(photo.visitId)).toMatchObject({ status: 'new', plate: 'ABX12', flags: [] });
  });

  test('does not touch a visit that is settled', async () => {
    const photo = await seen('ABX1Z');
    api.wait(60_000);
    await seen('ABX1Z', exit);
    const answer = await edit(photo.id, { plate: 'ABX12' });
    expect(answer.status).toBe(400);
    expect(answer.body['messages']).toEqual([expect.stringContaining('completed and settled')]);
    expect((await api.call('GET', `/photo/${photo.id}`)).body['plate']).toBe('ABX1Z');
    // A value that the visit has already is no change of it.
    expect((await edit(photo.id, { plate: 'ABX1Z' })).body['outcome']).toBe('photo-only');
  });

  test('ends the open visit whose exit was misread, at the time of the photo, and it waits to be paid', async () => {
    await priced();
    const came = await seen('ABX12');
    api.wait(3 * HOUR_MS);
    const left = await seen('QQQ77', exit);
    const leftAt = api.now();
    expect(left).toMatchObject({ status: 'need-review', visitId: null });
    api.wait(40 * HOUR_MS);
    expect((await edit(left.id, { plate: 'NOBODY1' })).body).toMatchObject({
      outcome: 'no-visit',
      status: 'need-review',
    });
    const answer = await edit(left.id, { plate: 'ABX12', reason: 'Looked at the picture' });
    expect(answer.body).toMatchObject({ outcome: 'visit-ended', status: 'reviewed', visitId: came.visitId });
    expect(await visit(came.visitId)).toMatchObject({
      status: 'need-payment',
      endedOn: leftAt,
      price: { amount: 500 },
      exitPhoto: { id: left.id },
      exitFoundBy: 'equal',
    });
    const change = await api.lastChange();
    expect(change).toMatchObject({ kind: 'visit-edit', item: { visitId: came.visitId, endedAt: leftAt } });
  });

  test('ends and completes it where nothing was due', async () => {
    const came = await seen('ABX12');
    api.wait(3 * HOUR_MS);
    const left = await seen('QQQ77', exit);
    await edit(left.id, { plate: 'ABX12' });
    expect(await visit(came.visitId)).toMatchObject({ status: 'completed', endedOn: api.now() });
  });

  test('leaves it to a person where several open visits fit', async () => {
    await seen('ABX12');
    api.wait(60_000);
    await seen('ABX13');
    const left = await seen('QQQ77', exit);
    expect((await edit(left.id, { plate: 'ABX19' })).body['outcome']).toBe('ambiguous-visit');
  });

  test('does not give a visit the plate of another open one by its exit', async () => {
    await priced();
    const one = await seen('ABX12');
    api.wait(60_000);
    const other = await seen('ABX92');
    api.wait(3 * HOUR_MS);
    const asked = await seen('ABX12', exit);
    expect(asked.visitId).toBe(one.visitId);
    expect((await edit(asked.id, { plate: 'ABX92' })).body).toMatchObject({ outcome: 'photo-only' });
    expect(await visit(other.visitId)).toMatchObject({ plate: 'ABX92', endedOn: null });
  });

  test('a plate that is given late finds the exit that had found no visit', async () => {
    await priced();
    const came = await seen('');
    api.wait(3 * HOUR_MS);
    const left = await seen('ABX12', exit);
    const leftAt = api.now();
    expect(left).toMatchObject({ status: 'need-review', visitId: null });
    api.wait(HOUR_MS);
    expect((await edit(came.id, { plate: 'ABX12' })).body['outcome']).toBe('visit-ended');
    expect(await visit(came.visitId)).toMatchObject({
      plate: 'ABX12',
      status: 'need-payment',
      endedOn: leftAt,
      price: { amount: 500 },
      exitPhoto: { id: left.id },
      flags: [],
    });
    expect((await api.call('GET', `/photo/${left.id}`)).body).toMatchObject({
      status: 'reviewed',
      visitId: came.visitId,
    });
    const change = await api.lastChange();
    expect(change).toMatchObject({ kind: 'visit-edit', item: { plate: 'ABX12', endedAt: leftAt } });
  });

  test('does not end the visit with which the same car is inside again', async () => {
    const came = await seen('');
    api.wait(HOUR_MS);
    const inside = await seen('ABX12');
    const answer = await edit(came.id, { plate: 'ABX12' });
    expect([answer.status, answer.body['messages']]).toEqual([
      400,
      [expect.stringContaining(`the visit ${inside.visitId} of that plate is open`)],
    ]);
    expect(await visit(inside.visitId)).toMatchObject({ status: 'new', endedOn: null });
  });

  test('a site with an edge daemon hears of a corrected exit', async () => {
    const opened = await api.visit({ plate: 'ABX12', startedAt: '2026-11-21T10:00:00.000Z' });
    const read = readEvent({ plate: 'QQQ77', cameraId: 'cam-out', receivedAt: api.now(), passageId: null });
    const events = [visitEvent('visit.updated', opened), read].map((body, n) => ({
      ok: true as const,
      event: eventAt(n + 1, body),
    }));
    await applyBatch(api.db, api.clock, { siteId: api.site.id, epoch: 'e1', events });
    const answer = await edit(read.read.id, { plate: 'ABX12' });
    expect(answer.body).toMatchObject({ outcome: 'visit-ended', visitId: opened.id });
    const edits = (await api.changes()).filter(({ kind }) => kind === 'visit-edit');
    expect(edits.length).toBeGreaterThan(0);
    expect(edits[0]).toMatchObject({ item: { visitId: opened.id, endedAt: api.now() } });
  });

  test('a test photo is corrected alone', async () => {
    const { body } = await api.call('POST', `/photos/open-alpr-test?camera.id=${entrance}`, {
      body: frame('ABX12', api.now()),
    });
    const answer = await edit(String(body['id']), { plate: 'XYZ98' });
    expect(answer.body).toMatchObject({ plate: 'XYZ98', outcome: 'photo-only' });
  });
});

describe('DELETE /photo/{id}', () => {
  test('erases the picture and keeps the row', async () => {
    const { id, visitId } = await seen('ABX12');
    expect((await api.call('DELETE', `/photo/${id}`)).status).toBe(204);
    expect((await api.call('GET', `/photo/${id}`)).body).toMatchObject({
      status: 'deleted',
      url: null,
      visitId,
    });
    expect((await api.call('GET', `/photo/${id}/picture`)).status).toBe(404);
    expect((await api.call('DELETE', `/photo/${id}`)).status).toBe(204);
    expect((await edit(id, { status: 'reviewed' })).status).toBe(400);
    expect((await api.call('DELETE', '/photo/nothing')).status).toBe(404);
    expect((await api.audited()).filter(({ action }) => action === 'photo.update')).toHaveLength(1);
  });
});
