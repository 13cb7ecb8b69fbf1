import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { applyBatch } from '../../integration/ingest/apply-batch.ts';
import { siteOpeningTable } from '../../records/sites/site-opening-table.ts';

const StepSchema = z.looseObject({
  step: z.string(),
  state: z.string(),
  reason: z.string(),
  accepts: z.array(z.string()),
  answered: z.looseObject({ answer: z.string(), byName: z.string().nullable() }).nullable(),
});
const OpeningSchema = z.looseObject({ steps: z.array(StepSchema), facts: z.looseObject({}) });

let api: TestApi;
let path: string;
beforeEach(async () => {
  api = await createTestApi();
  path = `/sites/${api.site.id}/opening`;
});
afterEach(() => api.close());

const opening = async () => OpeningSchema.parse((await api.call('GET', path)).body);
const step = async (name: string) => (await opening()).steps.find((one) => one.step === name);
const answer = (name: string, body: object) => api.call('POST', `${path}/${name}`, { body });

/** A site's edge reports. */
async function reports(body: Parameters<typeof eventOf>[0]) {
  await applyBatch(api.db, api.clock, { siteId: api.site.id, epoch: EPOCH, events: [eventOf(body)] });
}
const EPOCH = '6c6f7f0e-93f1-4f3e-8f39-0c8b6d3c7d11';
let seq = 0;
function eventOf(
  body: Extract<Parameters<typeof applyBatch>[2]['events'][number], { ok: true }>['event']['body'],
) {
  seq++;
  return { ok: true as const, event: { seq, at: api.now(), body } };
}

describe('the opening of a site', () => {
  it('follows the settings of the site', async () => {
    expect(await step('about')).toMatchObject({ state: 'to-do', reason: 'no-address' });
    const settings = { address: 'Geirsgata 1', openingHours: 'Always open', capacity: 40 };
    await api.call('PUT', `/sites/${api.site.id}`, { body: { settings } });
    expect(await step('about')).toMatchObject({ state: 'done' });
    expect(await step('zones')).toMatchObject({ state: 'done' });
    const seller = { name: 'Höfn ehf.', ssn: '5001012880' };
    await api.call('PUT', `/sites/${api.site.id}`, { body: { settings: { seller } } });
    expect(await step('seller')).toMatchObject({ state: 'to-do', reason: 'vat-number-unanswered' });
    expect((await answer('seller', { answer: 'no-vat-number' })).status).toBe(303);
    expect(await step('seller')).toMatchObject({ state: 'done', answered: { byName: 'operator' } });
  });

  it('follows the code of the site', async () => {
    expect(await step('enrolment')).toMatchObject({ reason: 'no-code' });
    await api.call('POST', `/sites/${api.site.id}/enrolment`);
    expect(await step('enrolment')).toMatchObject({ state: 'waiting', reason: 'code-valid' });
    api.wait(60 * 60_000);
    expect(await step('enrolment')).toMatchObject({ state: 'to-do', reason: 'code-expired' });
  });

  it('keeps what a person answers, who and when, and takes it back', async () => {
    expect((await answer('terminal', { answer: 'skipped' })).body).toMatchObject({ siteId: api.site.id });
    expect(await step('terminal')).toMatchObject({
      state: 'skipped',
      answered: { answer: 'skipped', by: 'account:the-operator', byName: 'operator', on: api.now() },
    });
    expect(await api.audited()).toContainEqual(
      expect.objectContaining({
        action: 'site.opening',
        after: { step: 'terminal', answer: 'skipped', visitId: null },
      }),
    );
    for (let times = 0; times < 2; times++) {
      expect((await api.call('DELETE', `${path}/terminal`)).status).toBe(204);
    }
    expect(await step('terminal')).toMatchObject({ state: 'to-do', answered: null });
  });

  it('refuses what a step does not accept, and a site that is not there', async () => {
    for (const [name, given] of [
      ['about', 'skipped'],
      ['live', 'done'],
      ['signs', 'with-edge'],
    ] as const) {
      const refused = await answer(name, { answer: given });
      expect([name, refused.status, refused.body['codes']]).toEqual([
        name,
        400,
        [{ code: 'opening-answer', path: ['answer'], params: { step: name, answer: given } }],
      ]);
    }
    expect((await api.call('POST', `${path}/nothing`, { body: { answer: 'done' } })).status).toBe(400);
    expect((await api.call('GET', '/sites/nowhere/opening')).status).toBe(404);
  });

  it('follows devices and gates, and shows again what broke', async () => {
    const device = { type: 'device.changed', detail: '', since: api.now() } as const;
    await reports({ ...device, kind: 'terminal', deviceId: 'kiosk-1', state: 'ok' });
    await reports({ ...device, kind: 'gate', deviceId: 'in-1', state: 'ok' });
    expect((await opening()).facts).toMatchObject({
      terminals: [{ id: 'kiosk-1', name: null, state: 'ok' }],
      lanes: [{ id: 'in-1', direction: null, gate: 'ok', triedOn: null }],
    });
    const moved = { laneId: 'in-1', action: 'pulse', by: 'account:the-operator', reason: '' } as const;
    await reports({
      type: 'gate.moved',
      movementId: '3f0d2c9a-5f6d-4b0e-9c7c-0a7f5d2a9e11',
      ...moved,
      outcome: 'done',
      passageId: null,
      tookMs: 20,
    });
    expect((await opening()).facts['lanes']).toMatchObject([{ id: 'in-1', triedOn: api.now() }]);
    await reports({ ...device, kind: 'terminal', deviceId: 'kiosk-1', state: 'unreachable' });
    expect((await opening()).facts['terminals']).toMatchObject([{ state: 'unreachable' }]);
  });

  it('follows a test car in and out until its visit is voided', async () => {
    expect((await answer('test-car', { answer: 'begun' })).status).toBe(303);
    const early = await api.visit({ plate: 'EARLY1', startedAt: '2026-11-21T11:59:59.000Z' });
    api.wait(1000);
    const { id } = await api.visit({ plate: 'TEST12', startedAt: api.now() });
    expect((await answer('test-car', { answer: 'begun', visitId: early.id })).body['codes']).toMatchObject([
      { code: 'test-car-before' },
    ]);
    const begunOn = (await step('test-car'))?.answered?.['on'];
    expect((await answer('test-car', { answer: 'begun', visitId: id })).status).toBe(303);
    expect(await step('test-car')).toMatchObject({ reason: 'car-inside', answered: { on: begunOn } });
    // The plate is stored nowhere but in the visit.
    const rows = await api.db.read(async (q) => await q.select().from(siteOpeningTable));
    expect(JSON.stringify(rows)).not.toContain('TEST12');
    await api.call('PUT', `/visit/${id}`, { body: { status: 'completed', reason: 'It left' } });
    expect(await step('test-car')).toMatchObject({ state: 'waiting', reason: 'visit-to-remove' });
    const reason = 'Test car';
    await api.call('PUT', `/visit/${id}`, { body: { status: 'need-payment', reason } });
    await api.call('PUT', `/visit/${id}`, { body: { paymentStatus: 'void', reason } });
    expect(await step('test-car')).toMatchObject({ state: 'done', reason: 'visit-removed' });
    const day = 'date.from=2026-11-21&date.to=2026-11-21';
    const { body } = await api.call('GET', `/reports/traffic?${day}&siteId=${api.site.id}`);
    expect(body['total']).toEqual({ arrivals: 1, departures: 0 });
  });

  it('goes with the site', async () => {
    const { id } = await api.addSite('Airport');
    await api.call('POST', `/sites/${id}/opening/signs`, { body: { answer: 'done' } });
    expect((await api.call('DELETE', `/sites/${id}`)).status).toBe(204);
    expect(await api.db.read(async (q) => await q.select().from(siteOpeningTable))).toEqual([]);
  });
});
