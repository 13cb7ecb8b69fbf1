import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlateReadSchema } from '../plate-read.ts';
import { CAMERA_FORMATS, type CameraFormat, CameraFormatSchema } from './camera-formats.ts';

const FIXTURES = new URL('../../../tests/fixtures/cameras/', import.meta.url);
const FOLDERS: Record<CameraFormat, string> = { 'open-alpr': 'openalpr/', survision: 'survision/' };
const NUM_RUNS = 200;
const DEADLINE_MS = 500;

const ODD_VALUES = [null, true, 0, -1, 1e300, '', 'x', [], [[]], {}, { '#text': 1 }, [null], '\ud800'];

/** Every contract that a parser has, whatever the bytes. */
function expectGoodManners(format: CameraFormat, body: Uint8Array): void {
  const startedAt = performance.now();
  const result = CAMERA_FORMATS[format].parse(body, { headers: { 'survision-serial-number': '1' } });
  expect(performance.now() - startedAt).toBeLessThan(DEADLINE_MS);
  if (result.ok) for (const read of result.document.reads) PlateReadSchema.parse(read);
  else expect(result.refusal.message).not.toBe('');
}

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

/** All paths to values inside a document. */
function pathsOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...path, key]))];
}

function withValueAt(value: unknown, path: readonly string[], put: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return put;
  if (Array.isArray(value)) {
    return value.map((child, index) => (String(index) === key ? withValueAt(child, rest, put) : child));
  }
  const entries = Object.entries(Object(value));
  return Object.fromEntries(
    entries.map(([name, child]) => [name, name === key ? withValueAt(child, rest, put) : child]),
  );
}

describe.each(CameraFormatSchema.options)('the %s parser, whatever comes,', (format) => {
  const folder = new URL(FOLDERS[format], FIXTURES);
  const samples = readdirSync(folder).map((name) => readFileSync(new URL(name, folder)));
  const anySample = fc.constantFrom(...samples);

  it('bears any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (body) => expectGoodManners(format, body)),
      { numRuns: NUM_RUNS },
    );
  });

  it('bears any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => expectGoodManners(format, new TextEncoder().encode(text))),
      { numRuns: NUM_RUNS },
    );
  });

  it('calls a truncated sample malformed', () => {
    fc.assert(
      fc.property(anySample, fc.nat(), (sample, cut) => {
        const body = sample.subarray(0, cut % sample.toString().trimEnd().length);
        expectGoodManners(format, body);
        const result = CAMERA_FORMATS[format].parse(body, { headers: {} });
        expect(result).toMatchObject({ ok: false, refusal: { reason: 'malformed' } });
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('bears samples with values of other types in their places', () => {
    const swapped = anySample.chain((sample) => {
      const value: unknown = JSON.parse(sample.toString());
      const swap = fc.tuple(fc.constantFrom(...pathsOf(value)), fc.constantFrom<unknown>(...ODD_VALUES));
      return fc
        .array(swap, { minLength: 1, maxLength: 4 })
        .map((swaps) =>
          swaps.reduce((changed: unknown, [path, put]) => withValueAt(changed, path, put), value),
        );
    });
    fc.assert(
      fc.property(swapped, (value) => expectGoodManners(format, encode(value))),
      { numRuns: 2 * NUM_RUNS },
    );
  });

  it.each([
    ['arrays', '[', ']'],
    ['groups', '{"data_type":null,"group":', '}'],
    ['results', '{"data_type":"alpr_results","results":[', ']}'],
    ['decisions', '{"anpr":{"decision":[', ']}}'],
  ])('is not brought down by %s in each other', (_, open, close) => {
    const body = new TextEncoder().encode(`${open.repeat(100_000)}1${close.repeat(100_000)}`);
    expect(CAMERA_FORMATS[format].parse(body, { headers: {} }).ok).toBe(false);
  });
});
