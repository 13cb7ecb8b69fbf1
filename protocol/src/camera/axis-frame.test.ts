import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type PlateRead, PlateReadSchema } from '../plate/plate-read.ts';
import { findPassage, type PassageInView } from '../records/passage.ts';
import { AXIS } from './axis-frame.ts';
import { UNSTATED_SCORE } from './confidence.ts';

const sample = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../tests/fixtures/cameras/axis/${name}`, import.meta.url), 'utf8'));
const pushed = () => sample('http_push_new_TOLSL123_blocklist.json');

function parse(value: unknown, contentType?: string, timeZone?: string) {
  const body =
    value instanceof Uint8Array
      ? value
      : new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
  return AXIS.parse(body, {
    headers: { 'content-type': contentType },
    ...(timeZone !== undefined && { timeZone }),
  });
}

function accepted(value: unknown, contentType?: string, timeZone?: string) {
  const result = parse(value, contentType, timeZone);
  if (!result.ok) throw new Error(result.refusal.message);
  for (const read of result.document.reads) PlateReadSchema.parse(read);
  return result.document;
}

function onlyRead(value: unknown, timeZone?: string): PlateRead {
  const [read, ...more] = accepted(value, undefined, timeZone).reads;
  if (read === undefined || more.length > 0) throw new Error('not one read');
  return read;
}

function refusal(value: unknown, contentType?: string): string {
  const result = parse(value, contentType);
  if (result.ok) throw new Error('was accepted');
  return `${result.refusal.reason}: ${result.refusal.message}`;
}

describe('events', () => {
  it('reads the maker’s own example', () => {
    const { reads, ...document } = accepted(pushed());
    expect(document).toMatchObject({
      kind: 'new',
      heartbeat: false,
      pictures: [{ kind: 'plate', contentType: 'image/png' }],
    });
    expect(reads).toEqual([
      {
        plate: 'TÖLSL123',
        plateRaw: 'TÖLSL123',
        score: 0.725149,
        country: 'DE',
        direction: 'unknown',
        cameraZone: '1',
        capturedAt: '2023-12-11T12:54:26.977Z',
        eventKey: 'ACCC8E9BB16D/34939/new/1702299266977',
        relatedKeys: ['ACCC8E9BB16D/car/34939/472860', 'ACCC8E9BB16D/car/34939/472859'],
        candidates: [{ plate: 'TÖLSL123', score: 0.725149 }],
        late: false,
        parked: false,
        box: { x: 670, y: 496, width: 276, height: 44 },
      },
    ]);
  });

  it('reads the older protocol of the engine', () => {
    expect(onlyRead(sample('ff_group_push_2019_OB2558AK.json'), 'Europe/Sofia')).toMatchObject({
      plate: 'OB2558AK',
      score: 0.727815,
      country: 'BG',
      direction: 'approaching',
      capturedAt: '2019-01-23T13:41:56.000Z',
    });
  });

  it.each([
    ['in', 'approaching'],
    ['OUT', 'leaving'],
    ['unknown', 'unknown'],
    [undefined, 'unknown'],
  ])('takes the direction %j for %s', (carMoveDirection, direction) => {
    expect(onlyRead({ ...pushed(), carMoveDirection }).direction).toBe(direction);
  });

  it.each([
    ['0.9', 0.9],
    [0.9, 0.9],
    ['1.000000', 1],
    ['90', 0.9],
    ['90%', 0.9],
    ['9.1e-01', 0.91],
    ['', UNSTATED_SCORE],
    [undefined, UNSTATED_SCORE],
    ['sure', 0],
    ['300', 0],
  ])('takes the confidence %j for %d', (plateConfidence, score) => {
    expect(onlyRead({ ...pushed(), plateConfidence }).score).toBe(score);
  });

  it('takes the first text of the plate that is one', () => {
    expect(onlyRead({ ...pushed(), plateUTF8: '', plateUnicode: undefined }).plate).toBe('TÖLSL123');
    const empty = { ...pushed(), plateUTF8: '', plateUnicode: '', plateText: '', plateASCII: '' };
    expect(onlyRead(empty)).toMatchObject({ plate: null, score: 0 });
  });

  it('takes members in any case, and several events at once', () => {
    const { plateUTF8, capture_timestamp, ...rest } = pushed();
    expect(
      onlyRead({ ...rest, PlateUtf8: 'AB 123', captureTimestamp: Number(capture_timestamp) }),
    ).toMatchObject({
      plate: 'AB123',
      capturedAt: '2023-12-11T12:54:26.977Z',
    });
    expect(onlyRead(rest).capturedAt).toBe('2023-12-11T12:54:26.977Z');
    const both = accepted([pushed(), { ...pushed(), plateUTF8, carID: '34940', plateText: 'X' }]);
    expect(both.reads).toHaveLength(2);
  });
});

describe('new, update and lost', () => {
  const at = (ms: number, changes: object) =>
    onlyRead({ ...pushed(), capture_timestamp: String(ms), ...changes });
  const NOON = Date.parse('2026-11-21T12:00:00Z');
  const windows = { passageWindowMs: 8000, standingMs: 120_000 };
  const find = (read: PlateRead, receivedAt: string, known: PassageInView) =>
    findPassage(read, receivedAt, [known], windows, () => true);
  const passage = (read: PlateRead) => ({
    id: 'p',
    plate: read.plate,
    votes: [],
    lastSeenAt: '2026-11-21T12:00:00.000Z',
    keys: new Set([read.eventKey, ...read.relatedKeys]),
  });

  it('are events of one passage, whatever the plate becomes; lost comes late', () => {
    const first = at(NOON - 1000, { carState: 'new' });
    const update = at(NOON + 400, { carState: 'update', plateUTF8: 'QQ777' });
    const lost = at(NOON + 600_000, { carState: 'lost', plateUTF8: 'ZZ999' });
    expect([first, update, lost].map(({ late }) => late)).toEqual([false, false, true]);
    expect(new Set([first, update, lost].map(({ eventKey }) => eventKey)).size).toBe(3);
    expect(find(update, '2026-11-21T12:00:10.000Z', passage(first))?.id).toBe('p');
    expect(find(lost, '2026-11-21T12:20:00.000Z', passage(first))?.id).toBe('p');
  });

  it('are one car across the turn of the hour', () => {
    const first = at(NOON - 1, { carState: 'new' });
    const lost = at(NOON + 3_599_999, { carState: 'lost', plateUTF8: 'ZZ999' });
    expect(find(lost, '2026-11-21T13:00:00.000Z', passage(first))?.id).toBe('p');
  });

  it('are not those of yesterday if the camera counts from 1 again', () => {
    const yesterday = passage(at(NOON - 86_400_000, { carState: 'new', carID: '1' }));
    const today = at(NOON, { carState: 'new', carID: '1', plateUTF8: 'ZZ999' });
    expect(find(today, '2026-11-22T12:00:00.000Z', yesterday)).toBe(null);
  });
});

describe('multipart', () => {
  const JPEG = Buffer.from('/9j/4QDeRXhpZgAATU0AKg==', 'base64');
  const parts = (imageHead: string) =>
    Buffer.concat([
      Buffer.from('--xx\r\nContent-Disposition: form-data; name="event"\r\n\r\n'),
      Buffer.from(JSON.stringify({ ...pushed(), ImageArray: undefined })),
      Buffer.from(`\r\n--xx\r\n${imageHead}\r\n\r\n`),
      JPEG,
      Buffer.from('\r\n--xx--\r\n'),
    ]);

  it.each([
    [
      'Content-Disposition: form-data; name="image"; filename="a.jpg"\r\nContent-Type: image/jpeg',
      'overview',
    ],
    ['Content-Disposition: form-data; name=image; filename=20231211lp_TOLSL123.jpg', 'plate'],
    ['Content-Disposition: form-data; name=image; filename=20231211roi_TOLSL123.jpg', 'overview'],
  ])('takes the picture of a part: %j', (head, kind) => {
    const { reads, pictures } = accepted(parts(head), 'multipart/form-data; boundary=xx');
    expect(reads).toEqual(accepted(pushed()).reads);
    expect(pictures).toEqual([{ kind, contentType: 'image/jpeg', base64: JPEG.toString('base64') }]);
  });

  it('refuses a picture alone', () => {
    const body = Buffer.concat([Buffer.from('--xx\r\nContent-Type: image/jpeg\r\n\r\n'), JPEG]);
    expect(refusal(body, 'multipart/form-data; boundary=xx')).toBe('unknown-kind: none of the parts is JSON');
  });
});

describe('the same events by ONVIF', () => {
  const xml = readFileSync(
    new URL('../../../tests/fixtures/cameras/axis/onvif_event_ALPV.AllPlates_II04458.xml', import.meta.url),
    'utf8',
  );

  it('are read', () => {
    expect(accepted(xml)).toMatchObject({
      kind: 'new',
      reads: [
        {
          plate: 'II04458',
          score: UNSTATED_SCORE,
          country: 'PT',
          direction: 'unknown',
          capturedAt: '2021-05-20T11:54:21.894Z',
          eventKey: '-/1139066/new/1621511661894',
          late: false,
        },
      ],
    });
  });

  const reported = (items: Record<string, string>) =>
    xml.replace(
      /<tt:Data>[\s\S]*<\/tt:Data>/,
      `<tt:Data>${Object.entries(items)
        .map(([name, value]) => `<tt:SimpleItem Name="${name}" Value="${value}"/>`)
        .join('')}</tt:Data>`,
    );

  // Source: ALPV.New and ALPV.RealTime in the License plate verifier API; CameraApplicationPlatform/LPR of CAMMRA AI.
  it('bring the plate’s picture and how sure they are', () => {
    const event = { carID: '4', capture_timestamp: '1710439731293', text: 'M WR6677', carState: 'update' };
    const { reads, pictures } = accepted(
      reported({ ...event, lpConfidence: '0.856800', lpImage: '/9j/4AAQ' }),
    );
    expect(reads).toMatchObject([{ plate: 'MWR6677', score: 0.8568 }]);
    expect(pictures).toEqual([{ kind: 'plate', contentType: 'image/jpeg', base64: '/9j/4AAQ' }]);
  });

  it.each([{ active: '0' }, { carID: '4', isDetected: '1', lpText: 'MWR6677', timestamp: '1710439737193' }])(
    'are no reads where they only say %j',
    (items) => {
      expect(accepted(reported(items))).toMatchObject({ kind: 'notification', reads: [], heartbeat: false });
    },
  );

  it('are refused where they break off, or say nothing of a car', () => {
    expect(refusal(xml.slice(0, -40))).toMatch(/^malformed: /);
    expect(refusal('<a/>')).toBe('unknown-kind: the XML has no notification with Data');
    expect(refusal('<a><Data><SimpleItem Name="x"/></Data></a>')).toMatch(/^unknown-kind: neither a plate/);
  });
});

describe('other documents', () => {
  const beat = {
    kind: 'heartbeat',
    heartbeat: true,
    sentAt: '2023-03-10T10:13:24.000Z',
    reads: [],
    pictures: [],
  };

  it('takes a heartbeat, in quotes of either kind', () => {
    const text = JSON.stringify(sample('heartbeat_normalised.json'));
    expect(accepted(text)).toEqual(beat);
    expect(accepted(text.replaceAll('"', "'"))).toEqual(beat);
  });

  it.each([
    ['in a buffer', (event: object) => ({ buffer: event })],
    [
      'with its time in microseconds',
      (event: object) => ({ ...event, capture_timestamp: '1621511661894123' }),
    ],
    ['with its time as a number', (event: object) => ({ ...event, capture_timestamp: 1621511661894 })],
    ['with its time in seconds', (event: object) => ({ ...event, capture_timestamp: 1621511661.894 })],
  ])('reads an event %s', (_, change) => {
    expect(onlyRead(change({ ...pushed(), capture_timestamp: '1621511661894' }))).toMatchObject({
      plate: 'TÖLSL123',
      capturedAt: '2021-05-20T11:54:21.894Z',
    });
  });

  it('reads an event with one picture that is no list, and a camera that is no object', () => {
    const image = { ImageType: 'plate', BinaryImage: '/9j/4AAQ' };
    const { reads, pictures } = accepted({ ...pushed(), ImageArray: image, camera_info: 'AXIS' });
    expect([reads.length, pictures]).toMatchObject([1, [{ kind: 'plate' }]]);
  });

  it('forgives an event no wrong quotes', () => {
    expect(refusal(JSON.stringify(pushed()).replaceAll('"', "'"))).toMatch(
      /^malformed: the body is not JSON/,
    );
    const both = { ...sample('heartbeat_normalised.json'), plateText: 'AB123' };
    expect(refusal(JSON.stringify(both).replaceAll('"', "'"))).toMatch(/^malformed: /);
  });

  it.each([
    [{ hello: 1 }, 'unknown-kind: neither a plate nor a car'],
    [7, 'unknown-kind: neither a plate nor a car'],
    ['', 'malformed: the body is empty'],
    [{ ...pushed(), plateUTF8: {} }, 'wrong-shape: plateutf8: '],
    [{ carID: '7', carState: 'new' }, 'wrong-shape: capture_timestamp: required to identify'],
  ])('refuses %.40j', (value, reason) => {
    expect(refusal(value).slice(0, reason.length)).toBe(reason);
  });
});
