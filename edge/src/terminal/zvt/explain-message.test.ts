import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApduAssembler, readApdu } from './apdu-frame.ts';
import { bytesOf, hexOf } from './bcd-frame.ts';
import { explainApdu, explainFrame } from './explain-message.ts';
import { readWholeMessage, writeMessage } from './message-frame.ts';
import { createSerialReader, writeSerialFrame } from './serial-frame.ts';

interface Vector {
  name: string;
  kind: string;
  transport: 'apdu' | 'serial';
  hex: string;
  meaning: Record<string, unknown>;
  chunks?: string[];
}

const FOLDER = new URL('../../../../tests/fixtures/zvt/', import.meta.url);
const VECTORS: Vector[] = JSON.parse(readFileSync(new URL('vectors.json', FOLDER), 'utf8'));
const GOOD = VECTORS.filter(({ meaning }) => meaning['malformed'] !== true);
const BAD = VECTORS.filter(({ meaning }) => meaning['malformed'] === true);
const WHOLE = GOOD.filter(({ meaning }) => meaning['headerOnly'] !== true);

const explain = ({ transport, hex }: Vector) =>
  transport === 'serial' ? explainFrame(bytesOf(hex)) : explainApdu(bytesOf(hex));

/** The message without what carries it. */
function apduOf({ transport, hex }: Vector): Uint8Array {
  if (transport === 'apdu') return bytesOf(hex);
  const [news] = createSerialReader().take(bytesOf(hex));
  if (news?.kind !== 'frame') throw new Error('no frame');
  return news.apdu;
}

describe('ZVT messages', () => {
  it.each(GOOD)('$name means what it means', (vector) => {
    const explained = explain(vector);
    if (!explained.ok) throw new Error(explained.problem);
    const { stuffedDle, ...meaning } = explained.value;
    // Only some of the vectors count the doubled bytes.
    const counted = vector.meaning['stuffedDle'] === undefined ? {} : { stuffedDle };
    expect({ ...meaning, ...counted }).toEqual(vector.meaning);
  });

  it.each(BAD)('$name is refused', (vector) => {
    expect(explain(vector).ok).toBe(false);
  });

  it.each(WHOLE)('$name is written as it was read', (vector) => {
    const apdu = readApdu(apduOf(vector));
    if (!apdu.ok) throw new Error(apdu.problem);
    const message = readWholeMessage(apdu.value);
    if (!message.ok) throw new Error(message.problem);
    const written = writeMessage(message.value);
    const wire = vector.transport === 'serial' ? writeSerialFrame(written) : written;
    expect(hexOf(wire)).toBe(vector.hex);
  });

  it.each(VECTORS.filter(({ chunks }) => chunks))('$name is put together from its pieces', (vector) => {
    const take = createApduAssembler();
    const pieces = (vector.chunks ?? []).map((chunk) => take(bytesOf(chunk)).map(hexOf));
    expect(pieces.pop()).toEqual([vector.hex]);
    expect(pieces.flat()).toEqual([]);
  });

  it('reads a serial line byte by byte, noise before it', () => {
    for (const vector of VECTORS.filter(
      ({ transport, meaning }) => transport === 'serial' && !meaning['malformed'],
    )) {
      const reader = createSerialReader();
      const bytes = [0x00, 0x7f, ...bytesOf(vector.hex), 0x06];
      const news = bytes.flatMap((byte) => reader.take(Uint8Array.of(byte)));
      expect(news.map(({ kind }) => kind)).toEqual(['frame', 'ack']);
    }
  });

  it('takes any bytes and never throws', () => {
    const anything = fc.uint8Array({ maxLength: 400 });
    const twisted = fc
      .tuple(fc.constantFrom(...VECTORS), fc.nat(), fc.nat({ max: 255 }))
      .map(([{ hex }, at, value]) => {
        const bytes = bytesOf(hex);
        bytes[at % bytes.length] = value;
        return bytes;
      });
    fc.assert(
      fc.property(fc.oneof(anything, twisted), (bytes) => {
        expect(typeof explainApdu(bytes).ok).toBe('boolean');
        expect(typeof explainFrame(bytes).ok).toBe('boolean');
      }),
      { numRuns: 800 },
    );
  });

  it('carries any message over both lines unharmed, in any pieces', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 300 }), { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        (contents, size) => {
          const apdus = contents.map((data) =>
            writeMessage({ control: 0x06d1, lead: { attribute: 0, text: data } }),
          );
          const take = createApduAssembler();
          const reader = createSerialReader();
          const pieces = (bytes: number[]) =>
            Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
              Uint8Array.from(bytes.slice(at * size, (at + 1) * size)),
            );
          const plain = pieces(apdus.flatMap((apdu) => [...apdu])).flatMap((piece) => take(piece));
          const framed = pieces(apdus.flatMap((apdu) => [...writeSerialFrame(apdu)])).flatMap((piece) =>
            reader.take(piece).flatMap((news) => (news.kind === 'frame' ? [news.apdu] : [])),
          );
          expect(plain.map(hexOf)).toEqual(apdus.map(hexOf));
          expect(framed.map(hexOf)).toEqual(apdus.map(hexOf));
        },
      ),
      { numRuns: 200 },
    );
  });
});
