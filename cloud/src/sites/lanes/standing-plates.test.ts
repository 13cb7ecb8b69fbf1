import { readFileSync } from 'node:fs';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis } from '@hlid/protocol/base/utc-time';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { useLanes } from '../../../test/lanes.ts';
import { frame, group } from '../../../test/sample-documents.ts';
import { laneAlertTable } from '../../records/passages/passage-table.ts';

const lanes = useLanes();
const { post, drivesIn, drivesOut } = lanes;

const BoxSchema = z.object({ xmin: z.number(), ymin: z.number(), xmax: z.number(), ymax: z.number() });
const WebhookSchema = z.object({
  data: z.object({
    timestamp: z.string(),
    results: z.tuple([z.object({ plate: z.string(), score: z.number(), box: BoxSchema })]),
  }),
});

/** Posts the reads of a camera in the field, with the pauses that it had, as frames of an agent. */
async function replay(file: string) {
  const path = `../../../../tests/fixtures/cameras/plate-recognizer/field/${file}`;
  const lines = readFileSync(new URL(path, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const answers = [];
  let before: number | null = null;
  for (const line of lines) {
    const { timestamp, results } = WebhookSchema.parse(JSON.parse(line)).data;
    const [{ plate, score, box }] = results;
    const at = millis(timestamp);
    if (before !== null) lanes.api.wait(at - before);
    before = at;
    const { xmin, ymin, xmax, ymax } = box;
    const corners = [
      { x: xmin, y: ymin },
      { x: xmax, y: ymin },
      { x: xmax, y: ymax },
      { x: xmin, y: ymax },
    ];
    const document = frame(plate.toUpperCase(), lanes.api.now(), { confidence: 100 * score });
    const withBox = document.results.map((result) => ({ ...result, coordinates: corners }));
    answers.push(await post(lanes.entrance, { ...document, results: withBox }));
  }
  return answers;
}

const alerts = async () =>
  await lanes.api.db.read((q) =>
    q.select({ alert: laneAlertTable.alert, plate: laneAlertTable.plate }).from(laneAlertTable),
  );

async function visits() {
  const { body } = await lanes.api.call('GET', '/visits');
  const Visit = z.looseObject({
    plate: z.string(),
    flags: z.array(z.string()),
    endedOn: z.string().nullable(),
  });
  return z.array(Visit).parse(body['data']);
}

test('a car that is parked in view of an entrance is let in once, and people are advised of it', async () => {
  const answers = await replay('parked-car-in-view.jsonl');
  expect(answers.filter(({ standing }) => standing === 'counts')).toHaveLength(3);
  const parked = answers.filter(({ standing }) => standing === 'parked');
  expect(parked).toHaveLength(7);
  for (const { status, decision } of parked)
    expect([status, decision?.open ?? false]).toEqual(['new', false]);
  const all = (await visits()).map(({ plate, flags, endedOn }) => ({ plate, flags, endedOn }));
  const inside = (plate: string) => ({ plate, flags: [], endedOn: null });
  expect(all).toEqual(expect.arrayContaining(['NKP52', 'LUV31', 'OGD88'].map(inside)));
  expect(all).toHaveLength(3);
  expect(await alerts()).toEqual([{ alert: 'stands-still', plate: 'NKP52' }]);
});

test('first looks that are wrong are one car, with the plate of its last look', async () => {
  const answers = await replay('first-read-wrong.jsonl');
  expect(new Set(answers.map(({ visitId }) => visitId)).size).toBe(1);
  expect(await visits()).toMatchObject([{ plate: 'K197GB', endedOn: null, flags: [] }]);
});

test('the parked car drives out, and comes in again like any car', async () => {
  for (let n = 0; n < 4; n++) {
    await drivesIn('NKP52');
    lanes.api.wait(5 * MINUTE_MS);
  }
  const asked = await drivesOut('NKP52');
  expect(asked.decision?.open).toBe(false);
  await lanes.api.call('PUT', `/visit/${asked.visitId}`, { body: { paymentStatus: 'kiosk' } });
  lanes.api.wait(MINUTE_MS);
  expect((await drivesOut('NKP52')).decision?.open).toBe(true);
  lanes.api.wait(5 * MINUTE_MS);
  expect((await drivesIn('NKP52')).decision?.open).toBe(true);
  expect(await visits()).toHaveLength(2);
});

test('a car that comes every day is never held, and neither is one with another plate', async () => {
  for (let day = 0; day < 3; day++) {
    expect((await drivesIn('NKP52')).decision).toMatchObject({ open: true });
    lanes.api.wait(24 * HOUR_MS);
  }
  lanes.api.wait(10 * MINUTE_MS);
  expect((await drivesIn('NKP53')).decision).toMatchObject({ open: true });
});

test('an agent that repeats the group of a parked car makes one visit', async () => {
  for (let n = 0; n < 6; n++) {
    await post(lanes.entrance, group('NKP52', lanes.api.now()));
    lanes.api.wait(4 * MINUTE_MS);
  }
  expect(await visits()).toMatchObject([{ plate: 'NKP52', flags: [], endedOn: null }]);
});

test('a car that stands before the camera for minutes is answered with an open gate only at first', async () => {
  const opened = [];
  for (let n = 0; n < 20; n++) {
    const { decision, standing } = await post(lanes.entrance, frame('NKP52', lanes.api.now()));
    if (standing === 'counts') opened.push(decision?.open);
    lanes.api.wait(30_000);
  }
  expect(opened.length).toBeLessThan(7);
  expect(await visits()).toHaveLength(1);
});
