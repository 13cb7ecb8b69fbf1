import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { PLATE_RECOGNIZER } from './plate-recognizer-frame.ts';

const WEBHOOK = JSON.parse(
  readFileSync(
    new URL('../../../tests/fixtures/cameras/plate-recognizer/stream_webhook_9jub11.json', import.meta.url),
    'utf8',
  ),
);
const [RESULT] = WEBHOOK.data.results;

function parse(value: unknown, contentType?: string) {
  const body = Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value));
  return PLATE_RECOGNIZER.parse(body, { headers: { 'content-type': contentType } });
}

function reads(value: unknown) {
  const result = parse(value);
  if (!result.ok) throw new Error(result.refusal.message);
  return result.document.reads;
}

const withResults = (...results: unknown[]) => ({ ...WEBHOOK, data: { ...WEBHOOK.data, results } });

it('reads the captured webhook', () => {
  expect(reads(WEBHOOK)).toEqual([
    {
      plate: '9JUB11',
      plateRaw: '9jub11',
      score: 0.839,
      country: 'GB',
      direction: 'unknown',
      cameraZone: 'camera-1',
      capturedAt: '2021-09-29T05:56:13.606Z',
      eventKey: 'camera-1/2021-09-29T05:56:13.606935Z/9jub11',
      relatedKeys: [],
      candidates: [
        { plate: '9JUB11', score: 0.839 },
        { plate: 'SJU88Y', score: 0 },
        { plate: 'SJUBI', score: 0 },
      ],
      late: false,
      parked: false,
      box: { x: 460, y: 57, width: 97, height: 25 },
    },
  ]);
});

it('reads the plate as newer versions write it, with all that it may be', () => {
  const props = {
    plate: [
      { value: 'ab123', score: 0.91 },
      { value: 'a8123', score: 0.4 },
    ],
    region: [{ value: 'us-ca', score: 0.8 }],
  };
  expect(reads(withResults({ plate: { type: 'Plate', score: 0.7, props }, vehicle: {} }))).toMatchObject([
    {
      plate: 'AB123',
      score: 0.91,
      country: 'US',
      candidates: [
        { plate: 'AB123', score: 0.91 },
        { plate: 'A8123', score: 0.4 },
      ],
    },
  ]);
});

it('reads each vehicle, and one without a plate', () => {
  const several = reads(withResults(RESULT, { ...RESULT, plate: 'ab123' }, { plate: null, vehicle: {} }));
  expect(several.map(({ plate, score }) => [plate, score])).toEqual([
    ['9JUB11', 0.839],
    ['AB123', 0.839],
    [null, 0],
  ]);
  expect(new Set(several.map(({ eventKey }) => eventKey)).size).toBe(3);
});

it('reads the results of Snapshot, which has no envelope', () => {
  expect(reads(WEBHOOK.data)).toEqual(reads(WEBHOOK));
});

it('reads the field `json` of a form, with the picture beside it', () => {
  const form = Buffer.concat([
    Buffer.from('--xYz\r\nContent-Disposition: form-data; name="json"\r\n\r\n'),
    Buffer.from(JSON.stringify(WEBHOOK)),
    Buffer.from('\r\n--xYz\r\nContent-Disposition: form-data; name="upload"; filename="a.jpg"\r\n\r\n'),
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 0xff, 0xd9]),
    Buffer.from('\r\n--xYz--\r\n'),
  ]);
  const result = parse(form, 'multipart/form-data; boundary=xYz');
  expect(result).toMatchObject({
    ok: true,
    document: { reads: reads(WEBHOOK), pictures: [{ kind: 'overview', contentType: 'image/jpeg' }] },
  });
});

it('takes a heartbeat for a sign of life', () => {
  const result = parse({ hook: { event: 'heartbeat' }, data: {} });
  expect(result).toMatchObject({ ok: true, document: { heartbeat: true, reads: [] } });
});

it.each([
  [{ data: {} }, /^no results/],
  [{ hello: 1 }, /^no results/],
  [{ data: { results: [{ plate: '' }] } }, /^timestamp: /],
])('%j is refused', (value, message) => {
  const result = parse(value);
  expect(result.ok ? '' : result.refusal.message).toMatch(message);
});
