import { CAMERA_FORMATS } from '@hlid/protocol/camera/camera-formats';
import type { CameraDocument } from '@hlid/protocol/plate-read';
import { describe, expect, it } from 'vitest';
import type { CameraPost } from './camera.ts';
import { createOpenAlprAgent } from './open-alpr-agent.ts';
import { createSurvisionCamera } from './survision-camera.ts';

const AT = new Date('2026-11-21T08:30:00.000Z');

/** What the edge makes of a simulated camera's document. */
function understood(format: keyof typeof CAMERA_FORMATS, { body, headers }: CameraPost): CameraDocument {
  const result = CAMERA_FORMATS[format].parse(new TextEncoder().encode(body), { headers });
  if (!result.ok) throw new Error(result.refusal.message);
  return result.document;
}

describe('the OpenALPR agent', () => {
  const agent = () => createOpenAlprAgent({ agentUid: 'A'.repeat(40), cameraId: 7 });

  it('sends a result for each frame, and a group of the same frames when the car has gone', () => {
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

  it('sends an early group where it is set to', () => {
    const camera = createOpenAlprAgent({ agentUid: 'A'.repeat(40), cameraId: 7, frames: 0, preview: true });
    const [preview] = camera.see({ plate: 'ABX12', score: 0.9, at: AT });
    expect(JSON.parse(preview?.body ?? '')).toMatchObject({ data_type: 'alpr_group', is_preview: true });
  });

  it('sends a vehicle without a plate', () => {
    const [vehicle] = agent().see({ plate: null, score: 0, at: AT });
    const document = vehicle && understood('open-alpr', vehicle);
    expect(document).toMatchObject({ kind: 'vehicle', reads: [{ plate: null, score: 0 }] });
  });

  it('says that it is alive', () => {
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
