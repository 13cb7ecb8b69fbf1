import fc from 'fast-check';
import { expect, it } from 'vitest';
import { lengthenJson, shortenJson } from './short-json.ts';

const CANDIDATES = [
  { plate: 'AB123', score: 0.95 },
  { plate: 'A8123', score: 0.42 },
];
const DECISION = {
  open: true,
  reason: 'whitelisted',
  visit: { kind: 'end', visitId: '01a208ed-1374-74eb-a988-3127543cd449', settled: true },
  settlement: 'whitelisted',
  flags: [],
};

const TIMES = ['2026-11-23T08:30:00.123Z', '2026-02-30T08:30:00.123Z', '1969-12-31T23:59:59.999Z'];

it('is a third of the JSON, and the same again', () => {
  for (const value of [CANDIDATES, DECISION]) {
    const json = JSON.stringify(value);
    const short = shortenJson(json);
    expect(short.length).toBeLessThan(json.length / 2);
    expect(lengthenJson(short)).toBe(json);
  }
});

it('reads what is stored as plain JSON', () => {
  const json = JSON.stringify(DECISION);
  expect(lengthenJson(json)).toBe(json);
});

it('leaves plates readable, so that they are found in what is stored', () => {
  expect(shortenJson(JSON.stringify(CANDIDATES))).toMatch(/(?<!\w)AB123(?!\w)/);
});

it('brings any JSON back as it was', () => {
  const word = fc.constantFrom(
    '[{"plate":"',
    '","',
    '\u0001',
    '\u001c\u0002',
    '01a208ed-1374-74eb-a988-3127543cd449',
    ...TIMES,
  );
  const text = fc.array(fc.oneof(word, fc.string())).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(text), fc.dictionary(text, text), (...value) => {
      const json = JSON.stringify(value);
      expect(lengthenJson(shortenJson(json))).toBe(json);
    }),
  );
});
