import { createTestSite } from '@hlid/edge/test/site';
import { CAMERA_FORMATS, type CameraFormat } from '@hlid/protocol/camera/camera-formats';
import { afterEach, describe, expect, it } from 'vitest';
import { createAxisCamera } from './axis-camera.ts';
import { bodyBytes, type Sighting, type SimulatedCamera } from './camera.ts';
import { createDahuaCamera } from './dahua-camera.ts';
import { createHikvisionCamera } from './hikvision-camera.ts';
import { createMilesightCamera } from './milesight-camera.ts';

let site: ReturnType<typeof createTestSite>;
afterEach(() => site.close());

const MAKERS: [CameraFormat, () => SimulatedCamera][] = [
  ['hikvision', () => createHikvisionCamera({ macAddress: '44:a6:42:00:00:01' })],
  ['axis', () => createAxisCamera({ serial: 'ACCC8E000001' })],
  ['milesight', () => createMilesightCamera({ device: 'Gate' })],
  ['dahua', () => createDahuaCamera({ deviceId: 'd-1' })],
];

/** The camera sees a vehicle: every document of it comes to the site. */
async function see(format: CameraFormat, camera: SimulatedCamera, sighting: Omit<Sighting, 'at' | 'score'>) {
  const seen = { ...sighting, score: 0.95, at: new Date(site.now()) };
  for (const document of [...camera.see(seen), ...camera.afterwards()]) {
    const headers = { 'content-type': 'application/json', ...document.headers };
    const parsed = CAMERA_FORMATS[format].parse(bodyBytes(document), { headers, receivedAt: site.now() });
    if (!parsed.ok) throw new Error(parsed.refusal.message);
    await site.core.reads.handle('cam-both', parsed.document, new Date(site.now()));
  }
  await site.core.commit.run(() => undefined);
}
const pulses = () => [site.gates['in-1'].pulses, site.gates['out-1'].pulses];

describe.each(MAKERS)('one %s camera over two lanes', (format, create) => {
  it('is assigned to lanes by its own zones', async () => {
    const lanes = [
      { lane: 'in-1', zone: '1' },
      { lane: 'out-1', zone: '2' },
    ];
    site = createTestSite({ split: { id: 'cam-both', lanes } });
    const camera = create();
    await see(format, camera, { plate: 'ABX12', zone: '1' });
    expect(pulses()).toEqual([1, 0]);
    site.wait(60_000);
    await see(format, camera, { plate: 'ABX12', zone: '2' });
    expect(pulses()).toEqual([1, 1]);
    expect(site.visits()).toMatchObject([{ plate: 'ABX12', status: 'completed' }]);
    site.wait(60_000);
    const before = site.events().length;
    await see(format, camera, { plate: 'KZD82', zone: '3' });
    expect(pulses()).toEqual([1, 1]);
    expect(site.events()).toHaveLength(before);
  });

  it('opens one gate of a two-way lane for each vehicle', async () => {
    const lanes = [
      { lane: 'in-1', direction: 'approaching' as const },
      { lane: 'out-1', direction: 'leaving' as const },
    ];
    site = createTestSite({ split: { id: 'cam-both', lanes } });
    const camera = create();
    await see(format, camera, { plate: 'ABX12', direction: 'approaching' });
    expect(pulses()).toEqual([1, 0]);
    site.wait(60_000);
    await see(format, camera, { plate: 'ABX12', direction: 'leaving' });
    expect(pulses()).toEqual([1, 1]);
    expect(site.visits()).toMatchObject([{ plate: 'ABX12', status: 'completed' }]);
    expect(site.reasons()).not.toContain('no-visit');
  });
});
