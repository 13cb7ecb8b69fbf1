import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import {
  type CommandReply,
  DeviceCommandSchema,
  type DeviceRefusal,
} from '@hlid/protocol/site-link/commands';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../test/api.ts';
import { deviceAnswers, JPEG, uploadFor } from '../../../test/devices.ts';
import { GatedStore } from '../../../test/gated-store.ts';
import { pictureCleanupJob } from '../../stays/photos/store-picture.ts';
import { snapshotRun } from './snapshots.ts';

let api: TestApi;
beforeEach(async () => {
  api = await createTestApi();
  api.bus.play(api.site.id, deviceAnswers(api));
});
afterEach(() => api.close());

const at = (path: string) => `/sites/${api.site.id}/${path}`;
const CALLS = [
  ['POST', 'lanes/in-1/snapshot'],
  ['POST', 'devices/camera/cam-in-1/snapshot'],
  ['POST', 'devices/kiosk/site/snapshot'],
  ['POST', 'devices/gate/in-1/try-again'],
  ['GET', 'discovered-cameras'],
] as const;
const commands = () =>
  api.bus.sent.flatMap(({ leaf, payload }) =>
    leaf === 'cmd' ? [DeviceCommandSchema.parse(JSON.parse(payload))] : [],
  );

async function seen(url: string, as: typeof api = api) {
  const answer = await as.app.request(url, { headers: { authorization: `Bearer ${as.operator}` } });
  return { status: answer.status, type: answer.headers.get('content-type'), answer };
}

describe('a picture taken now', () => {
  it.each([
    ['lanes/in-1/snapshot', { laneId: 'in-1' }],
    ['devices/camera/cam-in-1/snapshot', { cameraId: 'cam-in-1' }],
  ])('%s answers with where it is', async (path, of) => {
    const { status, body } = await api.call('POST', at(path));
    expect([status, body]).toEqual([
      200,
      {
        id: expect.any(String),
        url: at(`snapshots/${body['id']}`),
        cameraId: 'cam-in-1',
        takenOn: api.now(),
        expiresOn: utcTime(Date.parse(api.now()) + 10 * MINUTE_MS),
      },
    ]);
    expect(commands()).toMatchObject([
      { action: 'take-picture', id: body['id'], of, by: 'account:the-operator' },
    ]);
    const { answer, ...head } = await seen(String(body['url']));
    expect(head).toEqual({ status: 200, type: 'image/jpeg' });
    expect(answer.headers.get('cache-control')).toBe('private, no-store');
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(JPEG);
    const [audited] = (await api.audited()).filter(({ action }) => action === 'take-picture');
    expect(audited).toMatchObject({ by: 'account:the-operator', subjectId: api.site.id, after: { of } });
  });

  it('of a kiosk’s screen is asked for by that, and by no other screen', async () => {
    const { status } = await api.call('POST', at('devices/kiosk/site/snapshot'));
    expect([status, commands()]).toMatchObject([200, [{ action: 'take-picture', of: { screen: 'kiosk' } }]]);
    expect((await api.call('POST', at('devices/kiosk/other/snapshot'))).status).toBe(400);
  });

  it('is gone after ten minutes, from the table and from the store', async () => {
    const { body } = await api.call('POST', at('lanes/in-1/snapshot'));
    const url = String(body['url']);
    api.wait(10 * MINUTE_MS);
    expect((await seen(url)).status).toBe(404);
    api.wait(1);
    const run = snapshotRun(api.context);
    const { signal } = new AbortController();
    expect(await run.isDue?.(api.now())).toBe(true);
    await run.work({ now: api.now(), signal });
    expect(await run.isDue?.(api.now())).toBe(false);
    expect(await api.context.pictures.get(`${api.site.id}/snapshots/${body['id']}.jpg`)).toBeNull();
  });

  it('is of one site, and is stored only where a person waits for it', async () => {
    const other = await api.addSite('Airport');
    const { body } = await api.call('POST', at('lanes/in-1/snapshot'));
    expect((await seen(`/sites/${other.id}/snapshots/${body['id']}`)).status).toBe(404);
    expect((await uploadFor(api, '01980000-0000-7000-8000-000000000007')).status).toBe(410);
    api.bus.play(api.site.id, () => null);
    await api.call('POST', at('lanes/in-1/snapshot'));
    const id = commands().at(-1)?.id ?? '';
    expect((await uploadFor(api, id, { site: other })).status).toBe(410);
    expect((await uploadFor(api, id, { body: Buffer.from('<html>') })).status).toBe(415);
    api.wait(2 * MINUTE_MS);
    expect((await uploadFor(api, id)).status).toBe(410);
  });

  it('that is brought twice at once is one picture, and is erased with all that was brought', async () => {
    const pictures = new GatedStore();
    const both = await createTestApi({ pictures });
    both.bus.play(both.site.id, () => null);
    await both.call('POST', `/sites/${both.site.id}/lanes/in-1/snapshot`);
    const [sent] = both.bus.sent.filter(({ leaf }) => leaf === 'cmd');
    const { id } = DeviceCommandSchema.parse(JSON.parse(sent?.payload ?? ''));
    const { arrived, release } = pictures.hold((key) => key.endsWith('.jpg'));
    const first = uploadFor(both, id);
    await arrived;
    const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
    expect((await uploadFor(both, id, { body: png })).status).toBe(204);
    release();
    expect((await first).status).toBe(410);
    const url = `/sites/${both.site.id}/snapshots/${id}`;
    expect(await seen(url, both)).toMatchObject({ status: 200, type: 'image/png' });
    both.wait(16 * MINUTE_MS);
    const { signal } = new AbortController();
    await snapshotRun(both.context).work({ now: both.now(), signal });
    await pictureCleanupJob(both.context).work({ now: both.now(), signal });
    expect([...pictures.stored.keys()]).toEqual([]);
    await both.close();
  });

  it('is refused where the site says it is there and has sent none', async () => {
    api.bus.play(api.site.id, () => ({ cameraId: 'cam-in-1' }));
    const { status, body } = await api.call('POST', at('lanes/in-1/snapshot'));
    expect([status, body['codes']]).toMatchObject([502, [{ code: 'picture-unsent' }]]);
  });
});

it('tries a device again, and answers with its state', async () => {
  const since = '2026-11-21T11:59:00.000Z';
  api.bus.play(api.site.id, () => ({ device: { state: 'unreachable', since, detail: 'no route' } }));
  const { status, body } = await api.call('POST', at('devices/terminal/pos-1/try-again'));
  expect([status, body]).toEqual([
    200,
    { kind: 'terminal', id: 'pos-1', state: 'unreachable', since, detail: 'no route' },
  ]);
  expect(commands()).toMatchObject([{ action: 'try-again', kind: 'terminal', deviceId: 'pos-1' }]);
  expect((await api.call('POST', at('devices/disk/site/try-again'))).status).toBe(409);
  expect((await api.audited()).map(({ action }) => action)).toContain('try-again');
});

it('lists the cameras of the site’s network', async () => {
  const { status, body } = await api.call('GET', at('discovered-cameras'));
  expect([status, body['data']]).toMatchObject([200, [{ model: 'PLATE-1', profiles: ['M'] }]]);
});

it.each(CALLS)('%s %s says why a site has not done it', async (method, path) => {
  const REASONS: [DeviceRefusal, number, string][] = [
    ['no-picture-source', 409, 'no-picture-source'],
    ['not-checkable', 409, 'device-not-checkable'],
    ['kiosk-away', 502, 'kiosk-away'],
    ['kiosk-no-picture', 502, 'kiosk-no-picture'],
    ['no-device', 404, 'not-found'],
    ['no-lane', 404, 'not-found'],
    ['no-picture', 502, 'camera-no-picture'],
    ['camera-away', 502, 'camera-away'],
    ['camera-login', 502, 'camera-login-refused'],
    ['picture-unsent', 502, 'picture-unsent'],
    ['probe-failed', 502, 'probe-failed'],
  ];
  for (const [reason, status, code] of REASONS) {
    api.bus.play(api.site.id, (): Partial<CommandReply> => ({ outcome: 'refused', reason, detail: 'x' }));
    const answer = await api.call(method, at(path));
    expect([reason, answer.status, answer.body['codes']]).toMatchObject([reason, status, [{ code }]]);
  }
  api.bus.play(api.site.id, () => null);
  // One of them: it takes as long as a command lives.
  const silent = await api.call('GET', at('discovered-cameras'));
  api.bus.disconnect(api.site.id);
  const away = await api.call(method, at(path));
  const none = await api.call(method, `/sites/nowhere/${path}`);
  expect([silent, away, none].map(({ status, body }) => [status, body['codes']])).toMatchObject([
    [504, [{ code: 'device-no-answer' }]],
    [503, [{ code: 'command-not-connected' }]],
    [404, [{ code: 'not-found' }]],
  ]);
});
