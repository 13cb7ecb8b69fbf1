import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collectGarbage, growsInProportion, growthOf, memoryOf } from '../../test/cost.ts';
import { type CameraDocument, PlateReadSchema } from '../plate/plate-read.ts';
import { CAMERA_FORMATS, type CameraFormat, CameraFormatSchema } from './camera-formats.ts';
import { MAX_DOCUMENT_BYTES } from './document-collector.ts';

const FIXTURES = new URL('../../../tests/fixtures/cameras/', import.meta.url);
const NUM_RUNS = 80;
const MAX_MEMORY_BYTES = 50 * 1024 * 1024;
const HEADERS = { 'survision-serial-number': '1' };
const FORM = 'multipart/form-data; boundary=xYzZy';

const ODD_VALUES = [null, true, 0, -1, 1e300, '', 'x', [], [[]], {}, { '#text': 1 }, [null], '\ud800'];

interface Sample {
  name: string;
  bytes: Uint8Array;
  contentType?: string;
}

const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, ...Array(400).fill(0x0a), 0x2d, 0x2d, 0xff, 0xd9);

function samplesOf(format: CameraFormat): Sample[] {
  const folder = new URL(`${format}/`, FIXTURES);
  const plain = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ name, bytes: readFileSync(new URL(name, folder)) }));
  if (!CAMERA_FORMATS[format].bodies.includes('multipart')) return plain;
  return [
    ...plain,
    ...plain.map(({ name, bytes }) => ({ name, bytes: withPicture(bytes), contentType: FORM })),
  ];
}

/** A document in multipart, with a picture behind it. */
function withPicture(document: Uint8Array): Uint8Array {
  return Buffer.concat([
    Buffer.from('--xYzZy\r\nContent-Disposition: form-data; name="event"; filename="anpr.xml"\r\n\r\n'),
    document,
    Buffer.from('\r\n--xYzZy\r\nContent-Disposition: form-data; name="detectionPicture.jpg"\r\n\r\n'),
    JPEG,
    Buffer.from('\r\n--xYzZy--\r\n'),
  ]);
}

function parse(format: CameraFormat, body: Uint8Array, contentType?: string) {
  return CAMERA_FORMATS[format].parse(body, { headers: { ...HEADERS, 'content-type': contentType } });
}

/** Every contract that a parser has, whatever the bytes; what it made of them, null for a refusal. */
function expectGoodManners(
  format: CameraFormat,
  body: Uint8Array,
  contentType?: string,
): CameraDocument | null {
  const result = parse(format, body, contentType);
  if (!result.ok) {
    expect(result.refusal.message).not.toBe('');
    return null;
  }
  for (const read of result.document.reads) PlateReadSchema.parse(read);
  return result.document;
}

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

/** A read of AB123 with 91 %, without the ids and times that would distinguish it from others. */
function untimed(format: CameraFormat): Record<string, unknown> {
  const text = readFileSync(new URL(`${format}/made/untimed.json`, FIXTURES), 'utf8');
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}

describe.each(CameraFormatSchema.options)('a document of %s', (format) => {
  it('is distinguished from others by its time of arrival if it has no time', () => {
    const keyAt = (receivedAt?: string) => {
      const context = { headers: HEADERS, ...(receivedAt !== undefined && { receivedAt }) };
      const result = CAMERA_FORMATS[format].parse(encode(untimed(format)), context);
      if (!result.ok) throw new Error(result.refusal.message);
      const [{ plate, score, capturedAt, eventKey } = {}] = result.document.reads;
      expect({ plate, score, capturedAt }).toEqual({ plate: 'AB123', score: 0.91, capturedAt: null });
      return eventKey;
    };
    expect(keyAt('2026-11-21T20:30:01.000Z')).toBe(keyAt('2026-11-21T20:30:59.999Z'));
    expect(new Set([keyAt('2026-11-21T20:30:59Z'), keyAt('2026-11-21T20:31:00Z'), keyAt()]).size).toBe(3);
  });

  it('may come as a field of a form', () => {
    const json = JSON.stringify({ ...untimed(format), note: 'Þór & co, 100 %\n+1' });
    const plain = parse(format, Buffer.from(json));
    expect(plain.ok).toBe(true);
    for (const form of [
      `json=${encodeURIComponent(json)}`,
      `camera=in&data=${encodeURIComponent(` ${json}`).replaceAll('%20', '+')}&x=1`,
      `Info=${json}`,
    ]) {
      const contentType = 'application/x-www-form-urlencoded';
      expect(parse(format, Buffer.from(form), contentType)).toEqual(plain);
    }
    expect(parse(format, Buffer.from(`camera=in&file=${json.slice(0, 20)}`)).ok).toBe(false);
    expect(parse(format, Buffer.from(`${'a=b&'.repeat(30)}json=${json}`)).ok).toBe(false);
  });
});

describe.each(CameraFormatSchema.options)('the %s parser, whatever comes,', (format) => {
  const samples = samplesOf(format);
  const anySample = fc.constantFrom(...samples);
  const jsonSamples = samples.filter(({ name, contentType }) => name.endsWith('.json') && !contentType);

  it('makes no read of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.boolean(), (body, asForm) => {
        expect(expectGoodManners(format, body, asForm ? FORM : undefined)).toBe(null);
      }),
      { numRuns: 2 * NUM_RUNS },
    );
  });

  it.each(['utf-16le', 'utf-16be'] as const)(
    'reads its samples in %s, with a byte order mark or without',
    (encoding) => {
      for (const { name, bytes, contentType } of samples) {
        if (contentType !== undefined) continue;
        for (const mark of ['', '\ufeff']) {
          const wide = Buffer.from(mark + Buffer.from(bytes).toString().trim(), 'utf16le');
          expect(parse(format, encoding === 'utf-16be' ? wide.swap16() : wide), name).toEqual(
            parse(format, bytes),
          );
        }
      }
    },
  );

  it('bears any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expectGoodManners(format, new TextEncoder().encode(text));
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('calls a truncated sample malformed; of a cut picture, the document before it stands', () => {
    fc.assert(
      fc.property(anySample, fc.nat(), ({ bytes, contentType }, cut) => {
        const whole = parse(format, bytes, contentType);
        const end = Buffer.from(bytes).toString('latin1').trimEnd().length;
        const document = expectGoodManners(format, bytes.subarray(0, cut % end), contentType);
        if (document === null) return;
        expect(contentType).toBe(FORM);
        expect(whole).toMatchObject({ ok: true, document: { reads: document.reads } });
      }),
      { numRuns: 2 * NUM_RUNS },
    );
  });

  it('bears flipped bits', () => {
    const flips = fc.array(fc.tuple(fc.nat(), fc.nat(7)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(anySample, flips, ({ bytes, contentType }, changes) => {
        const flipped = Uint8Array.from(bytes);
        for (const [at, bit] of changes) {
          const place = at % flipped.length;
          flipped[place] = (flipped[place] ?? 0) ^ (1 << bit);
        }
        expectGoodManners(format, flipped, contentType);
      }),
      { numRuns: 2 * NUM_RUNS },
    );
  });

  it('bears splices of samples, its own and others’', () => {
    const anyone = fc.constantFrom(...CameraFormatSchema.options.flatMap(samplesOf));
    fc.assert(
      fc.property(anySample, anyone, fc.nat(), fc.nat(), (first, second, cut, from) => {
        const head = first.bytes.subarray(0, cut % first.bytes.length);
        const spliced = Buffer.concat([head, second.bytes.subarray(from % second.bytes.length)]);
        expectGoodManners(format, spliced, first.contentType);
      }),
      { numRuns: 2 * NUM_RUNS },
    );
  });

  it.skipIf(jsonSamples.length === 0)('bears samples with values of other types in their places', () => {
    const swapped = fc.constantFrom(...jsonSamples).chain(({ bytes }) => {
      const value: unknown = JSON.parse(Buffer.from(bytes).toString());
      const swap = fc.tuple(fc.constantFrom(...pathsOf(value)), fc.constantFrom<unknown>(...ODD_VALUES));
      return fc
        .array(swap, { minLength: 1, maxLength: 4 })
        .map((swaps) =>
          swaps.reduce((changed: unknown, [path, put]) => withValueAt(changed, path, put), value),
        );
    });
    fc.assert(
      fc.property(swapped, (value) => {
        expectGoodManners(format, encode(value));
      }),
      { numRuns: 2 * NUM_RUNS },
    );
  });

  it.each([
    ['arrays', '[', ']'],
    ['groups', '{"data_type":null,"group":', '}'],
    ['results', '{"data_type":"alpr_results","results":[', ']}'],
    ['decisions', '{"anpr":{"decision":[', ']}}'],
    ['pictures', '{"Picture":', '}'],
    ['elements', '<ANPR>', '</ANPR>'],
  ])('is not brought down by %s in each other', (_, open, close) => {
    const body = new TextEncoder().encode(`${open.repeat(100_000)}1${close.repeat(100_000)}`);
    expect(parse(format, body).ok).toBe(false);
  });
});

describe('the largest documents', () => {
  const filled = (text: string, bytes: number) => {
    const unit = Buffer.from(text);
    return Buffer.alloc(Math.floor(bytes / unit.length) * unit.length, unit);
  };
  const around = (before: string, text: string, after: string) => (bytes: number) =>
    Buffer.concat([
      Buffer.from(before),
      filled(text, bytes - before.length - after.length),
      Buffer.from(after),
    ]);
  const ALERT = readFileSync(new URL('hikvision/anpr_HR_ZG6140G.xml', FIXTURES), 'utf8');
  const PART = '--xYzZy\r\nContent-Type: text/xml\r\n\r\n';
  const pictureOfLineEnds = (bytes: number) => {
    const make = around(`${PART}${ALERT}\r\n--xYzZy\r\n\r\nJPG`, '\n', '\r\n--xYzZy--');
    const body = make(bytes);
    body.set([0xff, 0xd8, 0xff], body.indexOf('JPG'));
    return body;
  };

  it.each<[string, (bytes: number) => Uint8Array, string?]>([
    ['line ends', around('', '\n', '')],
    ['spaces', around('{', ' ', '')],
    ['zeros', around('', '\0', '')],
    ['empty arrays', around('[', '[],', '[]]')],
    ['empty strings', around('[', '"",', '""]')],
    ['escaped quotes', around('["', '\\"', '"]')],
    ['backslashes', around('"', '\\', '')],
    ['a number', around('[', '1', ']')],
    ['a picture', around('{"plate":"AB123","full_image":"/9j/', 'Ab3+', '"}')],
    ['a form', around('json=%7B', '%41%2B', '%7D')],
    ['fields', around('', 'a=b&', '')],
    ['a picture in other letters', around('{"þ車":"', '車', '"}')],
    ['quotes of the wrong kind', around("{'", "\\'", '')],
    ['elements', around('<a>', '<b c="d">e</b>', '</a>')],
    ['attributes', around('<a ', 'b="c" ', '/>')],
    ['spaces in XML', around('<a>', ' ', '</a>')],
    ['entities', around('<a>', '&amp;', '</a>')],
    ['boundaries that are none', around(PART, '\n--xYzZyy', ''), FORM],
    ['empty parts', around('', '--xYzZy\r\n\r\n\r\n', ''), FORM],
    ['headers without end', around('--xYzZy\r\n', 'a: b\r\n', ''), FORM],
    ['a picture of line ends', pictureOfLineEnds, FORM],
  ])('full of %s cost in proportion to their length, and no more than 50 MB', (_, make, contentType) => {
    // The shorter are all read; of the longest much is refused at once.
    for (const bytes of [MAX_DOCUMENT_BYTES, 120_000]) {
      const bodies = new Map<number, Uint8Array>();
      const bodyOf = (size: number) => {
        const body = bodies.get(size) ?? make(size);
        bodies.set(size, body);
        return body;
      };
      for (const format of CameraFormatSchema.options) {
        if (bytes > 1e6) collectGarbage();
        const growth = growthOf((size) => {
          const body = bodyOf(size);
          return () => parse(format, body, contentType);
        }, bytes);
        expect(growth, `${format}: ${bytes} bytes`).toSatisfy(growsInProportion);
        const body = bodyOf(bytes);
        const memory = memoryOf(() => parse(format, body, contentType), MAX_MEMORY_BYTES);
        expect(memory, `${format}: memory for ${bytes} bytes`).toBeLessThan(MAX_MEMORY_BYTES);
      }
    }
  });

  const times = (many: number, value: unknown): unknown[] => Array(many).fill(value);
  it.each<[string, CameraFormat, number, (many: number) => unknown]>([
    [
      'decisions',
      'survision',
      100,
      (many) => ({ anpr: times(many, { '@date': '1729206290098', decision: times(100, {}) }) }),
    ],
    [
      'results',
      'open-alpr',
      100,
      (many) => times(many, { data_type: 'alpr_results', epoch_time: 0, results: times(100, {}) }),
    ],
    [
      'candidates',
      'open-alpr',
      12_000,
      (many) => ({ data_type: 'alpr_group', best_uuid: 'x', candidates: times(many, { plate: 'A' }) }),
    ],
    [
      'vehicles',
      'hikvision',
      12_000,
      (many) => ({ eventType: 'ANPR', UUID: 'x', ANPR: times(many, { licensePlate: 'A' }) }),
    ],
    [
      'alerts',
      'hikvision',
      50,
      (many) => times(many, { UUID: 'x', ANPR: times(200, { licensePlate: 'A' }) }),
    ],
    [
      'members',
      'hikvision',
      20_000,
      (many) => ({
        ANPR: times(90, {}),
        UUID: 'x',
        ...Object.fromEntries(times(many, 0).map((_, at) => [`licensePlat${at}`, 1])),
      }),
    ],
    [
      'plates',
      'dahua',
      100,
      (many) => ({ Picture: times(many, { Plate: times(100, {}), SnapInfo: { UTC: '1700000000' } }) }),
    ],
    ['messages', 'dahua', 100, (many) => ({ Events: times(many, { Events: times(100, { Active: 1 }) }) })],
    [
      'events',
      'axis',
      100,
      (many) => times(many, { plateText: 'A', carID: 1, capture_timestamp: 1, ImageArray: times(20, {}) }),
    ],
    ['recognitions', 'milesight', 100, (many) => times(many, { plate: 'A', time: '2026-01-01 00:00:00' })],
  ])('of many %s take work in proportion to them', (_, format, most, documentOf) => {
    const growth = growthOf((many) => {
      const body = encode(documentOf(many));
      return () => parse(format, body);
    }, most);
    expect(growth).toSatisfy(growsInProportion);
  });

  it('take work in proportion to their elements', () => {
    const alertOf = (many: number) => {
      const vehicles = '<ANPR><licensePlat/></ANPR>'.repeat(many) + '<licensePlat/>'.repeat(27 * many);
      return `<EventNotificationAlert><UUID>x</UUID>${vehicles}</EventNotificationAlert>`;
    };
    const partsOf = (many: number) =>
      `${`--xYzZy\r\nContent-Type: text/xml\r\n\r\n${alertOf(many)}\r\n`.repeat(20)}--xYzZy--`;
    for (const make of [alertOf, partsOf]) {
      const growth = growthOf((many) => {
        const body = Buffer.from(make(many));
        return () => parse('hikvision', body, FORM);
      }, 99);
      expect(growth).toSatisfy(growsInProportion);
    }
  });

  it.each(CameraFormatSchema.options)(
    'of %s are read without their pictures beyond their limit',
    (format) => {
      const samples = samplesOf(format).filter(({ contentType }) => contentType !== FORM);
      for (const { bytes } of samples) {
        const whole = parse(format, bytes);
        if (!whole.ok || whole.document.reads.length === 0) continue;
        const padding = '/9j/'.repeat(Math.ceil((MAX_DOCUMENT_BYTES + 1 - bytes.length) / 4));
        const text = Buffer.from(bytes).toString('utf8').trimEnd();
        const padded = text.startsWith('<')
          ? text.replace(/(<\/[^<>]+>)\s*$/, `<padding>${padding}</padding>$1`)
          : text.replace(/^\{/, `{"padding":"${padding}",`);
        if (padded === text) continue;
        const read = parse(format, new TextEncoder().encode(padded));
        expect(read).toMatchObject({
          ok: true,
          document: {
            reads: whole.document.reads.map(({ plate }) => ({ plate })),
            faults: [expect.stringContaining('its large pictures are left out')],
          },
        });
      }
    },
  );
});
