import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInShell } from '@hlid/edge/test/shell';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { TINY_JPEG } from './jpeg.ts';
import { type OnvifDeviceOptions, type OnvifDeviceSim, startOnvifDevice } from './onvif-device.ts';

let device: OnvifDeviceSim;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-onvif-'));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await device.stop();
});

const start = async (options: OnvifDeviceOptions = {}) => {
  device = await startOnvifDevice(options);
};
const PASSWORD = { HLID_ONVIF_PASSWORD: 'parking-1' };

it('camera discover finds a device, for people and for scripts', async () => {
  await start({ discovery: {} });
  const environment = { HLID_ONVIF_PROBE: `127.0.0.1:${device.discoveryPort}` };
  const words = ['camera', 'discover', '--seconds', '0.5'];
  const people = await runInShell([...words, '--text'], { environment });
  expect(people.code).toBe(0);
  expect(people.printed).toEqual(['Hlid plate camera, PLATE-1 (profiles M)', `  ${device.url}`]);
  const scripts = await runInShell(words, { environment });
  expect(JSON.parse(scripts.printed[0] ?? '')).toEqual({
    devices: [
      {
        urn: device.urn,
        name: 'Hlid plate camera',
        hardware: 'PLATE-1',
        maker: '',
        addresses: [device.url],
        profiles: ['M'],
      },
    ],
  });
});

it('camera discover reports that no device answers', async () => {
  await start();
  const environment = { HLID_ONVIF_PROBE: '127.0.0.1:9' };
  const words = ['camera', 'discover', '--seconds', '0.1'];
  const { code, printed } = await runInShell([...words, '--text'], { environment });
  expect([code, printed]).toEqual([0, ['No ONVIF device has answered.']]);
  expect((await runInShell(words, { environment })).printed).toEqual(['{"devices":[]}']);
});

it.each(['token', 'digest-md5', 'digest-sha256'] as const)(
  'camera snapshot writes the picture of a camera that requires %s',
  async (way) => {
    await start({ logins: [way] });
    const out = join(folder, 'now.jpg');
    const words = ['camera', 'snapshot', device.url, '--user', 'hlid', '--out', out, '--json'];
    const { code, printed, complaint } = await runInShell(words, { environment: PASSWORD });
    expect([code, complaint]).toEqual([0, '']);
    expect(readFileSync(out).toString('base64')).toBe(TINY_JPEG);
    expect(JSON.parse(printed[0] ?? '')).toMatchObject({ file: out, contentType: 'image/jpeg' });
    expect(device.failedLogins()).toBe(0);
  },
);

it.each(['token', 'digest-md5'] as const)(
  'camera snapshot recognises a picture by its bytes, whatever its content type (%s)',
  async (way) => {
    await start({ logins: [way], snapshotType: 'application/octet-stream' });
    const out = join(folder, 'now.jpg');
    const words = ['camera', 'snapshot', device.url, '--user', 'hlid', '--out', out, '--json'];
    const { code, printed } = await runInShell(words, { environment: PASSWORD });
    expect(code).toBe(0);
    expect(JSON.parse(printed[0] ?? '')).toMatchObject({ contentType: 'image/jpeg' });
  },
);

it('camera snapshot reports the problem, and tries a wrong password once', async () => {
  await start();
  const words = ['camera', 'snapshot', device.url, '--user', 'hlid'];
  const environment = { HLID_ONVIF_PASSWORD: 'parking-2' };
  const { code, printed, complaint } = await runInShell(words, { environment });
  expect([code, printed]).toEqual([1, []]);
  expect(complaint).toMatch(/No picture of 127.0.0.1: Sender not authorized/);
  expect(device.failedLogins()).toBe(1);
});

it('camera watch prints the events of a configured camera', async () => {
  await start();
  writeFileSync(
    join(folder, 'edge.yaml'),
    `site: { name: Demo, timeZone: Atlantic/Reykjavik, currency: ISK }
cameras: [{ id: cam-1, lane: in-1, onvif: { url: '${device.url}', user: hlid, password: parking-1 } }]
lanes: [{ id: in-1, name: In, direction: entry, gate: { kind: onvif, url: '${device.url}', user: hlid, password: parking-1 } }]
`,
  );
  const environment = { HLID_DATA_DIR: folder };
  const watching = runInShell(['camera', 'watch', 'cam-1', '--seconds', '3'], { environment });
  await waitFor(() => device.pullPoints() === 1, { what: 'a subscription' });
  device.tellPlate({ plate: 'BEF0RE', likelihood: 0.8 });
  // The device forgets its subscriptions, as after a restart: it is subscribed to again.
  device.forgetSubscriptions();
  await waitFor(() => device.pullPoints() === 1, { what: 'another subscription' });
  device.tellPlate({ plate: 'KZD82', likelihood: 0.9 });
  device.setInput('loop-1', true);
  const { code, printed } = await watching;
  expect(code).toBe(0);
  const messages: unknown[] = printed.map((line) => JSON.parse(line));
  expect(messages).toContainEqual(expect.objectContaining({ what: 'device', state: 'ok' }));
  expect(messages).toContainEqual(expect.objectContaining({ what: 'plate', plate: 'KZD82', score: 0.9 }));
  expect(messages).toContainEqual(expect.objectContaining({ what: 'input', token: 'loop-1', active: true }));

  const stranger = await runInShell(['camera', 'watch', 'cam-9'], { environment });
  expect(stranger).toMatchObject({ code: 1, complaint: expect.stringContaining('no camera cam-9') });
});

it('camera watch --text prints the events as text', async () => {
  await start();
  const words = ['camera', 'watch', device.url, '--user', 'hlid', '--seconds', '2', '--text'];
  const watching = runInShell(words, { environment: PASSWORD });
  await waitFor(() => device.pullPoints() === 1, { what: 'a subscription' });
  device.tellPlate({ plate: 'KZD82', likelihood: 0.9 });
  const { printed } = await watching;
  expect(printed.join('\n')).toMatch(/device {2}ok\n[\s\S]*plate {3}KZD82 {2}90 % {2}IS, unknown/);
});
