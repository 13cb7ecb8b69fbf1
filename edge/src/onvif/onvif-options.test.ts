import { expect, test } from 'vitest';
import { EdgeFileSchema } from '../config/config.ts';

const ONVIF = { url: 'http://192.168.1.64/onvif/device_service', user: 'hlid', password: 'p' };

function mistakesOf(camera: object, gate: object = { kind: 'onvif', ...ONVIF }): string[] {
  const read = EdgeFileSchema.safeParse({
    site: { name: 'Test', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' },
    lanes: [{ id: 'in-1', name: 'In', direction: 'entry', gate }],
    cameras: [{ id: 'cam-1', lane: 'in-1', ...camera }],
  });
  return read.success ? [] : read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

test('a camera that is asked needs no secret for pushing, and nobody can guess the one it has', () => {
  expect(mistakesOf({ onvif: ONVIF })).toEqual([]);
  const cameras = [0, 1].map((at) => ({ id: `cam-${at}`, lane: 'in-1', onvif: ONVIF }));
  const file = EdgeFileSchema.parse({
    site: { name: 'Test', timeZone: 'Atlantic/Reykjavik', currency: 'ISK' },
    lanes: [{ id: 'in-1', name: 'In', direction: 'entry', gate: { kind: 'onvif', ...ONVIF } }],
    cameras,
  });
  const [first, second] = file.cameras.map(({ token }) => token);
  expect(first).toHaveLength(36);
  expect(first).not.toBe(second);
});

test('a camera that is not asked needs one', () => {
  expect(mistakesOf({})).toEqual(['cameras.0.token: the secret of its push URL, or onvif']);
});

test('plates by a name or by a map', () => {
  expect(
    mistakesOf({ onvif: { ...ONVIF, plates: ['axis', 'hikvision', { topic: 'tnsx:LPR', plate: 'Plate' }] } }),
  ).toEqual([]);
  expect(mistakesOf({ onvif: { ...ONVIF, plates: ['nokia'] } })).toHaveLength(1);
});

test.each([
  [{ ...ONVIF, url: 'rtsp://camera/' }, /an address such as/],
  [{ ...ONVIF, url: 'http://a:b@camera/onvif' }, /user and password stand beside it/],
  [{ ...ONVIF, colour: 'red' }, /colour/],
])('%o is a mistake', (onvif, message) => {
  expect(mistakesOf({ onvif }).join('\n')).toMatch(message);
});
