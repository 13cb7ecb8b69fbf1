import { expect, it } from 'vitest';
import { EdgeFileSchema } from '../config/config.ts';

const device = { url: 'http://192.0.2.7/onvif/device_service', user: 'hlid', password: 'parking-1' };
const loop = { kind: 'onvif', input: 'loop-1' };

/** The mistakes of a file with these loops at its only lane. */
function mistakes(loops: object, direction: 'entry' | 'exit' = 'entry'): string[] {
  const gate = { kind: 'http', open: { url: 'http://192.0.2.8/open' } };
  const file = EdgeFileSchema.safeParse({
    site: { name: 'Test', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' },
    lanes: [{ id: 'lane-1', name: 'Lane', direction, gate, loops }],
    cameras: [
      { id: 'asked', lane: 'lane-1', onvif: device },
      { id: 'pushes', lane: 'lane-1', token: 'a-long-secret' },
    ],
  });
  return file.success ? [] : file.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

it('takes an input of a camera that is asked, or of a device of its own', () => {
  expect(mistakes({ arrival: { ...loop, camera: 'asked' }, passed: { ...loop, device } })).toEqual([]);
});

it.each<[string, object, ('entry' | 'exit')?]>([
  ['an input of nothing', { arrival: loop }],
  ['an input of two devices', { arrival: { ...loop, camera: 'asked', device } }],
  ['an input of a camera that is not there', { arrival: { ...loop, camera: 'nobody' } }],
  ['an input of a camera that is not asked', { passed: { ...loop, camera: 'pushes' } }],
  ['reads that wait for a loop that is not there', { readsNeedArrival: true }],
  ['an exit that opens only with its loop', { arrival: { ...loop, device }, readsNeedArrival: true }, 'exit'],
])('refuses %s', (_what, loops, direction) => {
  expect(mistakes(loops, direction)).toEqual([expect.stringMatching(/^lanes\.0\.loops/)]);
});
