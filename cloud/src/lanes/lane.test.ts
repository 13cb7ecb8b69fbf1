import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { applyBatch } from '../ingest/apply-batch.ts';
import { eventAt, sampleVisit, visitEvent } from '../ingest/sample-events.ts';
import { frame, group, survision } from '../photos/sample-documents.ts';
import { createTestApi, type Json, type TestApi } from '../test-api.ts';
import { forgetPassages } from './lane-passage.ts';
import { lanePassageTable } from './lane-passage-table.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let api: TestApi;
let entrance: string;
let exit: string;

beforeEach(async () => {
  api = await createTestApi();
  const camera = (remoteId: string, location: string) =>
    api.made('/cameras', { name: remoteId, location, remoteId, config: { minimumOcrScore: 0.7 } });
  entrance = (await camera('cam-in', 'entrance')).id;
  exit = (await camera('cam-out', 'exit')).id;
  await api.made('/products', {
    type: 'default',
    price: 500,
    currency: 'ISK',
    vehicleCategory: 'light',
    productCode: 'day',
    name: { is: 'Dagur' },
  });
});
afterEach(async () => await api.close());

const PhotoSchema = z.looseObject({
  id: z.string(),
  visitId: z.string().nullable(),
  status: z.string(),
  standing: z.string(),
  decision: z.strictObject({ open: z.boolean(), reason: z.string() }).nullable(),
});

async function post(camera: string, document: unknown, type = 'open-alpr') {
  const answer = await api.call('POST', `/photos/${type}?camera.id=${camera}`, { body: document });
  expect(answer.status, JSON.stringify(answer.body)).toBe(303);
  return PhotoSchema.parse(answer.body);
}

const drivesIn = (plate: string) => post(entrance, frame(plate, api.now()));
const drivesOut = (plate: string) => post(exit, frame(plate, api.now()));
const visit = async (id: string | null): Promise<Json> => (await api.call('GET', `/visit/${id}`)).body;

test('a visitor drives in, is asked to pay, pays and drives out', async () => {
  const seen = await drivesIn('ABX12');
  expect(seen.decision).toEqual({ open: true, reason: 'welcome' });
  expect(await visit(seen.visitId)).toMatchObject({ plate: 'ABX12', status: 'new', endedOn: null });

  api.wait(3 * HOUR);
  const asked = await drivesOut('ABX12');
  expect(asked).toMatchObject({ visitId: seen.visitId, decision: { open: false, reason: 'need-payment' } });
  expect(await visit(seen.visitId)).toMatchObject({ status: 'need-payment', price: { amount: 500 } });

  await api.call('PUT', `/visit/${seen.visitId}`, { body: { paymentStatus: 'kiosk' } });
  api.wait(5 * MINUTE);
  const left = await drivesOut('ABX12');
  expect(left).toMatchObject({ visitId: seen.visitId, decision: { open: true, reason: 'paid' } });
  const over = await visit(seen.visitId);
  expect(over).toMatchObject({ status: 'completed', paymentStatus: 'kiosk', endedOn: api.now() });
  expect(over['exitPhoto']).toMatchObject({ id: left.id });
  expect(over['entrancePhoto']).toMatchObject({ id: seen.id });
});

test('whoever has a permit drives out without paying', async () => {
  await api.made('/visit/whitelist', { plate: 'STAFF1', reason: 'Staff' });
  const seen = await drivesIn('STAFF1');
  expect(seen.decision?.reason).toBe('permit');
  api.wait(30 * HOUR);
  expect((await drivesOut('STAFF1')).decision).toEqual({ open: true, reason: 'whitelisted' });
  expect(await visit(seen.visitId)).toMatchObject({ status: 'completed', paymentStatus: 'whitelisted' });
});

test('a blocked plate stays outside, and somebody is told', async () => {
  await api.made('/visit/whitelist', { plate: 'BAD666', reason: 'Unpaid', objectType: 'block' });
  const seen = await drivesIn('BAD666');
  expect(seen).toMatchObject({ visitId: null, decision: { open: false, reason: 'blocklisted' } });
});

test('a full site keeps the next car outside until one leaves', async () => {
  const { settings } = (await api.call('GET', `/sites/${api.site.id}`)).body;
  await api.call('PUT', `/sites/${api.site.id}`, {
    body: { settings: { ...z.looseObject({}).parse(settings), capacity: 1 } },
  });
  await drivesIn('ABX12');
  api.wait(MINUTE);
  expect((await drivesIn('XYZ98')).decision?.reason).toBe('full');
  api.wait(MINUTE);
  expect((await drivesOut('ABX12')).decision?.reason).toBe('nothing-due');
  api.wait(MINUTE);
  expect((await drivesIn('XYZ98')).decision?.reason).toBe('welcome');
});

test('several reads of one vehicle are one visit, and the better one corrects it', async () => {
  const first = await post(entrance, frame('ABX1Z', api.now(), { uuid: 'u1', confidence: 75 }));
  api.wait(500);
  const second = await post(entrance, frame('ABX12', api.now(), { uuid: 'u2', confidence: 95 }));
  api.wait(6000);
  const after = await post(entrance, group('ABX12', api.now(), { uuids: ['u1', 'u2', 'u3'] }));
  expect([second.visitId, after.visitId]).toEqual([first.visitId, first.visitId]);
  expect(after.standing).toBe('late');
  expect(await visit(first.visitId)).toMatchObject({ plate: 'ABX12' });
  expect(await api.plates('/visits')).toEqual(['ABX12']);
});

test('a vehicle of which only its group is told, after it has passed, opens nothing and is kept', async () => {
  const seen = await post(entrance, group('ABX12', api.now()));
  expect(seen).toMatchObject({
    standing: 'late',
    status: 'new',
    decision: { open: false, reason: 'welcome' },
  });
  api.wait(3 * HOUR);
  const left = await post(exit, group('ABX12', api.now()));
  expect(left).toMatchObject({ visitId: seen.visitId, decision: { open: false, reason: 'need-payment' } });
  expect(await visit(seen.visitId)).toMatchObject({
    status: 'need-payment',
    endedOn: api.now(),
    price: { amount: 500 },
  });
});

test('old news is stored for review and changes nothing', async () => {
  const captured = api.now();
  api.wait(16_000);
  for (const document of [frame('ABX12', captured), group('ABX12', captured)]) {
    const seen = await post(entrance, document);
    expect(seen).toMatchObject({ standing: 'late', status: 'need-review', visitId: null, decision: null });
  }
  const parked = await post(entrance, group('ABX12', api.now(), { parked: true }));
  const low = await post(entrance, frame('ABX12', api.now(), { confidence: 40 }));
  expect([parked.standing, low.standing]).toEqual(['parked', 'low-score']);
  expect(await api.plates('/visits')).toEqual([]);
});

test('a camera whose clock is steadily wrong is believed after some reads', async () => {
  const wrongBy = 3 * HOUR;
  const seen = [];
  for (const plate of ['AAA11', 'BBB22', 'CCC33', 'DDD44', 'EEE55', 'FFF66']) {
    const wrong = new Date(Date.parse(api.now()) - wrongBy).toISOString();
    seen.push((await post(entrance, frame(plate, wrong))).standing);
    api.wait(MINUTE);
  }
  expect(seen).toEqual(['late', 'late', 'late', 'late', 'late', 'counts']);
});

test('a lost exit: the plate comes in again, and the old visit waits for a person', async () => {
  const first = await drivesIn('ABX12');
  api.wait(20 * HOUR);
  const second = await drivesIn('ABX12');
  expect(second.visitId).not.toBe(first.visitId);
  expect(await visit(first.visitId)).toMatchObject({ flags: ['lost-exit'], endedOn: api.now(), price: null });
});

test('an exit that reads the plate a little wrong finds its visit, and says so', async () => {
  const seen = await drivesIn('ABO12');
  api.wait(MINUTE);
  const left = await drivesOut('AB012');
  expect(left.visitId).toBe(seen.visitId);
  expect(await visit(seen.visitId)).toMatchObject({ exitFoundBy: 'confusable', flags: ['uncertain-plate'] });
});

test('an exit that could be two visits, or none, is for a person to look at', async () => {
  await drivesIn('ABX12');
  api.wait(MINUTE);
  await drivesIn('ABX13');
  api.wait(MINUTE);
  expect(await drivesOut('ABX19')).toMatchObject({
    status: 'need-review',
    visitId: null,
    decision: { open: true, reason: 'ambiguous-visit' },
  });
  api.wait(MINUTE);
  expect((await drivesOut('QQQ77')).decision?.reason).toBe('no-visit');
});

test('a car that stands at the closed exit asks once', async () => {
  const { visitId } = await drivesIn('ABX12');
  api.wait(3 * HOUR);
  for (let n = 0; n < 4; n++) {
    await drivesOut('ABX12');
    api.wait(2000);
  }
  const { history } = z.looseObject({ history: z.array(z.unknown()) }).parse(await visit(visitId));
  expect(history).toHaveLength(2);
});

/** A customer whose car that is. */
async function customerWith(plate: string, options: Json = {}): Promise<string> {
  const customer = { name: 'Fisk ehf.', language: 'is', options };
  const { id } = await api.made('/customers', { customer });
  const custody = { plate, customerId: id, dateFrom: '2026-01-01T00:00:00.000Z' };
  expect((await api.call('POST', '/custodians', { body: custody })).status).toBe(303);
  return id;
}

test('cars of a customer with a bill leave on it', async () => {
  await customerWith('FISK1', { billingMethod: 'monthly' });
  const seen = await drivesIn('FISK1');
  api.wait(3 * HOUR);
  expect((await drivesOut('FISK1')).decision).toEqual({ open: true, reason: 'company-invoice' });
  const over = await visit(seen.visitId);
  expect(over).toMatchObject({
    status: 'completed',
    paymentStatus: 'company-invoice',
    price: { amount: 500 },
  });
});

test('a quota meets what it has units for, gives back what was not needed, and the rest is paid', async () => {
  const customer = await customerWith('FISK1');
  const product = await api.made('/products', {
    type: 'quota',
    price: 300,
    currency: 'ISK',
    vehicleCategory: 'light',
    productCode: 'quota',
    name: { is: 'Inneign' },
  });
  const quota = await api.made('/quotas', { customer, product: product.id, quantity: 2 });
  const units = async () => {
    const { used, free, currentVisits } = (await api.call('GET', `/quotas/${quota.id}`)).body;
    return { used, free, inside: z.array(z.unknown()).parse(currentVisits).length };
  };

  await drivesIn('FISK1');
  expect(await units()).toEqual({ used: 1, free: 1, inside: 1 });
  api.wait(5 * MINUTE);
  expect((await drivesOut('FISK1')).decision?.reason).toBe('nothing-due');
  expect(await units()).toEqual({ used: 0, free: 2, inside: 0 });

  api.wait(HOUR);
  await drivesIn('FISK1');
  api.wait(30 * HOUR);
  expect((await drivesOut('FISK1')).decision).toEqual({ open: true, reason: 'quota' });
  expect(await units()).toEqual({ used: 2, free: 0, inside: 0 });

  api.wait(HOUR);
  const { visitId } = await drivesIn('FISK1');
  api.wait(3 * HOUR);
  expect((await drivesOut('FISK1')).decision?.reason).toBe('need-payment');
  expect(await visit(visitId)).toMatchObject({ price: { amount: 500 } });
});

test('a misread plate takes no unit of another’s quota for good', async () => {
  const customer = await customerWith('FISK1');
  const product = await api.made('/products', {
    type: 'quota',
    price: 300,
    currency: 'ISK',
    vehicleCategory: 'light',
    productCode: 'quota',
    name: { is: 'Inneign' },
  });
  const quota = await api.made('/quotas', { customer, product: product.id, quantity: 2 });
  const used = async () => (await api.call('GET', `/quotas/${quota.id}`)).body['used'];
  await post(entrance, frame('FISK1', api.now(), { uuid: 'u1', confidence: 75 }));
  expect(await used()).toBe(1);
  api.wait(1000);
  const { visitId } = await post(entrance, frame('FISKI2', api.now(), { uuid: 'u2', confidence: 95 }));
  expect(await visit(visitId)).toMatchObject({ plate: 'FISKI2', customer: null });
  expect(await used()).toBe(0);
  api.wait(1000);
  await post(entrance, frame('FISK1', api.now(), { uuid: 'u3', confidence: 99 }));
  expect(await used()).toBe(1);
});

test('a zone that is full keeps its own lane closed', async () => {
  await api.made('/zones', { name: 'Cellar', settings: { capacity: 1, lanes: ['cam-in'] } });
  await drivesIn('ABX12');
  api.wait(MINUTE);
  expect((await drivesIn('XYZ98')).decision?.reason).toBe('full');
});

test('a site that invoices owners lets its guests go', async () => {
  const { settings } = (await api.call('GET', `/sites/${api.site.id}`)).body;
  await api.call('PUT', `/sites/${api.site.id}`, {
    body: { settings: { ...z.looseObject({}).parse(settings), invoicesOwners: true } },
  });
  const { visitId } = await drivesIn('ABX12');
  api.wait(3 * HOUR);
  expect((await drivesOut('ABX12')).decision?.reason).toBe('owner-invoice');
  expect(await visit(visitId)).toMatchObject({ status: 'completed', paymentStatus: 'owner-invoice' });
});

test('the same car through the entrance after its exit begins another visit', async () => {
  const first = await drivesIn('ABX12');
  api.wait(MINUTE);
  await drivesOut('ABX12');
  api.wait(20_000);
  const second = await drivesIn('ABX12');
  expect(second.visitId).not.toBe(first.visitId);
  expect(second.decision?.reason).toBe('welcome');
});

test('what a person has corrected is not taken back by a later read', async () => {
  const first = await post(entrance, frame('ABX1Z', api.now(), { uuid: 'u1', confidence: 75 }));
  await api.call('PUT', `/visit/${first.visitId}`, { body: { plate: 'KEEP01' } });
  api.wait(1000);
  await post(entrance, frame('ABX12', api.now(), { uuid: 'u2', confidence: 95 }));
  expect(await visit(first.visitId)).toMatchObject({ plate: 'KEEP01' });
});

test('passages are forgotten when no read can belong to them any more', async () => {
  await drivesIn('ABX12');
  const passages = () => api.db.read(async (q) => await q.select().from(lanePassageTable));
  const forget = () => forgetPassages(api.db).work({ now: api.now(), signal: new AbortController().signal });
  api.wait(23 * HOUR);
  await forget();
  expect(await passages()).toHaveLength(1);
  api.wait(2 * HOUR);
  await forget();
  expect(await passages()).toEqual([]);
});

test('an unreadable plate gets a visit without one, as the site will have it', async () => {
  const seen = await post(entrance, survision('', api.now()), 'survision');
  expect(seen).toMatchObject({ status: 'need-review', decision: { open: true, reason: 'need-plate' } });
  expect(await visit(seen.visitId)).toMatchObject({ plate: null, status: 'need-plate' });
});

test('where an edge daemon has spoken, reads are stored for review only', async () => {
  const event = eventAt(1, visitEvent('visit.opened', sampleVisit({ plate: 'ZZZ99' })));
  await applyBatch(api.db, api.clock, {
    siteId: api.site.id,
    epoch: 'e1',
    events: [{ ok: true, event }],
  });
  const seen = await drivesIn('ABX12');
  expect(seen).toMatchObject({ status: 'need-review', standing: 'counts', visitId: null, decision: null });
  expect(await api.plates('/visits')).toEqual(['ZZZ99']);
});
