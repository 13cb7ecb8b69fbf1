import { gzipSync } from 'node:zlib';
import { CameraPush } from '@hlid/edge/camera/camera-push';
import { createTestSite } from '@hlid/edge/test/site';
import { MAX_SENT_BYTES } from '@hlid/protocol/camera/document-collector';
import { CameraSettingsSchema } from '@hlid/protocol/records/lane';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { createAxisCamera } from './axis-camera.ts';
import { type CameraPost, post, type SimulatedCamera } from './camera.ts';
import { createDahuaCamera } from './dahua-camera.ts';
import { createHikvisionCamera } from './hikvision-camera.ts';
import { createMilesightCamera } from './milesight-camera.ts';
import { createOpenAlprAgent } from './open-alpr-agent.ts';
import { seededRandom } from './seeded-random.ts';
import { createSurvisionCamera } from './survision-camera.ts';

let site: ReturnType<typeof createTestSite>;
let push: CameraPush;
let url: string;
let seen: { cameraId: string; kind: string; heartbeat: boolean; pictures: number }[];

beforeEach(async () => {
  site = createTestSite();
  seen = [];
  push = new CameraPush({
    cameras: ['in-1', 'out-1'].map((lane) => ({ ...CAMERA, id: `cam-${lane}`, lane })),
    host: '127.0.0.1',
    port: 0,
    reads: site.core.reads,
    watch: {
      documentArrived: (cameraId, { kind, heartbeat, pictures }) =>
        void seen.push({ cameraId, kind, heartbeat, pictures: pictures.length }),
      documentMended: () => undefined,
      documentRefused: () => undefined,
    },
    timeZone: 'Atlantic/Reykjavik',
    clock: { now: () => new Date(site.now()) },
    log: pino({ enabled: false }),
  });
  ({ url } = await push.start());
});
afterEach(async () => {
  await push.stop();
  site.close();
});

const CAMERA = {
  token: 'x'.repeat(16),
  directionReliable: true,
  opensOnGroup: false,
  settings: CameraSettingsSchema.parse({}),
};

const addressOf = (format: string, lane = 'in-1') =>
  `${url}/cameras/cam-${lane}/${format}?token=${CAMERA.token}`;

const MAKERS: [string, string, () => SimulatedCamera][] = [
  ['OpenALPR', 'open-alpr', () => createOpenAlprAgent({ agentUid: 'A'.repeat(40), cameraId: 1 })],
  ['Survision', 'survision', () => createSurvisionCamera({ serial: 'S-1', session: 1 })],
  ['Hikvision', 'hikvision', () => createHikvisionCamera({ macAddress: '44:a6:42:00:00:01' })],
  [
    'Hikvision without pictures',
    'hikvision',
    () => createHikvisionCamera({ macAddress: '44:a6:42:00:00:02', namespace: 'isapi', bare: true }),
  ],
  ['Axis', 'axis', () => createAxisCamera({ serial: 'ACCC8E000001' })],
  ['Axis in multipart', 'axis', () => createAxisCamera({ serial: 'ACCC8E000002', multipart: true })],
  ['Milesight', 'milesight', () => createMilesightCamera({ device: 'Gate' })],
  [
    'Milesight without a confidence',
    'milesight',
    () => createMilesightCamera({ device: 'Gate', saysConfidence: false }),
  ],
  ['Dahua', 'dahua', () => createDahuaCamera({ deviceId: 'd-1' })],
  [
    'Dahua that posts a car three times',
    'dahua',
    () => createDahuaCamera({ deviceId: 'd-1', postsPerCar: 3 }),
  ],
];

async function sendAll(format: string, posts: readonly CameraPost[], lane?: string): Promise<void> {
  for (const document of posts) {
    const answer = await post(addressOf(format, lane), document);
    expect(answer.status, answer.text).toBe(200);
  }
}

describe.each(MAKERS)('%s', (_, format, create) => {
  it('opens once for a car, however many documents are sent, and again when it leaves', async () => {
    const camera = create();
    const documents = camera.see({ plate: 'ABX12', score: 0.95, at: new Date(site.now()) });
    await sendAll(format, documents);
    await waitFor(() => site.gates['in-1'].pulses === 1, { what: 'the gate to open' });
    await sendAll(format, documents);
    site.wait(10_000);
    await sendAll(format, camera.afterwards());
    expect(site.visits()).toMatchObject([{ plate: 'ABX12', status: 'new' }]);
    expect(site.gates['in-1'].pulses).toBe(1);
    if (!format.startsWith('hik')) expect(seen[0]?.pictures).toBeGreaterThan(0);

    site.wait(60_000);
    const exit = create();
    await sendAll(format, exit.see({ plate: 'ABX12', score: 0.95, at: new Date(site.now()) }), 'out-1');
    await waitFor(() => site.gates['out-1'].pulses === 1, { what: 'the exit to open' });
    expect(site.visits()).toMatchObject([{ plate: 'ABX12', status: 'completed' }]);
  });

  it('admits a car that it cannot read, if the site is configured to', async () => {
    await sendAll(format, create().see({ plate: null, score: 0, at: new Date(site.now()) }));
    await waitFor(() => site.gates['in-1'].pulses === 1, { what: 'the gate to open' });
    expect(site.visits()).toMatchObject([{ plate: null, status: 'need-plate' }]);
  });

  it('sends heartbeats if its maker does', async () => {
    const beat = create().heartbeat(new Date(site.now()));
    if (beat === null) return;
    await sendAll(format, [beat]);
    expect(seen).toMatchObject([{ cameraId: 'cam-in-1', heartbeat: true }]);
    expect(site.visits()).toEqual([]);
  });
});

it('sends pictures with a Hikvision alert, and no old alert opens a gate', async () => {
  const camera = createHikvisionCamera({ macAddress: '44:a6:42:00:00:01' });
  const [alert] = camera.see({ plate: 'ABX12', score: 0.95, at: new Date(site.now()) });
  const again = camera.sendAgain();
  if (!alert || !again) throw new Error('it sends nothing');
  await sendAll('hikvision', [again]);
  expect(seen).toMatchObject([{ kind: 'ANPR', pictures: 2 }]);
  expect(site.gates['in-1'].pulses).toBe(0);
  expect(site.visits()).toEqual([]);
});

// Relays and loggers between camera and receiver change a document so, as receivers on GitHub are prepared
// for.
it.each(MAKERS)('reads %s plain, compressed and in a form as one event', async (_, format, create) => {
  const camera = create();
  const [document] = camera.see({ plate: 'ABX12', score: 0.95, at: new Date(site.now()) });
  if (!document) throw new Error('it sends nothing');
  const { body, headers } = document;
  const posts = [document, { body: gzipSync(body), headers: { ...headers, 'content-encoding': 'gzip' } }];
  if (!headers['content-type']?.startsWith('multipart')) {
    posts.push({
      body: `event=${encodeURIComponent(Buffer.from(body).toString('utf8'))}`,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    });
  }
  await sendAll(format, posts);
  await waitFor(() => site.gates['in-1'].pulses === 1, { what: 'the gate to open' });
  expect(site.visits()).toMatchObject([{ plate: 'ABX12' }]);
  expect(seen.map(({ pictures }) => pictures)).toEqual(posts.map(() => seen[0]?.pictures));
});

// These makers have no simulated camera: their documents, as of now.
it.each<[string, (at: string) => string]>([
  [
    'genetec',
    (at) =>
      JSON.stringify({
        PlateRead: 'ABX12',
        Id: '32cf870a',
        SourceUrl: 'SHARPV12345',
        Timestamp: at,
        PlateAnalytics: [{ Key: 'Confidence Score', Score: 1, Value: '97' }],
      }),
  ],
  [
    'vaxtor',
    (at) => JSON.stringify({ plate: 'ABX12', date: at, confidence: '97', roiid: '1', direction: '1' }),
  ],
  [
    'tattile',
    (at) =>
      `<MESSAGE><PLATE_STRING>ABX12</PLATE_STRING><DATE>${at.slice(0, 10)}</DATE><TIME>${at.slice(11, 23)}</TIME>` +
      '<DEVICE_SN>T1</DEVICE_SN><OCRSCORE>097</OCRSCORE></MESSAGE>',
  ],
  [
    'plate-recognizer',
    (at) =>
      JSON.stringify({
        hook: { event: 'recognition' },
        data: { camera_id: 'in', timestamp: at, results: [{ plate: 'abx12', score: 0.97 }] },
      }),
  ],
])('opens once for a car that %s posts', async (format, write) => {
  const document = { body: write(site.now()), headers: { 'content-type': 'text/plain' } };
  await sendAll(format, [document]);
  await waitFor(() => site.gates['in-1'].pulses === 1, { what: 'the gate to open' });
  await sendAll(format, [document]);
  expect(site.visits()).toMatchObject([{ plate: 'ABX12' }]);
  expect(site.gates['in-1'].pulses).toBe(1);
});

// Reduced from receivers that post only what they need: no id of the event, and no time of it.
it.each([
  ['dahua', '{"Picture":{"Plate":{"PlateNumber":"ABX12"},"SnapInfo":{"DeviceID":"CAMERA1"}}}'],
  [
    'hikvision',
    '<EventNotificationAlert><ANPR><licensePlate>ABX12</licensePlate></ANPR></EventNotificationAlert>',
  ],
  ['milesight', '{"plate":"ABX12"}'],
])(
  'treats a repeated document of %s in the same minute as the same event, though it has no time',
  async (format, body) => {
    site.wait(60_000 - (Date.parse(site.now()) % 60_000));
    await sendAll(format, [{ body, headers: { 'content-type': 'text/plain' } }]);
    await waitFor(() => site.gates['in-1'].pulses === 1, { what: 'the gate to open' });
    site.wait(20_000);
    await sendAll(format, [{ body, headers: { 'content-type': 'text/plain' } }]);
    expect(site.visits()).toMatchObject([{ plate: 'ABX12' }]);
    expect(site.gates['in-1'].pulses).toBe(1);
  },
);

describe('groups of an OpenALPR agent', () => {
  const sentAt = () => Date.parse(site.now());
  const result = (uuid: string, plate: string) => ({
    data_type: 'alpr_results',
    epoch_time: sentAt(),
    uuid,
    camera_id: 1,
    results: [{ plate, confidence: 80, plate_index: 0 }],
  });
  const group = (plate: string, uuids: string[]) => ({
    data_type: 'alpr_group',
    epoch_start: sentAt(),
    best_uuid: uuids[0],
    uuids,
    camera_id: 1,
    best_plate_number: plate,
    best_confidence: 93,
  });
  const send = (document: object) =>
    sendAll('open-alpr', [
      { body: JSON.stringify(document), headers: { 'content-type': 'application/json' } },
    ]);

  it('correct the plate of a car that one of their frames admitted', async () => {
    await send(result('frame-1', 'ABX17'));
    await waitFor(() => site.gates['in-1'].pulses === 1, { what: 'the gate to open' });
    site.wait(6000);
    await send(group('ABX12', ['frame-1', 'frame-2']));
    expect(site.visits()).toMatchObject([{ plate: 'ABX12' }]);
    expect(site.gates['in-1'].pulses).toBe(1);
  });

  it('leave the gate to the results, even if the results come later', async () => {
    await send(group('ABX12', ['frame-1', 'frame-2']));
    expect(site.gates['in-1'].pulses).toBe(0);
    await send(result('frame-1', 'ABX12'));
    await waitFor(() => site.gates['in-1'].pulses === 1, { what: 'the gate to open' });
    expect(site.visits()).toMatchObject([{ plate: 'ABX12' }]);
  });
});

describe('the answers that Dahua cameras expect', () => {
  const camera = createDahuaCamera({ deviceId: 'd-1' });

  it.each([
    [
      'TollgateInfo',
      () => camera.see({ plate: 'ABX12', score: 0.9, at: new Date(site.now()) })[0],
      { Result: true },
    ],
    ['KeepAlive', () => camera.heartbeat(new Date(site.now())), { Result: true, Active: true }],
    ['DeviceInfo', () => camera.deviceInfo(), { Result: true }],
  ])('%s, at the address itself and at its own path under it', async (kind, document, answer) => {
    const made = document();
    if (!made) throw new Error('it sends nothing');
    for (const address of [
      addressOf('dahua'),
      addressOf('dahua').replace('?', `/NotificationInfo/${kind}?`),
    ]) {
      const { status, text } = await post(address, made);
      expect([status, JSON.parse(text)]).toEqual([200, answer]);
    }
    expect(seen.map((document) => document.kind)).toEqual([kind, kind]);
  });

  it('a refusal', async () => {
    const { status, text } = await post(addressOf('dahua'), { body: '{"hello":1}', headers: {} });
    expect([status, JSON.parse(text)]).toEqual([400, { Result: false, messages: [expect.any(String)] }]);
  });
});

it('opens no gate for a malformed document', async () => {
  const { next: random } = seededRandom(7);
  for (const [, format, create] of MAKERS) {
    const [document] = create().see({ plate: 'ABX12', score: 0.95, at: new Date(site.now()) });
    if (!document) throw new Error('it sends nothing');
    const whole = Buffer.from(document.body);
    // Behind it come pictures, without which the document is whole.
    const end = whole.includes('</EventNotificationAlert>')
      ? whole.indexOf('</EventNotificationAlert>')
      : whole.lastIndexOf('}');
    for (let tries = 0; tries < 10; tries++) {
      const cut = whole.subarray(0, Math.floor(random() * end));
      const noise = Buffer.from(Uint8Array.from({ length: 500 }, () => Math.floor(random() * 256)));
      for (const body of [cut, noise, Buffer.concat([cut, noise])]) {
        const { status } = await post(addressOf(format), { ...document, body: Buffer.from(body) });
        expect(status).toBe(400);
      }
    }
  }
  expect(seen).toEqual([]);
  expect(site.gates['in-1'].pulses).toBe(0);
  expect(site.events()).toEqual([]);
});

it('accepts only the kinds of body that a maker sends', async () => {
  const sent = async (format: string, type: string) =>
    (await post(addressOf(format), { body: 'x', headers: { 'content-type': type } })).status;
  expect(await sent('hikvision', 'image/jpeg')).toBe(415);
  expect(await sent('hikvision', 'application/json')).toBe(400);
  expect(await sent('hikvision', 'text/xml; charset=utf-8')).toBe(400);
  expect(await sent('hikvision', 'multipart/form-data; boundary=x')).toBe(400);
  expect(await sent('axis', 'application/soap+xml')).toBe(400);
  expect(await sent('axis', 'image/jpeg')).toBe(415);
  expect(await sent('axis', 'multipart/form-data; boundary=x')).toBe(400);
  expect(await sent('milesight', 'multipart/form-data; boundary=x')).toBe(415);
  expect(await sent('dahua', 'image/jpeg')).toBe(415);
  expect(await sent('dahua', 'application/xml')).toBe(400);
  expect(await sent('dahua', 'text/plain')).toBe(400);
});

it('has a size limit, and of a document without anything in it no read', async () => {
  const body = Buffer.alloc(MAX_SENT_BYTES + 1, 32);
  const { status, text } = await post(addressOf('hikvision'), {
    body: Buffer.from(body),
    headers: { 'content-type': 'text/xml' },
  });
  expect([status, text]).toEqual([413, expect.stringContaining('too large')]);
  expect(
    (
      await post(addressOf('milesight'), {
        body: Buffer.from(body.subarray(0, 13 * 1024 * 1024)),
        headers: {},
      })
    ).status,
  ).toBe(400);
});
