import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { useLanes } from '../../../test/lanes.ts';
import { frame, group, survision } from '../../../test/sample-documents.ts';
import { eventAt, sampleVisit, visitEvent } from '../../../test/sample-events.ts';
import { applyBatch } from '../../integration/ingest/apply-batch.ts';
import { lanePassageTable } from '../../records/lanes/lane-passage-table.ts';
import { passageRetentionJob } from './lane-passage.ts';

const lanes = useLanes();
const { post, drivesIn, drivesOut, visit } = lanes;

test('a visitor drives in, is asked to pay, pays and drives out', async () => {
  const seen = await drivesIn('ABX12');
  expect(seen.decision).toEqual({ open: true, reason: 'welcome' });
  expect(await visit(seen.visitId)).toMatchObject({ plate: 'ABX12', status: 'new', endedOn: null });

  lanes.api.wait(3 * HOUR_MS);
  const asked = await drivesOut('ABX12');
  expect(asked).toMatchObject({ visitId: seen.visitId, decision: { open: false, reason: 'need-payment' } });
  expect(await visit(seen.visitId)).toMatchObject({ status: 'need-payment', price: { amount: 500 } });

  await lanes.api.call('PUT', `/visit/${seen.visitId}`, { body: { paymentStatus: 'kiosk' } });
  lanes.api.wait(5 * MINUTE_MS);
  const left = await drivesOut('ABX12');
  expect(left).toMatchObject({ visitId: seen.visitId, decision: { open: true, reason: 'paid' } });
  const over = await visit(seen.visitId);
  expect(over).toMatchObject({ status: 'completed', paymentStatus: 'kiosk', endedOn: lanes.api.now() });
  expect(over['exitPhoto']).toMatchObject({ id: left.id });
  expect(over['entrancePhoto']).toMatchObject({ id: seen.id });
});

/** One picture with plates at their places. */
function picture(at: string, plates: readonly [string, number][]) {
  const seen = frame('', at);
  const results = plates.map(([plate, x], index) => ({
    plate,
    confidence: 95,
    plate_index: index,
    region: 'eu-nl',
    coordinates: [
      { x, y: 300 },
      { x: x + 80, y: 300 },
      { x: x + 80, y: 320 },
      { x, y: 320 },
    ],
  }));
  return { ...seen, uuid: `picture-${at}`, results };
}

test('two plates far apart in one picture are two cars, also where they are near', async () => {
  for (let n = 0; n < 3; n++) {
    await lanes.api.call('POST', `/photos/open-alpr?camera.id=${lanes.entrance}`, {
      body: picture(lanes.api.now(), [
        ['K183JF', 100 + 20 * n],
        ['K183JE', 700 + 20 * n],
      ]),
    });
    lanes.api.wait(900);
  }
  expect((await lanes.api.plates('/visits')).toSorted()).toEqual(['K183JE', 'K183JF']);
});

test('two readings at one place of one picture are one car', async () => {
  await lanes.api.call('POST', `/photos/open-alpr?camera.id=${lanes.entrance}`, {
    body: picture(lanes.api.now(), [
      ['K183JF', 100],
      ['N656XH', 110],
    ]),
  });
  expect(await lanes.api.plates('/visits')).toEqual(['N656XH']);
});

test('a car that the cameras of two entrances see is let in once, and has one visit', async () => {
  const second = {
    name: 'In 2',
    location: 'entrance',
    remoteId: 'cam-in-2',
    config: { minimumOcrScore: 0.7 },
  };
  const { id: beside } = await lanes.api.made('/cameras', second);
  const seen = await drivesIn('ABX12');
  lanes.api.wait(700);
  const again = await post(beside, frame('ABX12', lanes.api.now()));
  expect(again).toMatchObject({ visitId: seen.visitId, decision: null, status: 'new' });
  expect(await visit(seen.visitId)).toMatchObject({ status: 'new', endedOn: null, flags: [] });
  lanes.api.wait(10_000);
  expect((await post(beside, frame('ABX12', lanes.api.now()))).decision?.open).toBe(true);
  expect((await lanes.api.call('GET', '/visits')).body['total']).toBe(1);
});

test('a vehicle with a permit leaves without paying', async () => {
  await lanes.api.made('/visit/whitelist', { plate: 'STAFF1', reason: 'Staff' });
  const seen = await drivesIn('STAFF1');
  expect(seen.decision?.reason).toBe('permit');
  lanes.api.wait(30 * HOUR_MS);
  expect((await drivesOut('STAFF1')).decision).toEqual({ open: true, reason: 'whitelisted' });
  expect(await visit(seen.visitId)).toMatchObject({ status: 'completed', paymentStatus: 'whitelisted' });
});

test('a blocked plate stays outside, and a person is notified', async () => {
  await lanes.api.made('/visit/whitelist', { plate: 'BAD666', reason: 'Unpaid', objectType: 'block' });
  const seen = await drivesIn('BAD666');
  expect(seen).toMatchObject({ visitId: null, decision: { open: false, reason: 'blocklisted' } });
});

test('a full site keeps the next car outside until one leaves', async () => {
  const { settings } = (await lanes.api.call('GET', `/sites/${lanes.api.site.id}`)).body;
  await lanes.api.call('PUT', `/sites/${lanes.api.site.id}`, {
    body: { settings: { ...z.looseObject({}).parse(settings), capacity: 1 } },
  });
  await drivesIn('ABX12');
  lanes.api.wait(MINUTE_MS);
  expect((await drivesIn('XYZ98')).decision?.reason).toBe('full');
  lanes.api.wait(MINUTE_MS);
  expect((await drivesOut('ABX12')).decision?.reason).toBe('nothing-due');
  lanes.api.wait(MINUTE_MS);
  expect((await drivesIn('XYZ98')).decision?.reason).toBe('welcome');
});

test('several reads of one vehicle are one visit, and the better one corrects it', async () => {
  const first = await post(lanes.entrance, frame('ABX1Z', lanes.api.now(), { uuid: 'u1', confidence: 75 }));
  lanes.api.wait(500);
  const second = await post(lanes.entrance, frame('ABX12', lanes.api.now(), { uuid: 'u2', confidence: 95 }));
  lanes.api.wait(6000);
  const after = await post(lanes.entrance, group('ABX12', lanes.api.now(), { uuids: ['u1', 'u2', 'u3'] }));
  expect([second.visitId, after.visitId]).toEqual([first.visitId, first.visitId]);
  expect(after.standing).toBe('late');
  expect(await visit(first.visitId)).toMatchObject({ plate: 'ABX12' });
  expect(await lanes.api.plates('/visits')).toEqual(['ABX12']);
});

test('a vehicle that is only reported as a group, after it has passed, opens nothing and is stored', async () => {
  const seen = await post(lanes.entrance, group('ABX12', lanes.api.now()));
  expect(seen).toMatchObject({
    standing: 'late',
    status: 'new',
    decision: { open: false, reason: 'welcome' },
  });
  lanes.api.wait(3 * HOUR_MS);
  const left = await post(lanes.exit, group('ABX12', lanes.api.now()));
  expect(left).toMatchObject({ visitId: seen.visitId, decision: { open: false, reason: 'need-payment' } });
  expect(await visit(seen.visitId)).toMatchObject({
    status: 'need-payment',
    endedOn: lanes.api.now(),
    price: { amount: 500 },
  });
});

test('old news is stored for review and changes nothing', async () => {
  const captured = lanes.api.now();
  lanes.api.wait(16_000);
  for (const document of [frame('ABX12', captured), group('ABX12', captured)]) {
    const seen = await post(lanes.entrance, document);
    expect(seen).toMatchObject({ standing: 'late', status: 'need-review', visitId: null, decision: null });
  }
  const parked = await post(lanes.entrance, group('ABX12', lanes.api.now(), { parked: true }));
  const low = await post(lanes.entrance, frame('ABX12', lanes.api.now(), { confidence: 40 }));
  expect([parked.standing, low.standing]).toEqual(['parked', 'low-score']);
  expect(await lanes.api.plates('/visits')).toEqual([]);
});

test('a camera whose clock is steadily wrong is believed after some reads', async () => {
  const wrongBy = 3 * HOUR_MS;
  const seen = [];
  for (const plate of ['AAA11', 'BBB22', 'CCC33', 'DDD44', 'EEE55', 'FFF66']) {
    const wrong = new Date(Date.parse(lanes.api.now()) - wrongBy).toISOString();
    seen.push((await post(lanes.entrance, frame(plate, wrong))).standing);
    lanes.api.wait(MINUTE_MS);
  }
  expect(seen).toEqual(['late', 'late', 'late', 'late', 'late', 'counts']);
});

test('a lost exit: the plate comes in again, and the old visit waits for a person', async () => {
  const first = await drivesIn('ABX12');
  lanes.api.wait(20 * HOUR_MS);
  const second = await drivesIn('ABX12');
  expect(second.visitId).not.toBe(first.visitId);
  expect(await visit(first.visitId)).toMatchObject({
    flags: ['lost-exit'],
    endedOn: lanes.api.now(),
    status: 'new',
    paymentStatus: null,
  });
});

test('an exit that reads the plate a little wrong finds its visit, and says so', async () => {
  const seen = await drivesIn('ABO12');
  lanes.api.wait(MINUTE_MS);
  const left = await drivesOut('AB012');
  expect(left.visitId).toBe(seen.visitId);
  expect(await visit(seen.visitId)).toMatchObject({ exitFoundBy: 'confusable', flags: ['uncertain-plate'] });
});

test('an exit that could be two visits, or none, is for a person to look at', async () => {
  await drivesIn('ABX12');
  lanes.api.wait(MINUTE_MS);
  await drivesIn('ABX13');
  lanes.api.wait(MINUTE_MS);
  expect(await drivesOut('ABX19')).toMatchObject({
    status: 'need-review',
    visitId: null,
    decision: { open: true, reason: 'ambiguous-visit' },
  });
  lanes.api.wait(MINUTE_MS);
  expect((await drivesOut('QQQ77')).decision?.reason).toBe('no-visit');
});

test('a car that was let out a moment ago is not asked to pay for a look-alike', async () => {
  await lanes.api.made('/visit/whitelist', { plate: 'ABX12', reason: 'Staff' });
  await drivesIn('ABX12');
  lanes.api.wait(MINUTE_MS);
  const other = await drivesIn('XBX12');
  lanes.api.wait(3 * HOUR_MS);
  await drivesOut('ABX12');
  lanes.api.wait(3 * MINUTE_MS);
  expect((await drivesOut('ABX12')).decision).toEqual({ open: true, reason: 'visit-ended' });
  expect(await visit(other.visitId)).toMatchObject({ status: 'new', endedOn: null });
});

test('a car left when its exit saw it, though that arrives hours later; what it owes waits for a person', async () => {
  const { visitId } = await drivesIn('ABX12');
  lanes.api.wait(3 * HOUR_MS);
  const leftAt = lanes.api.now();
  lanes.api.wait(2 * HOUR_MS);
  const seen = await post(lanes.exit, frame('ABX12', leftAt));
  expect(seen).toMatchObject({ visitId, standing: 'late', decision: { open: false, reason: 'late-exit' } });
  expect(await visit(visitId)).toMatchObject({
    endedOn: leftAt,
    status: 'need-payment',
    paymentStatus: null,
    flags: ['late-exit'],
  });
});

test('a car that stands at the closed exit asks once', async () => {
  const { visitId } = await drivesIn('ABX12');
  lanes.api.wait(3 * HOUR_MS);
  for (let n = 0; n < 4; n++) {
    await drivesOut('ABX12');
    lanes.api.wait(2000);
  }
  const { history } = z.looseObject({ history: z.array(z.unknown()) }).parse(await visit(visitId));
  expect(history).toHaveLength(2);
});

test('a zone that is full keeps its own lane closed, until a person counts fewer', async () => {
  const { id } = await lanes.api.made('/zones', {
    name: 'Cellar',
    settings: { capacity: 1, lanes: ['cam-in'] },
  });
  await drivesIn('ABX12');
  lanes.api.wait(MINUTE_MS);
  expect((await drivesIn('XYZ98')).decision?.reason).toBe('full');
  const body = { inside: 0, reason: 'Empty' };
  await lanes.api.call('PUT', `/zones/${id}/occupancy`, { body });
  lanes.api.wait(MINUTE_MS);
  expect((await drivesIn('MKJ45')).decision?.reason).toBe('welcome');
});

test('the same car through the entrance after its exit begins another visit', async () => {
  const first = await drivesIn('ABX12');
  lanes.api.wait(MINUTE_MS);
  await drivesOut('ABX12');
  lanes.api.wait(20_000);
  const second = await drivesIn('ABX12');
  expect(second.visitId).not.toBe(first.visitId);
  expect(second.decision?.reason).toBe('welcome');
});

test('what a person has corrected is not taken back by a later read', async () => {
  const first = await post(lanes.entrance, frame('ABX1Z', lanes.api.now(), { uuid: 'u1', confidence: 75 }));
  await lanes.api.call('PUT', `/visit/${first.visitId}`, { body: { plate: 'KEEP01' } });
  lanes.api.wait(1000);
  await post(lanes.entrance, frame('ABX12', lanes.api.now(), { uuid: 'u2', confidence: 95 }));
  expect(await visit(first.visitId)).toMatchObject({ plate: 'KEEP01' });
});

test('passages are forgotten when no read can belong to them any more', async () => {
  await drivesIn('ABX12');
  const passages = () => lanes.api.db.read(async (q) => await q.select().from(lanePassageTable));
  const forget = () =>
    passageRetentionJob(lanes.api.db).work({ now: lanes.api.now(), signal: new AbortController().signal });
  lanes.api.wait(23 * HOUR_MS);
  await forget();
  expect(await passages()).toHaveLength(1);
  lanes.api.wait(2 * HOUR_MS);
  await forget();
  expect(await passages()).toEqual([]);
});

test('an unreadable plate gets a visit without one, as the site will have it', async () => {
  const seen = await post(lanes.entrance, survision('', lanes.api.now()), 'survision');
  expect(seen).toMatchObject({ status: 'need-review', decision: { open: true, reason: 'need-plate' } });
  expect(await visit(seen.visitId)).toMatchObject({ plate: null, status: 'need-plate' });
});

test('where an edge daemon has spoken, reads are stored for review only', async () => {
  const event = eventAt(1, visitEvent('visit.opened', sampleVisit({ plate: 'ZZZ99' })));
  await applyBatch(lanes.api.db, lanes.api.clock, {
    siteId: lanes.api.site.id,
    epoch: 'e1',
    events: [{ ok: true, event }],
  });
  const seen = await drivesIn('ABX12');
  expect(seen).toMatchObject({ status: 'need-review', standing: 'counts', visitId: null, decision: null });
  expect(await lanes.api.plates('/visits')).toEqual(['ZZZ99']);
});
