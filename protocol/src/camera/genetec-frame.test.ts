import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { DocumentContext } from '../plate/plate-read.ts';
import { GENETEC } from './genetec-frame.ts';

const sample = (name: string) =>
  readFileSync(new URL(`../../../tests/fixtures/cameras/genetec/${name}`, import.meta.url));
const exported = JSON.parse(sample('exporter_9HKA742.trimmed.json').toString());
const event = JSON.parse(sample('doc_sharpv_http_14.2.json').toString());

function parse(value: unknown, context: Partial<DocumentContext> = {}) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return GENETEC.parse(new TextEncoder().encode(text), { headers: {}, ...context });
}

function onlyRead(value: unknown, context: Partial<DocumentContext> = {}) {
  const result = parse(value, context);
  if (!result.ok) throw new Error(result.refusal.message);
  expect(result.document.reads).toHaveLength(1);
  return result.document.reads[0];
}

describe('the captured export', () => {
  it('is read', () => {
    expect(onlyRead(exported)).toEqual({
      plate: '9HKA742',
      plateRaw: '9HKA742',
      score: 0.99,
      // `State` is California, and no country.
      country: null,
      direction: 'leaving',
      capturedAt: '2024-10-24T20:29:26.000Z',
      eventKey: 'G637821011231200521C/ccd6761e-b2a6-4afc-b386-412d6529c4ec',
      relatedKeys: [],
      candidates: [{ plate: '9HKA742', score: 0.99 }],
      late: false,
      parked: false,
    });
  });

  it.each([
    ['a read', { Read: exported }],
    ['a vehicle', { Vehicle: { Read: exported }, Hit: {} }],
    ['a list', [exported]],
    ['a list of reads', { Reads: [exported] }],
  ])('is read inside %s too', (_, wrapped) => {
    expect(onlyRead(wrapped)).toEqual(onlyRead(exported));
  });

  it.each([
    ['10/24/2024', '2024-10-24T20:29:26.000Z'],
    ['24/10/2024', '2024-10-24T20:29:26.000Z'],
    ['2024-10-24', '2024-10-24T20:29:26.000Z'],
    ['2024/10/24', '2024-10-24T20:29:26.000Z'],
    ['2024:10:24', '2024-10-24T20:29:26.000Z'],
    ['yesterday', null],
  ])('may write its date as %s', (date, capturedAt) => {
    expect(onlyRead({ ...exported, DateUtc: date, DateLocal: '' })?.capturedAt).toBe(capturedAt);
  });

  it('has the day or the month first, whichever is nearer to when it came', () => {
    const early = { ...exported, DateUtc: '03/04/2026' };
    const at = (receivedAt: string) => onlyRead(early, { receivedAt })?.capturedAt?.slice(0, 10);
    expect(at('2026-04-03T20:29:27.000Z')).toBe('2026-04-03');
    expect(at('2026-03-04T20:29:27.000Z')).toBe('2026-03-04');
  });

  it('is distinguished from others by its camera, time and plate if it has no id', () => {
    const read = onlyRead({ ...exported, VehicleID: '00000000-0000-0000-0000-000000000000' });
    expect(read?.eventKey).toBe('G637821011231200521C/2024-10-24T20:29:26.000Z/9HKA742');
  });
});

describe('an event of the HTTP extension', () => {
  it('is read, by the wall clock of the camera', () => {
    expect(onlyRead(event, { timeZone: 'America/New_York' })).toMatchObject({
      plate: 'AA7D2',
      // The camera reports no confidence.
      score: 0.85,
      country: 'US',
      direction: 'unknown',
      capturedAt: '2016-08-29T12:42:45.797Z',
      eventKey: 'SHARPV12345/32cf870a-46aa-4cfd-914b-00062d98e93a',
    });
  });

  it('says how sure it is, where it drives and in which lane among its analytics', () => {
    const PlateAnalytics = [
      { Key: 'Confidence Score', Score: 1, Value: '87' },
      { Key: 'Relative Motion', Score: 1, Value: 'Approaching' },
      { Key: 'Lane', Score: 1, Value: 'Left' },
    ];
    expect(onlyRead({ ...event, PlateAnalytics })).toMatchObject({
      score: 0.87,
      direction: 'approaching',
      cameraZone: 'Left',
    });
  });

  it('is read in XML too', () => {
    const xml = `<Plate><Id>32cf</Id><LprCameraName>Lpr Camera</LprCameraName><PlateAnalytics><PlateAnalytics>
<Key>State Name</Key><Score>-1.0</Score><Value>-</Value></PlateAnalytics><PlateAnalytics><Key>Confidence Score</Key>
<Score>1</Score><Value>100</Value></PlateAnalytics></PlateAnalytics><PlateRead>AA7D2</PlateRead>
<SourceUrl>SHARPV12345</SourceUrl><Timestamp>2016-08-29T08:42:45.797</Timestamp></Plate>`;
    expect(onlyRead(xml)).toMatchObject({ plate: 'AA7D2', score: 1, eventKey: 'SHARPV12345/32cf' });
  });
});

it('the XML template of SharpV is read', () => {
  const xml = `<?xml version="1.0" encoding="utf-8"?><AutoVu><Plate>AB123</Plate><UTCDate>2026:11:21</UTCDate>
<UTCTime>12:00:01.250</UTCTime><SourceName>SHARPV1</SourceName><ConfidenceScore>91</ConfidenceScore><Lane>2</Lane>
<Guid>6ee17b00</Guid></AutoVu>`;
  expect(onlyRead(xml)).toMatchObject({
    plate: 'AB123',
    score: 0.91,
    capturedAt: '2026-11-21T12:00:01.250Z',
    cameraZone: '2',
    eventKey: 'SHARPV1/6ee17b00',
  });
});

it('brings its pictures', () => {
  const pictures = { ContextImage: '/9j/4AAQ', PlateImage: '/9j/4BBQ', OverviewImage: '' };
  const result = parse({ ...event, ...pictures });
  expect(result.ok && result.document.pictures.map(({ kind }) => kind)).toEqual(['overview', 'plate']);
});

it.each([
  [{ Id: 'x' }, /^neither a PlateRead nor a Plate/],
  [{ PlateRead: '' }, /^Id: /],
  ['[]', /no message/],
])('%j is refused', (value, message) => {
  const result = parse(value);
  expect(result.ok ? '' : result.refusal.message).toMatch(message);
});
