import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { DocumentContext } from '../plate/plate-read.ts';
import { VAXTOR } from './vaxtor-frame.ts';

const REPORT = JSON.parse(
  readFileSync(
    new URL('../../../tests/fixtures/cameras/vaxtor/variables_report.json', import.meta.url),
    'utf8',
  ),
);

function parse(value: unknown, context: Partial<DocumentContext> = {}) {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return VAXTOR.parse(new TextEncoder().encode(text), { headers: {}, ...context });
}

function onlyRead(value: unknown, context: Partial<DocumentContext> = {}) {
  const result = parse(value, context);
  if (!result.ok) throw new Error(result.refusal.message);
  expect(result.document.reads).toHaveLength(1);
  return result.document.reads[0];
}

const READ = {
  plate: '1234ABC',
  plateRaw: '1234ABC',
  score: 0.94,
  country: 'ES',
  direction: 'approaching',
  cameraZone: '2',
  capturedAt: '2026-11-22T08:15:04.250Z',
  eventKey: '-/2/2026-11-22T09:15:04.250+01:00/1234ABC',
  relatedKeys: [],
  candidates: [{ plate: '1234ABC', score: 0.94 }],
  late: false,
  parked: false,
};

it('reads a report of the variables', () => {
  expect(onlyRead(REPORT)).toEqual(READ);
  expect(onlyRead([REPORT])).toEqual(READ);
  expect(onlyRead({ event: REPORT })).toEqual(READ);
});

it('reads a report in XML', () => {
  const members = Object.entries(REPORT).map(([name, value]) => `<${name}>${value}</${name}>`);
  expect(onlyRead(`<alpr>${members.join('')}</alpr>`)).toEqual(READ);
});

it.each([
  ['0', 'unknown'],
  ['1', 'approaching'],
  ['2', 'leaving'],
  // It stands, as a car before a gate does.
  ['3', 'unknown'],
  [2, 'leaving'],
  ['towards', 'approaching'],
])('direction %s is %s', (direction, travel) => {
  expect(onlyRead({ ...REPORT, direction })).toMatchObject({ direction: travel, parked: false });
});

it('takes the plate in its own letters before the one in plain letters', () => {
  expect(onlyRead({ ...REPORT, plateutf8: 'ÞA123' })?.plate).toBe('ÞA123');
});

it('brings its pictures', () => {
  const result = parse({ ...REPORT, plateimage: '/9j/4AAQ', overviewimage: '/9j/4BBQ' });
  expect(result.ok && result.document.pictures.map(({ kind }) => kind)).toEqual(['overview', 'plate']);
});

it.each([
  [{ date: '2026-11-22' }, /^no plate/],
  [{ plate: '', roiid: '1' }, /^date: /],
])('%j is refused', (value, message) => {
  const result = parse(value);
  expect(result.ok ? '' : result.refusal.message).toMatch(message);
});
