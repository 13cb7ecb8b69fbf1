import { randomUUID } from 'node:crypto';
import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { eventAt, sampleStay } from '../../../test/sample-events.ts';
import { settle } from '../../../test/settlements.ts';
import { applyBatch } from '../../integration/ingest/apply-batch.ts';
import { TimelineSchema } from './timeline.ts';

let api: TestApi;
/** The ids of a stay that is over, and of one that goes on. */
let left: string;
let inside: string;

async function report(bodies: readonly SiteEventBody[], siteId: string) {
  const events = bodies.map((body, n) => ({ ok: true as const, event: eventAt(n + 1, body) }));
  await applyBatch(api.db, api.clock, { siteId, epoch: randomUUID(), events });
}

const visitOf = (stay: readonly SiteEventBody[]) => {
  const [opened] = stay;
  if (opened?.type !== 'visit.opened') throw new Error('a stay begins with its visit');
  return opened.visit;
};

beforeAll(async () => {
  api = await createTestApi();
  await api.made('/products', { type: 'default', price: 500, vehicleCategory: 'light', productCode: 'P' });
  const stay = sampleStay('ABX12');
  left = visitOf(stay).id;
  await report(stay, api.site.id);
  const other = sampleStay('MKJ45').slice(0, 3);
  inside = visitOf(other).id;
  await report(other, api.site.id);
});
afterAll(() => api.close());

async function timelineOf(id: string) {
  const { status, body } = await api.call('GET', `/visit/${id}/timeline`);
  expect(status, JSON.stringify(body)).toBe(200);
  return TimelineSchema.parse(body);
}

describe('the timeline of a visit', () => {
  it('has reads, decisions, gate and states, in order', async () => {
    const { entries, ifLeftNow } = await timelineOf(left);
    expect(ifLeftNow).toBeNull();
    const times = entries.map(({ on }) => on);
    expect(times).toEqual(times.toSorted());
    const kinds = entries.map(({ kind, code }) => `${kind} ${code}`);
    expect(kinds.filter((kind) => kind === 'read counts')).toHaveLength(2);
    for (const one of [
      'decision welcome',
      'decision need-payment',
      'decision paid',
      'gate pulse',
      'status new',
    ]) {
      expect(kinds).toContain(one);
    }
    const gate = entries.find(({ kind }) => kind === 'gate');
    expect(gate).toMatchObject({
      who: { by: 'lane:in-1', name: null },
      params: { outcome: 'done', laneId: 'in-1' },
    });
  });

  it('names who changed what, once, and what was paid, refunded and mailed', async () => {
    await settle(api, { id: left, plate: 'ABX12', amountMinor: 500 });
    api.wait(1000);
    const edit = { plate: 'ABX13', reason: 'Mud on the plate' };
    expect((await api.call('PUT', `/visit/${left}`, { body: edit })).status).toBe(303);
    const receipt = { email: 'jon@example.is', language: 'is' };
    expect((await api.call('POST', `/visit/${left}/receipt`, { body: receipt })).status).toBeLessThan(400);
    const { body } = await api.call('GET', '/invoices');
    const [invoice] = z.array(z.looseObject({ id: z.string() })).parse(body['data']);
    api.wait(1000);
    await api.call('POST', `/invoice/${invoice?.id}/refund`, { body: { reason: 'Sick' } });
    const { entries } = await timelineOf(left);
    const edits = entries.filter(({ kind }) => kind === 'edit');
    const corrected = edits.filter(({ code }) => code === 'visit.update');
    expect(corrected).toMatchObject([
      { who: { by: 'account:the-operator', name: 'operator' }, params: { reason: 'Mud on the plate' } },
    ]);
    expect(corrected[0]?.changes).toContainEqual({ field: 'plate', before: 'ABX12', after: 'ABX13' });
    expect(
      entries.filter(({ kind, params }) => kind === 'status' && params['reason'] === edit.reason),
    ).toEqual([]);
    const money = entries.filter(({ kind }) => kind === 'invoice' || kind === 'refund');
    expect(money).toMatchObject([
      { kind: 'invoice', code: 'refunded', params: { amount: 500, currency: 'ISK' } },
      { kind: 'refund', code: 'refunded' },
    ]);
    const mail = entries.find(({ kind }) => kind === 'mail');
    expect(mail).toMatchObject({ code: 'receipt', params: { status: 'waiting', to: 'jon@example.is' } });
  });

  it('says what the exit would do if the car left now', async () => {
    const { ifLeftNow } = await timelineOf(inside);
    expect(ifLeftNow).toMatchObject({
      decision: { open: false, reason: 'need-payment' },
      due: { amount: 500 },
    });
  });

  it('is not there for a visit that is not', async () => {
    expect((await api.call('GET', '/visit/nobody/timeline')).status).toBe(404);
  });
});

const PassagesSchema = z.array(z.looseObject({ id: z.string(), plate: z.string(), on: z.string() }));

async function passages(query = '') {
  const { status, body } = await api.call('GET', `/passages?${query}`);
  expect(status).toBe(200);
  return PassagesSchema.parse(body['data']);
}

describe('passages', () => {
  it('are listed newest first, with the gate and the read', async () => {
    const all = await passages();
    expect(all).toHaveLength(4);
    const times = all.map(({ on }) => on);
    expect(times).toEqual(times.toSorted().reverse());
    expect(all[0]).toMatchObject({
      laneId: 'out-1',
      direction: 'exit',
      open: true,
      reason: 'paid',
      hasPicture: false,
      movements: [{ action: 'pulse', outcome: 'done' }],
    });
    expect(all[0]?.['photoId']).toEqual(expect.any(String));
  });

  it.each([
    ['plate=ABX12', 3],
    ['plate=A8', 3],
    ['plate=MKJ45', 1],
    ['plate=BX1', 0],
    ['laneId=in-1', 2],
    ['laneId=in-1&plate=MKJ45', 1],
    ['direction=exit', 2],
    ['open=false', 1],
    ['siteId=nowhere', 0],
    ['date.from=2026-11-21&date.to=2026-11-21', 4],
    ['date.to=2026-11-20', 0],
  ])('with %s are %i', async (query, count) => {
    expect(await passages(query)).toHaveLength(count);
  });

  it('of a car that is still inside belong to its visit', async () => {
    const [entry] = await passages('plate=MKJ45');
    expect(entry).toMatchObject({ visitId: inside, plate: 'MKJ45' });
  });
});
