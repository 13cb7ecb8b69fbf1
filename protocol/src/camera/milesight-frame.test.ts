import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type PlateRead, PlateReadSchema } from '../plate/plate-read.ts';
import { UNSTATED_SCORE } from './confidence.ts';
import { MILESIGHT } from './milesight-frame.ts';

const posted = () =>
  JSON.parse(
    readFileSync(
      new URL(
        '../../../tests/fixtures/cameras/milesight/http_post_recognition_62D3680.json',
        import.meta.url,
      ),
      'utf8',
    ),
  );

function parse(value: unknown, timeZone?: string) {
  return MILESIGHT.parse(new TextEncoder().encode(JSON.stringify(value)), {
    headers: {},
    ...(timeZone !== undefined && { timeZone }),
  });
}

function accepted(value: unknown, timeZone?: string) {
  const result = parse(value, timeZone);
  if (!result.ok) throw new Error(result.refusal.message);
  for (const read of result.document.reads) PlateReadSchema.parse(read);
  return result.document;
}

function onlyRead(value: unknown, timeZone?: string): PlateRead {
  const [read, ...more] = accepted(value, timeZone).reads;
  if (read === undefined || more.length > 0) throw new Error('not one read');
  return read;
}

function refusal(value: unknown): string {
  const result = parse(value);
  if (result.ok) throw new Error('was accepted');
  return `${result.refusal.reason}: ${result.refusal.message}`;
}

describe('recognitions', () => {
  it('reads a captured one', () => {
    const { pictures, ...document } = accepted(posted());
    expect(document).toEqual({
      kind: 'recognition',
      heartbeat: false,
      reads: [
        {
          plate: '62D3680',
          plateRaw: '62D3680',
          score: UNSTATED_SCORE,
          country: 'LV',
          direction: 'unknown',
          cameraZone: '1',
          capturedAt: '2024-02-01T06:00:05.509Z',
          eventKey: 'Network Camera/2024-02-01 06:00:05.509/62D3680/1',
          relatedKeys: [],
          candidates: [{ plate: '62D3680', score: UNSTATED_SCORE }],
          late: false,
          parked: false,
          box: { x: 1014, y: 624, width: 96, height: 42 },
        },
      ],
    });
    expect(pictures).toMatchObject([{ kind: 'plate', contentType: 'image/jpeg' }]);
  });

  it.each([
    ['88', 0.88],
    [88, 0.88],
    ['0.88', 0.88],
    ['88%', 0.88],
    ['88,5', 0.885],
    ['-', UNSTATED_SCORE],
    ['', UNSTATED_SCORE],
    [null, UNSTATED_SCORE],
    ['sure', 0],
    ['-1', 0],
  ])('takes the confidence %j for %d', (confidence, score) => {
    expect(onlyRead({ ...posted(), confidence }).score).toBe(score);
  });

  it.each([
    ['Approach', 'approaching'],
    ['away', 'leaving'],
    ['-', 'unknown'],
  ])('takes the direction %j for %s', (word, direction) => {
    expect(onlyRead({ ...posted(), direction: word }).direction).toBe(direction);
  });

  it.each(['-', '', 'unknown', 'NoPlate', null])('takes the plate %j for an unreadable one', (plate) => {
    expect(onlyRead({ ...posted(), plate })).toMatchObject({ plate: null, score: 0, candidates: [] });
  });

  it.each([
    ['AB-X 12', 'ABX12'],
    ['þór 01', 'ÞÓR01'],
    ['ＡＢＸ１２', 'ABX12'],
    [12345, '12345'],
  ])('takes the plate %j for %s', (plate, read) => {
    expect(onlyRead({ ...posted(), plate }).plate).toBe(read);
  });

  it('takes its wall clock for the site’s, unless it says where it stands', () => {
    expect(onlyRead(posted(), 'Europe/Riga').capturedAt).toBe('2024-02-01T04:00:05.509Z');
    const reported = { ...posted(), time_msec: '2024-02-01T06:00:05.509+05:30' };
    expect(onlyRead(reported, 'Europe/Riga').capturedAt).toBe('2024-02-01T00:30:05.509Z');
  });

  it('does without the milliseconds, and takes members in any case', () => {
    const { plate, time } = posted();
    expect(onlyRead({ Plate: plate, Time: time, Plate_Image: 'x', Confidence: '91' })).toMatchObject({
      plate: '62D3680',
      score: 0.91,
      capturedAt: '2024-02-01T06:00:05.509Z',
      eventKey: '-/2024-02-01 06:00:05.509/62D3680/-',
    });
  });

  it('takes several vehicles, each with a key of its own', () => {
    const { reads } = accepted([posted(), { ...posted(), plate: 'AB123' }, posted()]);
    expect(reads.map(({ plate }) => plate)).toEqual(['62D3680', 'AB123', '62D3680']);
    expect(new Set(reads.map(({ eventKey }) => eventKey)).size).toBe(3);
  });

  it('takes every picture', () => {
    const jpeg = posted().plate_image;
    const all = { ...posted(), full_image: `data:image/jpeg;base64,${jpeg}`, evidence_image0: jpeg };
    expect(accepted(all).pictures.map(({ kind, base64 }) => [kind, base64 === jpeg])).toEqual([
      ['overview', true],
      ['plate', true],
      ['overview', true],
    ]);
  });
});

it.each([1706767205509, '1706767205509', 1706767205.509, '1706767205509000'])(
  'reads a time of %j since 1970',
  (time_msec) => {
    const [read] = accepted({ ...posted(), time_msec }).reads;
    expect(read?.capturedAt).toBe('2024-02-01T06:00:05.509Z');
  },
);

describe('other messages', () => {
  it('finds no read in another event', () => {
    expect(accepted({ event: 'Parking', device: 'x' })).toMatchObject({
      kind: 'Parking',
      heartbeat: false,
      reads: [],
    });
    expect(accepted({ event: 'heartbeat' })).toMatchObject({ heartbeat: true, reads: [] });
  });

  it.each([
    [{ device: 'x' }, 'unknown-kind: neither a plate nor an event'],
    [7, 'wrong-shape: the document: '],
    [[7], 'wrong-shape: the document: '],
    [{ plate: '-', time: '-', time_msec: '-' }, 'wrong-shape: time_msec: required to identify'],
    [{ ...posted(), plate: ['AB123'] }, 'wrong-shape: plate: '],
    [Array.from({ length: 101 }, posted), 'wrong-shape: more than 100 vehicles'],
  ])('refuses %.40j', (value, reason) => {
    expect(refusal(value).slice(0, reason.length)).toBe(reason);
  });
});
