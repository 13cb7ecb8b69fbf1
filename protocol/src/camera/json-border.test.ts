import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkShape, readJson } from './json-border.ts';
import { findJsonFault } from './json-fault.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function messageOf(result: ReturnType<typeof readJson>): string {
  if (result.ok) throw new Error('was accepted');
  return `${result.refusal.reason}: ${result.refusal.message}`;
}

describe('reading JSON', () => {
  it('takes a byte order mark', () => {
    expect(readJson(bytes('\uFEFF{"a":"þ"}'))).toEqual({ ok: true, value: { a: 'þ' } });
  });

  it('takes the zeros that end a text in C', () => {
    expect(readJson(bytes('{"a":1}\0\0'))).toEqual({ ok: true, value: { a: 1 } });
  });

  it.each([
    ['', 'malformed: the body is empty'],
    [' \r\n', 'malformed: the body is empty'],
    ['{"plate":"AB1', 'malformed: the JSON is cut off after 13 characters'],
    ['{"a":[1,2', 'malformed: the JSON is cut off after 9 characters'],
    ['{"a":tru', 'malformed: the JSON is cut off after 8 characters'],
    ['{"a":"\\u00', 'malformed: the JSON is cut off after 10 characters'],
    ['{"a":-', 'malformed: the JSON is cut off after 6 characters'],
    ['{"a":', 'malformed: the JSON is cut off after 5 characters'],
    ["{'a':1}", `malformed: the body is not JSON: unexpected "'" at character 2`],
    ['{"a":nan}', 'malformed: the body is not JSON: unexpected "n" at character 6'],
    ['{"a":1,}', 'malformed: the body is not JSON: unexpected "}" at character 8'],
    ['<EventNotificationAlert/>', 'malformed: the body is not JSON: unexpected "<" at character 1'],
    ['{}{}', 'malformed: the body is not JSON: unexpected "{" at character 3'],
  ])('says where %j stops being JSON', (text, message) => {
    expect(messageOf(readJson(bytes(text)))).toBe(message);
  });

  it('takes UTF-16 with a byte order mark', () => {
    for (const order of ['utf16le', 'utf16be'] as const) {
      const text = Buffer.from('\uFEFF{"a":"þ"}', 'utf16le');
      expect(readJson(order === 'utf16le' ? text : text.swap16())).toEqual({ ok: true, value: { a: 'þ' } });
    }
  });

  it('takes a foreign byte within a text, and none elsewhere', () => {
    expect(readJson(Uint8Array.of(0x22, 0xde, 0x22))).toEqual({ ok: true, value: '\uFFFD' });
    expect(messageOf(readJson(Uint8Array.of(0x5b, 0xde, 0x5d)))).toContain('malformed: the body is not JSON');
  });

  it('is not brought down by depth or length', () => {
    for (const text of ['['.repeat(2e6), `${'[{"a":'.repeat(5e5)}`, `"${'x'.repeat(5e6)}`, '1'.repeat(2e6)]) {
      expect(() => readJson(bytes(text))).not.toThrow();
    }
  });

  it('takes brackets in texts for text', () => {
    const value = { a: '[{'.repeat(500), b: '\\"['.repeat(500) };
    expect(readJson(bytes(JSON.stringify(value)))).toEqual({ ok: true, value });
    expect(messageOf(readJson(bytes('['.repeat(201))))).toBe('malformed: the JSON is nested deeper than 200');
    expect(messageOf(readJson(bytes('['.repeat(200))))).toBe(
      'malformed: the JSON is cut off after 200 characters',
    );
  });

  it('agrees with JSON.parse on what is JSON', () => {
    const nearlyJson = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', '{', ']', ',', ':', '0', '-', 'e', '.', '\\', 'u'))
      .map(([json, at, put]) => json.slice(0, at % (json.length + 1)) + put + json.slice((at + 1) % 97));
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), nearlyJson), (text) => {
        expect(findJsonFault(text) === null).toBe(isJson(text));
      }),
      { numRuns: 1000 },
    );
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('checking a shape', () => {
  it('names the path and what was expected', () => {
    const schema = z.object({ results: z.array(z.object({ plate: z.string() })) });
    const result = checkShape(schema, { results: [{ plate: 'AB123' }, { plate: 7 }] });
    expect(result).toEqual({
      ok: false,
      refusal: {
        reason: 'wrong-shape',
        message: 'results.1.plate: must be text',
      },
    });
  });

  it('lists three faults at most', () => {
    const result = checkShape(z.array(z.object({})), [1, 2, 3, 4]);
    expect(result.ok ? '' : result.refusal.message.split('; ')).toHaveLength(3);
  });

  describe('with details that are not understood', () => {
    const Schema = z.object({
      plate: z.string(),
      picture: z.string().nullish(),
      zones: z.array(z.string()).nullish(),
      time: z.int(),
      inside: z.object({ speed: z.int().nullish() }).nullish(),
      candidates: z.array(z.object({ plate: z.string() })).nullish(),
    });
    const GOOD = { plate: 'ABX12', time: 7 };

    it.each([
      [{ picture: 7 }, 'picture: ', GOOD],
      [{ zones: ['a', 1, 'b', {}] }, 'zones.1: ', { ...GOOD, zones: ['a', 'b'] }],
      [{ inside: { speed: 'fast' } }, 'inside.speed: ', { ...GOOD, inside: {} }],
      [
        { candidates: [{ plate: 7 }, { plate: 'A8X12' }, 7] },
        'candidates.0.plate: ',
        { ...GOOD, candidates: [{ plate: 'A8X12' }] },
      ],
    ])('leaves out %j, and says so', (detail, fault, value) => {
      const result = checkShape(Schema, { ...GOOD, ...detail });
      expect(result).toMatchObject({ ok: true, value });
      expect(result.ok && result.faults?.[0]).toMatch(new RegExp(`^${fault}.*, and is left out$`));
    });

    it.each([
      [{ plate: {} }, 'plate: '],
      [{ time: 'soon' }, 'time: '],
      [{ inside: 7 }, 'inside: '],
    ])('refuses %j', (detail, fault) => {
      const result = checkShape(Schema, { ...GOOD, ...detail });
      expect(result.ok ? '' : result.refusal.message).toMatch(new RegExp(`^${fault}`));
    });
  });
});
