import { HOUR_MS } from '@hlid/protocol/base/durations';
import type { Decision, VisitEffect } from '@hlid/protocol/records/decision';
import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { frame } from '../../../test/sample-documents.ts';
import { applyBatch } from '../../integration/ingest/apply-batch.ts';

let api: TestApi;
let token: string;
beforeEach(async () => {
  api = await createTestApi();
  token = await api.roleToken('kiosk');
  await api.made('/products', { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'P' });
});
afterEach(() => api.close());

const search = async (plate: string) =>
  (await api.call('GET', `/kiosk/search-visits?plate=${plate}`, { token })).body['visits'];
const notMine = (visitId: string, plate = 'BTE97') =>
  api.call('POST', `/kiosk/visits/${visitId}/not-mine`, { token, body: { plate } });

describe('at a site with an edge daemon', () => {
  const PASSAGE_ID = '01a1fc93-bdd6-7682-9b18-8dd0566e2499';
  let visitId: string;
  beforeEach(async () => {
    visitId = (await api.visit({ plate: 'BTE96', status: 'need-payment' })).id;
    await api.visit({ plate: 'MKJ45' });
  });

  /** The site reports the decision at its exit. */
  async function decided(seq: number, open: boolean, doubtful = true): Promise<void> {
    const ask: VisitEffect = { kind: 'ask', visitId, ...(doubtful && { doubtful: true }) };
    const kept: Decision = { open: false, reason: 'need-payment', visit: ask, settlement: null, flags: [] };
    const gone: Decision = { ...kept, open: true, reason: 'no-visit', visit: { kind: 'none' } };
    const body: SiteEventBody = {
      type: 'passage.decided',
      passageId: PASSAGE_ID,
      laneId: 'out-1',
      direction: 'exit',
      plate: 'BTE9Z',
      decision: open ? gone : kept,
      visitId: open ? null : visitId,
      feedAt: 0,
      read: null,
      alerts: [],
    };
    const event = { seq, at: api.now(), body };
    await applyBatch(api.db, api.clock, {
      siteId: api.site.id,
      epoch: 'epoch-1',
      events: [{ ok: true, event }],
    });
  }

  it('offers the visit of a car that waits in doubt under whatever its driver types', async () => {
    expect(await search('BTE97')).toEqual([]);
    await decided(1, false);
    for (const typed of ['BTE97', 'BTE9Z', 'XYZ11']) {
      expect(await search(typed), typed).toMatchObject([{ id: visitId, doubtful: true, plate: '•••••' }]);
    }
    expect(await search('BTE')).toMatchObject([{ id: visitId, doubtful: true, plate: 'BTE••' }]);
    const [own] = (await search('BTE96')) as object[];
    expect(own).not.toHaveProperty('doubtful');
    expect(await search('MKJ45')).toHaveLength(1);
    await decided(2, true);
    expect(await search('BTE97')).toEqual([]);
  });

  it('offers what an exit asks for without a doubt to who has one character wrong, while the car waits', async () => {
    await decided(1, false, false);
    const found = (await search('BTE97')) as object[];
    expect(found).toMatchObject([{ id: visitId, plate: '•••••' }]);
    expect(found[0]).not.toHaveProperty('doubtful');
    expect(await search('XYZ11')).toEqual([]);
    await decided(2, false);
    api.wait(25 * HOUR_MS);
    expect(await search('BTE97')).toEqual([]);
  });

  it('has the site open the exit, once, and not for who types the plate of the visit', async () => {
    await decided(1, false);
    api.bus.play(api.site.id, () => ({ outcome: 'done', lanes: [] }));
    expect((await notMine(visitId, 'bte 96')).status).toBe(400);
    expect(await notMine(visitId)).toMatchObject({ status: 200, body: {} });
    const commands = api.bus.sent
      .filter(({ leaf }) => leaf === 'cmd')
      .map(({ payload }) => JSON.parse(payload));
    expect(commands).toMatchObject([{ action: 'not-mine', visitId, plate: 'BTE97' }]);
    expect(await api.audited()).toContainEqual(
      expect.objectContaining({ action: 'kiosk.not-mine', subjectId: visitId, after: { laneId: 'out-1' } }),
    );
    api.bus.play(api.site.id, () => ({ outcome: 'refused', reason: 'not-in-doubt', lanes: [] }));
    expect((await notMine(visitId)).status).toBe(409);
  });

  it('says that no car waits, or that the site is away', async () => {
    expect((await notMine(visitId)).status).toBe(409);
    await decided(1, false);
    expect((await notMine(visitId)).status).toBe(503);
    expect(
      (await api.call('POST', `/kiosk/visits/${visitId}/not-mine`, { body: { plate: 'A1' } })).status,
    ).toBe(403);
  });
});

describe('at a site without one', () => {
  it('answers the next read of the car with an open gate, and flags the visit', async () => {
    const camera = (remoteId: string, location: string) =>
      api.made('/cameras', { name: remoteId, location, remoteId, config: { minimumOcrScore: 0.7 } });
    const [entrance, exit] = [await camera('in', 'entrance'), await camera('out', 'exit')];
    const post = async (id: string, plate: string, confidence: number) => {
      const document = frame(plate, api.now(), { confidence });
      return (await api.call('POST', `/photos/open-alpr?camera.id=${id}`, { body: document })).body;
    };
    await post(entrance.id, 'BTE96', 95);
    api.wait(3 * HOUR_MS);
    const kept = await post(exit.id, 'BTE97', 80);
    expect(kept).toMatchObject({ decision: { open: false, reason: 'need-payment' } });
    const visitId = String(kept['visitId']);
    expect(await search('BTE97')).toMatchObject([{ id: visitId, doubtful: true }]);
    expect((await notMine(visitId)).status).toBe(200);
    api.wait(2000);
    expect((await post(exit.id, 'BTE97', 80))['decision']).toMatchObject({ open: true, reason: 'not-mine' });
    const { body } = await api.call('GET', `/visit/${visitId}`);
    expect(body).toMatchObject({ endedOn: null, flags: expect.arrayContaining(['not-mine']) });
    expect((await notMine(visitId)).status).toBe(409);
  });
});
