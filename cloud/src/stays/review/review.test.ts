import { randomUUID } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import type { StoredRead } from '@hlid/protocol/site-link/site-event';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { frame } from '../../../test/sample-documents.ts';
import { eventAt, readEvent } from '../../../test/sample-events.ts';
import { applyBatch } from '../../integration/ingest/apply-batch.ts';
import { openDb } from '../../platform/db/libsql-db.ts';
import { eq } from '../../platform/db/sql.ts';
import { createApp } from '../../program/app.ts';
import { photoTable } from '../../records/photos/photo-table.ts';
import { needsBlindReview } from './answer-case.ts';

let api: TestApi;
let anna: string;
let birna: string;
let entrance: string;
let exit: string;
let epoch = 0;

beforeEach(async () => {
  api = await createTestApi();
  entrance = (await api.made('/cameras', { name: 'In', location: 'entrance', remoteId: 'cam-in' })).id;
  exit = (await api.made('/cameras', { name: 'Out', location: 'exit', remoteId: 'cam-out' })).id;
  anna = await api.account('operator', { id: 'anna' });
  birna = await api.account('operator', { id: 'birna' });
});
afterEach(() => api.close());

const CasesSchema = z.object({
  data: z.array(z.looseObject({ id: z.string(), causes: z.array(z.string()), plate: z.string().nullable() })),
});
const next = async (token: string, query = '') =>
  CasesSchema.parse((await api.call('GET', `/review/next${query}`, { token })).body).data;
const nextIds = async (token: string, query = '?n=10') => (await next(token, query)).map(({ id }) => id);
const claim = (token: string, id: string) => api.call('POST', `/photo/${id}/claim`, { token });
const release = (token: string, id: string) => api.call('DELETE', `/photo/${id}/claim`, { token });
const answer = (token: string, id: string, body: unknown) =>
  api.call('POST', `/photo/${id}/answer`, { token, body });
const plate = (token: string, id: string, text: string) =>
  answer(token, id, { answer: 'plate', plate: text });
const undo = (token: string, id: string) => api.call('DELETE', `/photo/${id}/answer`, { token });
const summary = async (token = anna) => (await api.call('GET', '/review/summary', { token })).body;
const visit = async (id: unknown) => (await api.call('GET', `/visit/${id}`)).body;
const photo = async (id: string) => (await api.call('GET', `/photo/${id}`)).body;
const edits = async () => (await api.changes()).filter(({ kind }) => kind === 'visit-edit');

const PhotoSchema = z.looseObject({ id: z.string(), visitId: z.string().nullable() });
/** A read at a site without an edge daemon. */
async function seen(text: string, camera = entrance) {
  const body = frame(text, api.now());
  const posted = await api.call('POST', `/photos/open-alpr?camera.id=${camera}`, { body });
  api.wait(1000);
  return PhotoSchema.parse(posted.body);
}

/** A read of no use, of a site with an edge daemon, with its picture. */
async function stored(fields: Partial<StoredRead> = {}): Promise<string> {
  const { read } = readEvent({ cameraId: 'cam-in', standing: 'low-score', receivedAt: api.now(), ...fields });
  const events = [{ ok: true as const, event: eventAt(1, { type: 'read.stored', read }) }];
  await applyBatch(api.db, api.clock, { siteId: api.site.id, epoch: `e${epoch++}`, events });
  await api.db.write(async ({ q }) => {
    await q
      .update(photoTable)
      .set({ url: `${read.id}.jpg` })
      .where(eq(photoTable.id, read.id));
  });
  api.wait(1000);
  return read.id;
}

/** An id of a picture that two people look at, or not. */
function photoId(isBlind: boolean): string {
  for (;;) {
    const id = randomUUID();
    if (needsBlindReview(id) === isBlind) return id;
  }
}

describe('GET /review/next', () => {
  test('has pictures that need a person, the oldest first, with what helps to decide', async () => {
    const inside = await api.visit({ plate: 'ABO12', startedAt: '2026-11-21T09:00:00.000Z' });
    await api.visit({ plate: 'XYZ99' });
    const left = await api.visit({
      plate: 'AB012',
      endedAt: '2026-11-21T09:00:00.000Z',
      status: 'completed',
    });
    const first = await stored({
      plate: 'AB012',
      plateRaw: 'AB 012',
      score: 0.4,
      cameraId: 'cam-out',
      laneId: 'out-1',
      candidates: [
        { plate: 'AB012', score: 0.4 },
        { plate: 'ABO12', score: 0.3 },
      ],
    });
    const second = await stored({ plate: null, plateRaw: '' });
    await stored();
    const cases = await next(anna);
    expect(cases.map(({ id }) => id)).toEqual([first, second]);
    expect(cases[0]).toMatchObject({
      siteId: api.site.id,
      laneId: 'out-1',
      plate: 'AB012',
      plateRaw: 'AB 012',
      score: 0.4,
      causes: ['unused-read'],
      onPlate: 'visit-end',
      claimedUntil: null,
      url: `/photo/${first}/picture`,
      camera: { name: 'Out', location: 'exit' },
      nearby: [
        { id: inside.id, plate: 'ABO12', inside: true, match: 'equal', matchedPlate: 'ABO12' },
        { id: left.id, plate: 'AB012', inside: false, match: 'equal' },
      ],
    });
    expect(cases[0]?.['characters']).toMatchObject([
      { character: 'A', doubt: 0 },
      { character: 'B', doubt: 0 },
      { character: '0', doubt: expect.closeTo(0.43), others: ['O'] },
      { character: '1', doubt: 0 },
      { character: '2', doubt: 0 },
    ]);
    expect(cases[1]).toMatchObject({
      causes: ['unreadable'],
      plate: null,
      characters: [],
      onPlate: 'photo-only',
    });
    expect(await next(anna, `?siteId=${(await api.addSite('Airport')).id}`)).toEqual([]);
    expect((await api.call('GET', '/review/next?n=51')).status).toBe(400);
  });

  test('has pictures of visits without a plate, and of flags that a picture decides', async () => {
    const [entry, out, look] = [
      await stored({ standing: 'counts' }),
      await stored({ standing: 'counts', cameraId: 'cam-out' }),
      await stored({ standing: 'counts' }),
    ];
    await api.visit({ plate: null, status: 'need-plate', entryReadId: entry, flags: ['unreadable-plate'] });
    await api.visit({ flags: ['uncertain-plate'], entryReadId: randomUUID(), exitReadId: out });
    await api.visit({ plate: 'ABX13', flags: ['blocklist-lookalike', 'lost-exit'], entryReadId: look });
    await api.visit({
      plate: 'ABX14',
      flags: ['payment-unknown'],
      entryReadId: await stored({ standing: 'counts' }),
    });
    expect(await nextIds(anna)).toEqual([entry, out, look]);
    expect(await summary()).toMatchObject({ waiting: 3 });
  });

  test('leaves out what has no picture, and what others may see', async () => {
    const { read } = readEvent({ standing: 'low-score' });
    const events = [{ ok: true as const, event: eventAt(1, { type: 'read.stored', read }) }];
    await applyBatch(api.db, api.clock, { siteId: api.site.id, epoch: 'none', events });
    const id = await stored();
    expect(await nextIds(anna)).toEqual([id]);
    const elsewhere = await api.account('operator', { siteIds: [(await api.addSite('Airport')).id] });
    expect(await nextIds(elsewhere)).toEqual([]);
    expect((await claim(elsewhere, id)).status).toBe(404);
    expect(await summary(elsewhere)).toMatchObject({ waiting: 0, oldestOn: null });
    const lanes = await api.account('operator', { permissions: ['lanes'] });
    expect((await api.call('GET', '/review/next', { token: lanes })).status).toBe(403);
    expect((await plate(await api.account('customer'), id, 'ABX12')).status).toBe(403);
  });
});

describe('a claim', () => {
  test('keeps a picture for one person for a minute, through every cloud', async () => {
    const [one, two] = [await stored(), await stored()];
    const db = await openDb(api.dbPath);
    const other = createApp({ ...api.context, db });
    const elsewhere = async (method: string, path: string) =>
      await other.request(path, { method, headers: { authorization: `Bearer ${birna}` } });
    try {
      const both = await Promise.all([claim(anna, one), elsewhere('POST', `/photo/${one}/claim`)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      const isAnnas = both[0].status === 200;
      const [mine, theirs] = isAnnas ? [anna, birna] : [birna, anna];
      expect(await nextIds(mine)).toEqual([one, two]);
      expect(await nextIds(theirs)).toEqual([two]);
      expect((await plate(theirs, one, 'ABX12')).status).toBe(409);
      api.wait(40_000);
      expect((await claim(mine, one)).body).toMatchObject({ id: one });
      api.wait(40_000);
      expect((await claim(theirs, one)).status).toBe(409);
      api.wait(MINUTE_MS);
      const found = await elsewhere('GET', '/review/next?n=2');
      expect(CasesSchema.parse(await found.json()).data.map(({ id }) => id)).toEqual([one, two]);
      expect((await claim(theirs, one)).status).toBe(200);
      expect((await claim(theirs, 'nothing')).status).toBe(404);
      expect((await release(mine, one)).status).toBe(204);
      expect(await nextIds(mine)).toEqual([two]);
      expect((await release(theirs, one)).status).toBe(204);
      expect(await nextIds(mine)).toEqual([one, two]);
    } finally {
      await db.close();
    }
  });
});

describe('an answer', () => {
  test('gives a car its plate, tells the site, and is undone whole', async () => {
    const came = await seen('');
    expect(await next(anna)).toMatchObject([{ id: came.id, onPlate: 'visit-plate' }]);
    const done = await plate(anna, came.id, 'abx 12');
    expect([done.status, done.body]).toEqual([
      200,
      { id: came.id, outcome: 'visit-corrected', messages: [], codes: [] },
    ]);
    expect(await visit(came.visitId)).toMatchObject({ plate: 'ABX12', status: 'new', flags: [] });
    expect(await photo(came.id)).toMatchObject({ plate: 'ABX12', status: 'reviewed' });
    expect(await nextIds(anna)).toEqual([]);
    expect((await undo(anna, came.id)).status).toBe(204);
    expect(await visit(came.visitId)).toMatchObject({
      plate: null,
      status: 'need-plate',
      flags: ['unreadable-plate'],
    });
    expect((await photo(came.id))['plate']).toBe(null);
    expect(await edits()).toMatchObject([{ item: { plate: 'ABX12' } }, { item: { plate: null } }]);
    expect(await nextIds(anna)).toEqual([came.id]);
    expect(await nextIds(birna)).toEqual([]);
    expect((await undo(anna, came.id)).status).toBe(204);
    expect(await edits()).toHaveLength(2);
  });

  test('ends the visit whose exit was misread, and opens it again when undone', async () => {
    const came = await seen('ABX12');
    api.wait(3 * HOUR_MS);
    const left = await seen('QQQ77', exit);
    expect((await plate(anna, left.id, 'ABX12')).body['outcome']).toBe('visit-ended');
    expect(await visit(came.visitId)).toMatchObject({ status: 'completed', exitPhoto: { id: left.id } });
    expect((await undo(anna, left.id)).status).toBe(204);
    expect(await visit(came.visitId)).toMatchObject({ status: 'new', endedOn: null, exitPhoto: null });
    expect(await photo(left.id)).toMatchObject({ plate: 'QQQ77', status: 'need-review', visitId: null });
    const last = (await edits()).at(-1);
    expect(last).toMatchObject({ item: { visitId: came.visitId, endedAt: null } });
    // The same answer again does the same.
    expect((await plate(anna, left.id, 'ABX12')).body['outcome']).toBe('visit-ended');
  });

  test('finds the exit of a car that came in unread, and lets go of it when undone', async () => {
    const came = await seen('');
    api.wait(HOUR_MS);
    const left = await seen('ABX12', exit);
    expect((await plate(anna, came.id, 'ABX12')).body['outcome']).toBe('visit-ended');
    expect(await nextIds(anna)).toEqual([]);
    expect((await undo(anna, came.id)).status).toBe(204);
    expect(await visit(came.visitId)).toMatchObject({ plate: null, status: 'need-plate', endedOn: null });
    expect(await photo(left.id)).toMatchObject({ status: 'need-review', visitId: null });
  });

  test('takes off the flags that it has answered', async () => {
    const came = await seen('ABX12');
    const flags = ['uncertain-plate', 'blocklist-lookalike', 'lost-exit'] as const;
    const stays = await api.visit({ plate: 'ABX12', entryReadId: came.id, flags: [...flags] });
    await api.db.write(async ({ q }) => {
      await q.update(photoTable).set({ visitId: stays.id }).where(eq(photoTable.id, came.id));
    });
    expect(await next(anna)).toMatchObject([{ causes: ['uncertain-plate', 'blocklist-lookalike'] }]);
    expect((await plate(anna, came.id, 'ABX12')).body['outcome']).toBe('photo-only');
    expect(await visit(stays.id)).toMatchObject({ flags: ['lost-exit'] });
    expect(await api.lastChange()).toMatchObject({
      item: { reviewed: ['uncertain-plate', 'blocklist-lookalike'] },
    });
    expect((await undo(anna, came.id)).status).toBe(204);
    expect((await visit(stays.id))['flags']).toEqual(expect.arrayContaining([...flags]));
    expect(await api.lastChange()).toMatchObject({
      item: { flagged: ['uncertain-plate', 'blocklist-lookalike'] },
    });
  });

  test('decides the picture where its visit is settled, and leaves the visit to the office', async () => {
    const came = await seen('ABX1Z');
    await seen('ABX1Z', exit);
    await api.call('PUT', `/photo/${came.id}`, { body: { status: 'force-review' } });
    expect(await next(anna)).toMatchObject([{ causes: ['marked'], onPlate: 'photo-only' }]);
    const { body } = await plate(anna, came.id, 'ABX12');
    expect(body).toMatchObject({
      outcome: 'for-office',
      messages: [expect.stringContaining('completed and settled')],
    });
    expect(await photo(came.id)).toMatchObject({ plate: 'ABX12', status: 'reviewed' });
    expect(await visit(came.visitId)).toMatchObject({ plate: 'ABX1Z', flags: ['uncertain-plate'] });
    expect((await undo(anna, came.id)).status).toBe(204);
    expect(await photo(came.id)).toMatchObject({ plate: 'ABX1Z', status: 'force-review' });
  });

  test('may be that no plate is readable', async () => {
    const came = await seen('');
    expect((await answer(anna, came.id, { answer: 'none' })).body['outcome']).toBe('photo-only');
    expect(await photo(came.id)).toMatchObject({ plate: null, status: 'reviewed' });
    expect(await visit(came.visitId)).toMatchObject({ status: 'need-plate' });
    expect(await nextIds(anna)).toEqual([]);
    expect((await undo(anna, came.id)).status).toBe(204);
    expect(await nextIds(anna)).toEqual([came.id]);
  });

  test('may be left to others: it comes back after an hour', async () => {
    const id = await stored();
    expect((await answer(anna, id, { answer: 'skip' })).body['outcome']).toBe('skipped');
    expect([await nextIds(anna), await nextIds(birna)]).toEqual([[], [id]]);
    api.wait(HOUR_MS);
    expect(await nextIds(anna)).toEqual([id]);
    await answer(anna, id, { answer: 'skip' });
    expect((await undo(anna, id)).status).toBe(204);
    expect(await nextIds(anna)).toEqual([id]);
  });

  test('is given once, by one person', async () => {
    const id = await stored({ id: photoId(false) });
    expect((await plate(anna, id, 'ABX12')).status).toBe(200);
    expect((await plate(birna, id, 'ABX13')).status).toBe(409);
    expect((await plate(anna, id, 'ABX13')).status).toBe(409);
    expect((await undo(birna, id)).status).toBe(204);
    expect(await photo(id)).toMatchObject({ plate: 'ABX12' });
    for (const body of [
      {},
      { answer: 'plate' },
      { answer: 'plate', plate: '' },
      { answer: 'none', plate: 'A' },
    ]) {
      expect((await answer(anna, id, body)).status).toBe(400);
    }
    expect((await plate(anna, 'nothing', 'ABX12')).status).toBe(404);
  });

  test('is not undone where a person has gone on from it', async () => {
    const came = await seen('');
    await plate(anna, came.id, 'ABX12');
    await api.call('PUT', `/visit/${came.visitId}`, { body: { plate: 'ABX13' } });
    expect((await undo(anna, came.id)).status).toBe(409);
    expect(await visit(came.visitId)).toMatchObject({ plate: 'ABX13' });
  });
});

test('integrators and open pages hear of what waits, and of what is done', async () => {
  const { id } = await seen('QQQ77', exit);
  await plate(anna, id, 'ABX12');
  await undo(anna, id);
  const { body } = await api.call('GET', '/webhooks/events');
  const events = z.array(z.looseObject({ type: z.string(), subject: z.unknown() })).parse(body['data']);
  const subject = { id, path: `/photo/${id}` };
  expect(events.filter(({ type }) => type.startsWith('photo.'))).toMatchObject([
    { type: 'photo.stored', subject },
    { type: 'photo.review', subject },
    { type: 'photo.reviewed', subject },
    { type: 'photo.review', subject },
  ]);
});

describe('a second look', () => {
  test('is for one picture in twenty, by its id', () => {
    const ids = Array.from({ length: 4000 }, (_, n) => `photo-${n}`);
    const share = ids.filter(needsBlindReview).length / ids.length;
    expect(share).toBeGreaterThan(0.04);
    expect(share).toBeLessThan(0.06);
  });

  test('comes to another person as the first came, changes nothing, and is compared', async () => {
    const fields = { candidates: [{ plate: 'AB012', score: 0.4 }], plate: 'AB012', plateRaw: 'AB 012' };
    const id = await stored({ id: photoId(true), ...fields });
    const [first] = await next(anna);
    expect((await plate(anna, id, 'ABO12')).status).toBe(200);
    expect(await nextIds(anna)).toEqual([]);
    expect(await next(birna)).toEqual([first]);
    const before = await photo(id);
    expect((await plate(birna, id, 'AB012')).body).toEqual({
      id,
      outcome: 'photo-only',
      messages: [],
      codes: [],
    });
    expect(await photo(id)).toEqual(before);
    expect(await nextIds(birna)).toEqual([]);
    expect(await summary()).toMatchObject({
      disagreements: [
        { id, first: { accountId: 'anna', plate: 'ABO12' }, second: { accountId: 'birna', plate: 'AB012' } },
      ],
    });
    expect((await undo(anna, id)).status).toBe(409);
    // Undone, it comes once more.
    expect((await undo(birna, id)).status).toBe(204);
    expect(await nextIds(birna)).toEqual([id]);
    await plate(birna, id, 'AB012');
    expect((await plate(api.operator, id, 'AB012')).status).toBe(200);
    expect(await photo(id)).toMatchObject({ plate: 'AB012' });
    expect(await summary()).toMatchObject({ disagreements: [] });
  });
});

test('GET /review/summary: who waits, how fast, how well', async () => {
  const wrong = await stored({ id: photoId(true), plate: 'AB012' });
  const right = await stored({ id: photoId(false), plate: 'ABX12' });
  const dark = await stored({ id: photoId(false), plate: 'ABX77', cameraId: 'cam-out' });
  const waits = await stored();
  await plate(anna, wrong, 'ABO12');
  await plate(birna, wrong, 'ABO12');
  await plate(anna, right, 'ABX12');
  await answer(anna, dark, { answer: 'none' });
  await answer(birna, waits, { answer: 'skip' });
  const found = await summary();
  expect(found).toMatchObject({
    waiting: 1,
    oldestOn: (await photo(waits))['createdOn'],
    disagreements: [],
    reviewers: [
      { accountId: 'anna', today: 3, perMinute: 0.3, compared: 1, agreed: 1 },
      { accountId: 'birna', today: 1, perMinute: 0.1, compared: 1, agreed: 1 },
    ],
    cameras: [
      {
        remoteId: 'cam-in',
        name: 'In',
        reviewed: 2,
        misread: 1,
        hours: [{ hour: 12, reviewed: 2, misread: 1 }],
      },
      { remoteId: 'cam-out', name: 'Out', reviewed: 1, misread: 0, unreadable: 1 },
    ],
  });
  api.wait(25 * HOUR_MS);
  expect(await summary()).toMatchObject({ reviewers: [{ today: 0, perMinute: 0 }, { today: 0 }] });
});
