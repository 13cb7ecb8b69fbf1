import { CAMERA_FORMATS } from '@hlid/protocol/camera/camera-formats';
import type { CameraDocument } from '@hlid/protocol/plate/plate-read';
import { describe, expect, it } from 'vitest';
import { createAxisCamera } from './axis-camera.ts';
import { bodyBytes, type CameraPost } from './camera.ts';
import { createDahuaCamera } from './dahua-camera.ts';
import { createHikvisionCamera } from './hikvision-camera.ts';
import { TINY_JPEG } from './jpeg.ts';
import { createMilesightCamera } from './milesight-camera.ts';
import { createOpenAlprAgent } from './open-alpr-agent.ts';
import { createSurvisionCamera } from './survision-camera.ts';

const AT = new Date('2026-11-21T08:30:00.000Z');

/** The edge's reading of a simulated camera's document. */
function understood(
  format: keyof typeof CAMERA_FORMATS,
  document: CameraPost,
  timeZone?: string,
): CameraDocument {
  const { headers } = document;
  const result = CAMERA_FORMATS[format].parse(bodyBytes(document), {
    headers,
    ...(timeZone && { timeZone }),
  });
  if (!result.ok) throw new Error(result.refusal.message);
  return result.document;
}

describe('the OpenALPR agent', () => {
  const agent = () => createOpenAlprAgent({ agentUid: 'A'.repeat(40), cameraId: 7 });

  it('sends a result for each frame, and a group of the same frames after the car leaves', () => {
    const camera = agent();
    const live = camera
      .see({ plate: 'ABX12', score: 0.93, alternatives: [{ plate: 'A8X12', score: 0.81 }], at: AT })
      .map((document) => understood('open-alpr', document));
    expect(live.map(({ kind }) => kind)).toEqual(['alpr_results', 'alpr_results', 'alpr_results']);
    const reads = live.flatMap((document) => document.reads);
    expect(reads.map(({ plate, score, late }) => ({ plate, score, late }))).toEqual(
      Array(3).fill({ plate: 'ABX12', score: 0.93, late: false }),
    );
    expect(reads[0]?.candidates).toEqual([
      { plate: 'ABX12', score: 0.93 },
      { plate: 'A8X12', score: 0.81 },
    ]);
    expect(reads[0]?.capturedAt).toBe('2026-11-21T08:30:00.000Z');

    const [group, ...more] = camera.afterwards().map((document) => understood('open-alpr', document));
    expect(more).toEqual([]);
    const [final] = group?.reads ?? [];
    expect(final).toMatchObject({ plate: 'ABX12', late: true });
    const keys = new Set([final?.eventKey, ...(final?.relatedKeys ?? [])]);
    for (const read of reads) {
      expect([read.eventKey, ...read.relatedKeys].some((key) => keys.has(key))).toBe(true);
    }
    expect(group?.pictures.length).toBeGreaterThan(0);
    expect(camera.afterwards()).toEqual([]);
  });

  it('gives no frame to two vehicles, however close together they come', () => {
    const camera = agent();
    const keys = [0, 160, 320].flatMap((laterMs) => {
      const at = new Date(AT.getTime() + laterMs);
      const documents = camera.see({ plate: 'ABX12', score: 0.9, at });
      return documents.map((post) => understood('open-alpr', post).reads[0]?.eventKey);
    });
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('sends an early group if it is configured to', () => {
    const camera = createOpenAlprAgent({ agentUid: 'A'.repeat(40), cameraId: 7, frames: 0, preview: true });
    const [preview] = camera.see({ plate: 'ABX12', score: 0.9, at: AT });
    expect(JSON.parse(String(preview?.body))).toMatchObject({ data_type: 'alpr_group', is_preview: true });
  });

  it('sends a vehicle without a plate', () => {
    const [vehicle] = agent().see({ plate: null, score: 0, at: AT });
    const document = vehicle && understood('open-alpr', vehicle);
    expect(document).toMatchObject({ kind: 'vehicle', reads: [{ plate: null, score: 0 }] });
  });

  it('sends a heartbeat', () => {
    const beat = agent().heartbeat(AT);
    expect(beat && understood('open-alpr', beat)).toMatchObject({ heartbeat: true, reads: [] });
  });
});

describe('the Survision camera', () => {
  it('pushes each vehicle once, numbered', () => {
    const camera = createSurvisionCamera({ serial: 'S-1', session: 3 });
    const reads = ['ABX12', null].flatMap((plate) =>
      camera
        .see({ plate, score: 0.91, at: AT })
        .flatMap((document) => understood('survision', document).reads),
    );
    expect(reads).toMatchObject([
      { plate: 'ABX12', score: 0.91, country: 'IS', capturedAt: '2026-11-21T08:30:00.000Z' },
      { plate: null },
    ]);
    expect(new Set(reads.map(({ eventKey }) => eventKey)).size).toBe(2);
    expect(camera.afterwards()).toEqual([]);
  });
});

const SIGHTING = { plate: 'ABX12', score: 0.91, at: AT, direction: 'leaving' } as const;
const AS_SEEN = { plate: 'ABX12', score: 0.91, country: 'IS', direction: 'leaving', late: false };
const JPEG = { contentType: 'image/jpeg', base64: TINY_JPEG };

describe('the Hikvision camera', () => {
  it.each(['hikvision', 'isapi', 'std-cgi', 'none'] as const)(
    'posts an alert with two pictures, namespace %s',
    (namespace) => {
      const camera = createHikvisionCamera({
        macAddress: '44:a6:42:00:00:01',
        namespace,
        utcOffset: '+01:00',
      });
      const [document, ...more] = camera.see(SIGHTING).map((post) => understood('hikvision', post));
      expect(more).toEqual([]);
      expect(document).toMatchObject({
        kind: 'ANPR',
        reads: [{ ...AS_SEEN, capturedAt: '2026-11-21T08:30:00.000Z' }],
        pictures: [
          { ...JPEG, kind: 'plate' },
          { ...JPEG, kind: 'overview' },
        ],
      });
    },
  );

  it('writes the same alert with and without a prefix', () => {
    for (const prefix of [undefined, 'hik']) {
      const camera = createHikvisionCamera({
        macAddress: '44:a6:42:00:00:01',
        bare: true,
        ...(prefix !== undefined && { prefix }),
      });
      const [document] = camera.see(SIGHTING).map((post) => understood('hikvision', post));
      expect(document).toMatchObject({ reads: [AS_SEEN], pictures: [] });
    }
  });

  it('sends an alert again, late, as the same event', () => {
    const camera = createHikvisionCamera({ macAddress: '44:a6:42:00:00:01' });
    const [first] = camera.see(SIGHTING).map((post) => understood('hikvision', post).reads[0]);
    const again = camera.sendAgain();
    expect(again && understood('hikvision', again).reads).toEqual([{ ...first, late: true }]);
  });

  it('sends a heartbeat, and reports a plate that it could not read', () => {
    const camera = createHikvisionCamera({ macAddress: '44:a6:42:00:00:01' });
    const beat = camera.heartbeat(AT);
    expect(beat && understood('hikvision', beat)).toMatchObject({
      heartbeat: true,
      reads: [],
      sentAt: AT.toISOString(),
    });
    const [document] = camera
      .see({ plate: null, score: 0, at: AT })
      .map((post) => understood('hikvision', post));
    expect(document?.reads).toMatchObject([{ plate: null, score: 0 }]);
  });
});

describe('the Axis camera', () => {
  it.each([false, true])('sends new, update and lost of one car, multipart %s', (multipart) => {
    const camera = createAxisCamera({ serial: 'ACCC8E000001', multipart });
    const live = camera.see(SIGHTING).map((post) => understood('axis', post));
    const [lost, ...more] = camera.afterwards().map((post) => understood('axis', post));
    expect(more).toEqual([]);
    const reads = [...live, lost].flatMap((document) => document?.reads ?? []);
    expect(reads).toMatchObject([{ ...AS_SEEN, direction: 'unknown' }, AS_SEEN, { ...AS_SEEN, late: true }]);
    expect(new Set(reads.map(({ eventKey }) => eventKey)).size).toBe(3);
    const [first] = reads;
    for (const read of reads) {
      expect(read.relatedKeys.some((key) => first?.relatedKeys.includes(key))).toBe(true);
    }
    expect(live[0]?.pictures).toEqual(
      multipart
        ? [{ ...JPEG, kind: 'overview' }]
        : [
            { ...JPEG, kind: 'plate' },
            { ...JPEG, kind: 'vehicle' },
          ],
    );
  });

  it('sends a heartbeat with its own quotes', () => {
    const beat = createAxisCamera({ serial: 'ACCC8E000001' }).heartbeat(AT);
    expect(beat && understood('axis', beat)).toMatchObject({
      heartbeat: true,
      reads: [],
      sentAt: AT.toISOString(),
    });
  });
});

describe('the Milesight camera', () => {
  it('posts a recognition with the time of its wall clock', () => {
    const camera = createMilesightCamera({ device: 'Gate', timeZone: 'America/New_York' });
    const [document] = camera.see(SIGHTING).map((post) => understood('milesight', post, 'America/New_York'));
    expect(document).toMatchObject({
      reads: [{ ...AS_SEEN, capturedAt: AT.toISOString() }],
      pictures: [
        { ...JPEG, kind: 'overview' },
        { ...JPEG, kind: 'plate' },
      ],
    });
  });
});

describe('the Dahua camera', () => {
  it('posts a car more than once, one frame apart', () => {
    const camera = createDahuaCamera({ deviceId: 'd-1', postsPerCar: 3 });
    const documents = camera.see(SIGHTING).map((post) => understood('dahua', post));
    const reads = documents.flatMap((document) => document.reads);
    expect(reads).toMatchObject([AS_SEEN, AS_SEEN, AS_SEEN]);
    expect(new Set(reads.map(({ eventKey }) => eventKey)).size).toBe(3);
    expect(documents[0]?.pictures.map(({ kind }) => kind)).toEqual(['overview', 'vehicle', 'plate']);
  });

  it('sends a heartbeat and its identity', () => {
    const camera = createDahuaCamera({ deviceId: 'd-1' });
    for (const post of [camera.heartbeat(AT), camera.deviceInfo()]) {
      expect(post && understood('dahua', post)).toMatchObject({ heartbeat: true, reads: [] });
    }
  });
});
