import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { DocumentContext } from '../plate/plate-read.ts';
import { TATTILE } from './tattile-frame.ts';

const TRANSIT = readFileSync(
  new URL('../../../tests/fixtures/cameras/tattile/receiver_test_1234ABC.xml', import.meta.url),
  'utf8',
);

function parse(text: string, context: Partial<DocumentContext> = {}) {
  return TATTILE.parse(new TextEncoder().encode(text), { headers: {}, ...context });
}

function onlyRead(text: string, context: Partial<DocumentContext> = {}) {
  const result = parse(text, context);
  if (!result.ok) throw new Error(result.refusal.message);
  expect(result.document.reads).toHaveLength(1);
  return result.document.reads[0];
}

it('reads a transit, by the wall clock of the camera', () => {
  expect(onlyRead(TRANSIT, { timeZone: 'Europe/Madrid' })).toEqual({
    plate: '1234ABC',
    plateRaw: '1234ABC',
    score: 0.93,
    country: 'ES',
    direction: 'leaving',
    cameraZone: '2',
    capturedAt: '2024-04-30T10:34:56.789Z',
    eventKey: 'TAT-XYZ-01/2/2024-04-30 12:34:56.789/1234ABC',
    relatedKeys: [],
    candidates: [{ plate: '1234ABC', score: 0.93 }],
    late: false,
    parked: false,
  });
});

// Reduced from the documents of other receivers.
it.each([
  [
    '<Msg><PLATE_STRING>7459MTL</PLATE_STRING><DATE>2024-03-21</DATE><TIME>15:42:10</TIME><OCRSCORE>92.5</OCRSCORE></Msg>',
    { plate: '7459MTL', score: 0.925, capturedAt: '2024-03-21T15:42:10.000Z' },
  ],
  [
    '<root><PLATE_STRING>1234ABC</PLATE_STRING><DEVICE_SN>CAM-001</DEVICE_SN><DATE>2026-01-23</DATE><TIME>09-25-57-000</TIME></root>',
    { plate: '1234ABC', score: 0.85, capturedAt: '2026-01-23T09:25:57.000Z' },
  ],
  [
    '{"PLATE_STRING":"AB123","DEVICE_SN":"1","TRANSIT_ID":"77","OCRSCORE":"120"}',
    // A score on no scale that is known is not believed.
    { plate: 'AB123', score: 0, capturedAt: null, eventKey: '1/-/77/-/AB123' },
  ],
])('reads %s', (text, read) => {
  expect(onlyRead(text)).toMatchObject(read);
});

it('reads a vehicle whose plate was not read', () => {
  const text = TRANSIT.replace('1234ABC', 'XX').replace('<DATE>', '<PLATE_NOT_READ>1</PLATE_NOT_READ><DATE>');
  expect(onlyRead(text)).toMatchObject({ plate: null, score: 0, candidates: [] });
});

it('brings its pictures', () => {
  const text = TRANSIT.replace('BASE64OCR', '/9j/4AAQ').replace('<IMAGE_CTX>', '<IMAGE_CTX>/9j/4BBQ');
  const result = parse(text);
  expect(result.ok && result.document.pictures.map(({ kind }) => kind)).toEqual(['overview', 'vehicle']);
});

it.each([
  ['<MESSAGE><DATE>2024-04-30</DATE></MESSAGE>', /^neither PLATE_STRING/],
  ['{"PLATE_STRING":""}', /^DATE and TIME: /],
])('%s is refused', (text, message) => {
  const result = parse(text);
  expect(result.ok ? '' : result.refusal.message).toMatch(message);
});
