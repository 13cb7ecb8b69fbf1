import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createApduAssembler, readApdu } from './apdu-frame.ts';
import { bytesOf, hexOf } from './bcd-frame.ts';
import { explainApdu, explainFrame } from './explain-message.ts';
import { readWholeMessage, writeMessage } from './message-frame.ts';
import { crcOf, SerialReader, writeSerialFrame } from './serial-frame.ts';
import { authorisation } from './zvt-commands.ts';

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

/** The least content of each meaning. */
interface FurtherVector {
  name: string;
  hex: string;
  serial?: boolean;
  meaning: Record<string, unknown>;
}
const FURTHER: FurtherVector[] = JSON.parse(readFileSync(new URL('further-vectors.json', FOLDER), 'utf8'));

const explain = ({ transport, hex }: Vector) =>
  transport === 'serial' ? explainFrame(bytesOf(hex)) : explainApdu(bytesOf(hex));

/** The message without what carries it. */
function apduOf({ transport, hex }: Vector): Uint8Array {
  if (transport === 'apdu') return bytesOf(hex);
  const [update] = new SerialReader().read(bytesOf(hex));
  if (update?.kind !== 'frame') throw new Error('no frame');
  return update.apdu;
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

  it.each(FURTHER)('$name, too', ({ hex, serial, meaning }) => {
    const explained = serial ? explainFrame(bytesOf(hex)) : explainApdu(bytesOf(hex));
    if (meaning['malformed'] === true) expect(explained.ok).toBe(false);
    else expect(explained).toMatchObject({ ok: true, value: meaning });
  });

  it.each<[string, string, object]>([
    [
      'a length in three bytes',
      '0650ff0300123456',
      { lengthForm: 'extended', length: 3, password: '123456' },
    ],
    ['a status without a version', '060f01f0', { terminalStatus: 240 }],
    ['a status that could be a container', '060f0106', { terminalStatus: 6 }],
    [
      'a status and an empty container',
      '060f03060600',
      { terminalStatus: 6, fields: { tlv: [], order: ['06'] } },
    ],
    ['a version of F digits', '060f07f0f0f3626c6106', { softwareVersion: 'bla', terminalStatus: 6 }],
    ['a bare currency behind 6F', '061e036f0978', { resultCode: 111, currency: 978 }],
    [
      'a currency with its id behind 6F',
      '061e046f490978',
      { resultCode: 111, fields: { currency: 978, order: ['49'] } },
    ],
    ['a prompt with its own time-out', '04ff040a020600', { status: 10, timeoutMinutes: 2 }],
    ['a prompt with none', '04ff030a0600', { status: 10, fields: { tlv: [], order: ['06'] } }],
    ['an empty line, the last one', '06d10181', { attribute: '81', text: '' }],
    ['three line feeds', '06d102ff03', { attribute: 'FF', lineFeeds: 3 }],
    ['lines for a numerical input', '06e20ce001e1f0f3414243e904fb01', { fields: { text2Line1: 'ABC' } }],
    ['a head alone', '040fff00016c', { headerOnly: true, length: 256, complete: false }],
    ['UTF-8 that nobody has announced', '06d10600c39ec3b072', { text: 'Þðr', charset: 'utf-8' }],
    ['bytes of a command that nobody knows', '0fa1020001', { command: 'unknown', data: '0001' }],
    ['a language', '08300101', { command: 'select-language', language: 1 }],
    ['a receipt where a password could be', '062403870041', { fields: { receiptNumber: 41 } }],
    ['a status enquiry without its password', '0501020302', { fields: { serviceByte: 2 } }],
    [
      'what a maker keeps in an object that ought to be made of others',
      '08130a0608e406ff4003123456',
      { fields: { tlv: [{ tag: 'E4', children: [{ tag: 'FF40', length: 3, hex: '123456' }] }] } },
    ],
    ['a line that is drawn in CP437', '06d10500c4c4c4c4', { text: '────' }],
    ['Icelandic in Latin-1', '06d10600def06fe672', { text: 'Þðoær', charset: 'latin1' }],
    [
      'objects within objects, with a length in two bytes',
      '06501712345606123f210c60065501aa0501bb1002abba110177',
      {
        fields: {
          tlv: [
            {
              tag: '3F21',
              children: [
                { tag: '60', length: 6 },
                { tag: '10', hex: 'abba' },
              ],
            },
            { tag: '11' },
          ],
        },
      },
    ],
  ])('%s', (_what, hex, meaning) => {
    expect(explainApdu(bytesOf(hex))).toMatchObject({ ok: true, value: meaning });
  });

  it.each([
    ['nothing', ''],
    ['half a head', '040f'],
    ['half a long head', '040fff01'],
    ['less than announced', '040f06270004'],
    ['more than announced', '06d110402a2a204b415353454e5343484e495454202a2a'],
    ['a field that is not known', '040f042700d501'],
    ['a field that ends early', '040f0427000400'],
    ['a length of digits that are none', '040f068b1234414200'],
    ['an object that ends early', '040f0627000602071f'],
    ['a TLV length of three bytes', '040f06060483000001'],
    ['half a password', '0650021234'],
    ['sums that end early', '040f0560f0f0f100'],
  ])('%s is refused', (_what, hex) => {
    const explained = explainApdu(bytesOf(hex));
    expect(explained).toMatchObject({ ok: false, problem: expect.stringMatching(/\w/) });
  });

  it.each([
    ['a byte before it', '0010028000001003f51f'],
    ['a byte behind it', '10028000001003f51f06'],
    ['a checksum that is cut off', '10028000001003f5'],
    ['a DLE that is not doubled', '1002060103041000100324c3'],
    ['a wrong checksum', '10028000001003f51e'],
  ])('a frame with %s is refused', (_what, hex) => {
    expect(explainFrame(bytesOf(hex)).ok).toBe(false);
  });

  it('reads a checksum as it stands, though a DLE is in it', () => {
    const apdus = Array.from({ length: 20_000 }, (_, amountMinor) =>
      authorisation({ amountMinor, currency: 352 }),
    );
    const tricky = apdus.filter((apdu) => [crcOf(apdu) & 0xff, crcOf(apdu) >> 8].includes(0x10));
    expect(tricky.length).toBeGreaterThan(50);
    for (const apdu of tricky) expect(explainFrame(writeSerialFrame(apdu)).ok).toBe(true);
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
      const reader = new SerialReader();
      const bytes = [0x00, 0x7f, ...bytesOf(vector.hex), 0x06];
      const update = bytes.flatMap((byte) => reader.read(Uint8Array.of(byte)));
      expect(update.map(({ kind }) => kind)).toEqual(['frame', 'ack']);
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
          const reader = new SerialReader();
          const pieces = (bytes: number[]) =>
            Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
              Uint8Array.from(bytes.slice(at * size, (at + 1) * size)),
            );
          const plain = pieces(apdus.flatMap((apdu) => [...apdu])).flatMap((piece) => take(piece));
          const framed = pieces(apdus.flatMap((apdu) => [...writeSerialFrame(apdu)])).flatMap((piece) =>
            reader.read(piece).flatMap((update) => (update.kind === 'frame' ? [update.apdu] : [])),
          );
          expect(plain.map(hexOf)).toEqual(apdus.map(hexOf));
          expect(framed.map(hexOf)).toEqual(apdus.map(hexOf));
        },
      ),
      { numRuns: 200 },
    );
  });
});
