import { expect, it } from 'vitest';
import { CAMERA_FORMATS, type CameraFormat } from './camera-formats.ts';

const MULTIPART = 'multipart/form-data; boundary=b';

const alert = (plate: string, time = '2026-11-20T10:00:00+00:00') =>
  `<EventNotificationAlert><dateTime>${time}</dateTime><eventType>ANPR</eventType><ANPR><licensePlate>${plate}</licensePlate><confidenceLevel>90</confidenceLevel></ANPR></EventNotificationAlert>`;
const partsOf = (documents: readonly string[]) =>
  `${documents.map((document) => `--b\r\nContent-Type: application/xml\r\n\r\n${document}\r\n`).join('')}--b--\r\n`;
const axis = (plate: unknown, id: number) => ({
  packetCounter: `${id}`,
  capture_timestamp: '1700000000000',
  plateText: plate,
  plateConfidence: '0.9',
  carState: 'new',
  carID: `${id}`,
});
const transit = (plate: string, id: number) => ({
  PLATE_STRING: plate,
  DEVICE_SN: '1',
  TRANSIT_ID: `${id}`,
  OCRSCORE: '90',
});

/** Three messages in one document, of which the middle one cannot be read. */
const DOCUMENTS: [CameraFormat, string, string, RegExp][] = [
  [
    'hikvision',
    MULTIPART,
    partsOf([alert('AB123'), alert('X'.repeat(100)), alert('CD456')]),
    /^a message is left out: ANPR\.licensePlate/,
  ],
  ['hikvision', MULTIPART, partsOf([alert('AB123'), '<EventNotificationAlert><a', alert('CD456')]), /XML/],
  [
    'axis',
    'application/json',
    JSON.stringify([axis('AB123', 1), axis({}, 2), axis('CD456', 3)]),
    /platetext/i,
  ],
  [
    'tattile',
    'application/json',
    JSON.stringify([transit('AB123', 1), { PLATE_STRING: '' }, transit('CD456', 3)]),
    /DATE and TIME/,
  ],
];

it.each(DOCUMENTS)(
  'of three messages of %s (%s), the broken one is left out and named',
  (format, type, text, fault) => {
    const parsed = CAMERA_FORMATS[format].parse(new TextEncoder().encode(text), {
      headers: { 'content-type': type },
      receivedAt: '2026-11-20T10:00:05.000Z',
    });
    if (!parsed.ok) throw new Error(parsed.refusal.message);
    expect(parsed.document.reads.map(({ plate }) => plate)).toEqual(['AB123', 'CD456']);
    expect(parsed.document.faults).toEqual([expect.stringMatching(fault)]);
  },
);

it('refuses a document of which no message can be read, by the first that is of a known kind', () => {
  const parsed = CAMERA_FORMATS.hikvision.parse(
    new TextEncoder().encode(partsOf(['<Other/>', alert('X'.repeat(100))])),
    { headers: { 'content-type': MULTIPART }, receivedAt: '2026-11-20T10:00:05.000Z' },
  );
  expect(parsed).toMatchObject({ ok: false, refusal: { reason: 'wrong-shape' } });
});
