import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAMERA_FORMATS, CameraFormatSchema } from './camera-formats.ts';
import { recogniseFormats } from './recognise-format.ts';

const FIXTURES = new URL('../../../tests/fixtures/cameras/', import.meta.url);
const CONTEXT = { headers: {} };
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

const samples = CameraFormatSchema.options.flatMap((format) =>
  readdirSync(new URL(`${format}/`, FIXTURES), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ format, name, body: readFileSync(new URL(`${format}/${name}`, FIXTURES)) }))
    .filter(({ body }) => CAMERA_FORMATS[format].parse(body, CONTEXT).ok),
);

it.each(samples)('$format/$name is recognised as of its maker, and of no other', ({ format, body }) => {
  expect(recogniseFormats(body, CONTEXT)).toEqual([format]);
});

it('every maker has a sample that is recognised', () => {
  expect(new Set(samples.map(({ format }) => format))).toEqual(new Set(CameraFormatSchema.options));
});

describe('documents of makers that were not added', () => {
  it.each([
    ['a plate alone', { plate: 'AB123' }],
    [
      'a plate with a time and a score',
      { plate: 'AB123', confidence: 91, timestamp: '2026-11-21T12:00:00Z' },
    ],
    ['a plate of a webhook', { license_plate: 'AB123', camera: 'in', direction: 'in', time: 1763726400 }],
    ['a plate with a region', { plate: 'AB123', region: 'IS', device: 'gate', image: '/9j/4AAQ' }],
    ['a heartbeat', { date: '2026-11-21', status: 'alive' }],
    ['a picture', { image: { date: 1, video: 'x' } }],
    ['a configuration', { config: { keepAlive: 5 }, log: [] }],
    ['an event', { event: 'keepalive', device: 'gate' }],
    ['a device', { deviceName: 'gate', deviceModel: 'x' }],
    [
      'a camera of Verkada',
      { webhook_type: 'lpr', data: { license_plate_number: 'AB123', confidence: 0.9 } },
    ],
  ])('are not taken for those of another: %s', (_, document) => {
    expect(recogniseFormats(encode(document), CONTEXT)).toEqual([]);
    expect(recogniseFormats(encode([document]), CONTEXT)).toEqual([]);
  });

  it('are not, however their members are named', () => {
    const words = fc.constantFrom(
      'plate',
      'number',
      'time',
      'score',
      'confidence',
      'camera',
      'date',
      'image',
      'lane',
    );
    const anyDocument = fc.dictionary(words, fc.oneof(fc.string(), fc.integer()), { maxKeys: 6 });
    fc.assert(
      fc.property(anyDocument, (document) => {
        expect(recogniseFormats(encode(document), CONTEXT)).toEqual([]);
      }),
    );
  });
});
