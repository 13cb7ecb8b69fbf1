import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DocumentCollector, shortenDocument } from './document-collector.ts';
import { closeJson } from './json-fault.ts';

const MAX = 6400;
const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

function collected(body: Uint8Array, piece: number): ReturnType<DocumentCollector['finish']> {
  const collector = new DocumentCollector(MAX);
  for (let at = 0; at < body.length; at += piece) collector.add(body.subarray(at, at + piece));
  return collector.finish();
}

test('leaves a document as it is that is not too large', () => {
  const body = encode('x'.repeat(MAX));
  expect(collected(body, 100)).toEqual({ body, shortening: null });
});

describe('of a document that is too large', () => {
  const picture = '/9j/'.repeat(MAX / 4);

  test.each([
    [
      'JSON, the picture before the plate',
      `{"jpeg":"${picture}","plate":"AB123"}`,
      '{"jpeg":"","plate":"AB123"}',
    ],
    ['JSON, the plate first', `{"plate":"AB123","jpeg":"${picture}"}`, '{"plate":"AB123","jpeg":""}'],
    ['JSON with escaped slashes', `{"jpeg":"${picture.replaceAll('/', '\\/')}"}`, '{"jpeg":""}'],
    ['XML', `<a><jpeg>\n${picture}\n</jpeg><p>AB123</p></a>`, '<a><jpeg></jpeg><p>AB123</p></a>'],
    [
      'several, of which the small one stays',
      `{"plate_crop":"${'/9j/'.repeat(20)}","a":"${picture}","b":"${picture}"}`,
      `{"plate_crop":"${'/9j/'.repeat(20)}","a":"","b":""}`,
    ],
  ])('the large pictures are left out: %s', (_, text, expected) => {
    for (const piece of [7, 1000, text.length]) {
      const { body, shortening } = collected(encode(text), piece);
      expect(decode(body)).toBe(expected);
      expect(shortening).toEqual({ droppedBytes: text.length - expected.length, isCut: false });
    }
  });

  test('the large pictures are left out: parts of a multipart body, the document last', () => {
    const jpeg = Buffer.concat([
      Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
      Buffer.alloc(MAX, '\n--b'),
      Buffer.from([0xff, 0xd9]),
    ]);
    const start = '--bound\r\nContent-Type: image/jpeg\r\n\r\n';
    const rest = '\r\n--bound\r\nContent-Type: text/xml\r\n\r\n<plate>AB123</plate>\r\n--bound--\r\n';
    const whole = Buffer.concat([Buffer.from(start), jpeg, Buffer.from(rest)]);
    for (const piece of [7, 1000, whole.length]) {
      const { body, shortening } = collected(whole, piece);
      expect(decode(body)).toContain('<plate>AB123</plate>\r\n--bound--');
      expect(body.length).toBeLessThan(start.length + rest.length + 8);
      expect(shortening).toMatchObject({ isCut: false });
    }
  });

  test('what is no picture is cut, and never more is kept than may be', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ maxLength: 500, unit: 'binary' }), fc.constant(picture)), {
          maxLength: 60,
        }),
        fc.integer({ min: 1, max: 3000 }),
        (texts, piece) => {
          const whole = encode(texts.join('"'));
          const { body, shortening } = collected(whole, piece);
          expect(body.length).toBeLessThanOrEqual(MAX);
          expect(body.length + (shortening?.droppedBytes ?? 0)).toBe(whole.length);
          if (shortening === null) expect(body).toEqual(whole);
          // The same however it arrives.
          expect(shortenDocument(whole, MAX)).toEqual({ body: expect.anything(), shortening });
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('JSON that was cut', () => {
  test.each([
    ['{"plate":"AB123","jpeg":"abc', '{"plate":"AB123"}'],
    ['{"a":[{"plate":"AB123"},{"pla', '{"a":[{"plate":"AB123"}]}'],
    // Digits may be missing.
    ['{"plate":"AB123","score":12', '{"plate":"AB123"}'],
    ['{"plate":"AB', ''],
  ])('%s stands up to its last whole value', (cut, closed) => {
    expect(closeJson(cut)).toBe(closed);
  });

  test('is JSON of the values that are whole, wherever it was cut', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), (text, at) => {
        const closed = closeJson(text.slice(0, at % text.length));
        if (closed !== null && closed !== '') expect(() => JSON.parse(closed)).not.toThrow();
      }),
    );
  });
});
