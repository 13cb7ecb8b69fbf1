import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@hlid/cloud/platform/config';
import { Cloud } from '@hlid/cloud/program/cloud';
import { EdgeFileSchema } from '@hlid/edge/config/config';
import { Edge } from '@hlid/edge/daemon/edge';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { CAMERA_FORMATS, type CameraFormat } from '@hlid/protocol/camera/camera-formats';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { newSecret } from '../harness/new-secret.ts';
import { logIn, type Operator } from '../harness/operator.ts';
import { createSite } from '../harness/provision.ts';
import { waitFor } from '../harness/wait.ts';
import { createAxisCamera } from '../sim/axis-camera.ts';
import { post, type SimulatedCamera } from '../sim/camera.ts';
import { createDahuaCamera } from '../sim/dahua-camera.ts';
import { createHikvisionCamera } from '../sim/hikvision-camera.ts';
import { TINY_JPEG } from '../sim/jpeg.ts';
import { createMilesightCamera } from '../sim/milesight-camera.ts';
import { type OnvifDeviceSim, startOnvifDevice } from '../sim/onvif-device.ts';
import { createOpenAlprAgent } from '../sim/open-alpr-agent.ts';
import { withOwnPictures } from '../sim/own-pictures.ts';
import { type PictureLine, startPictureLine } from '../sim/picture-line.ts';
import { newPlate } from '../sim/plates.ts';
import { type Relay, startRelay } from '../sim/relay.ts';
import { seededRandom } from '../sim/seeded-random.ts';
import { createSurvisionCamera } from '../sim/survision-camera.ts';

const FIXTURES = new URL('../fixtures/cameras/', import.meta.url);

interface Maker {
  format: CameraFormat;
  camera: SimulatedCamera;
  /** The picture of its document that shows most, and the one that shows the plate alone, counted from 0. */
  shows: { vehicle: number; plate: number | null };
}

const MAKERS: Record<string, Maker> = {
  'open-alpr': {
    format: 'open-alpr',
    camera: createOpenAlprAgent({ agentUid: 'A'.repeat(40), cameraId: 1 }),
    shows: { vehicle: 0, plate: null },
  },
  survision: {
    format: 'survision',
    camera: createSurvisionCamera({ serial: 'S-1', session: 1 }),
    shows: { vehicle: 0, plate: null },
  },
  hikvision: {
    format: 'hikvision',
    camera: createHikvisionCamera({ macAddress: '44:a6:42:00:00:01' }),
    shows: { vehicle: 1, plate: 0 },
  },
  axis: {
    format: 'axis',
    camera: createAxisCamera({ serial: 'ACCC8E000001' }),
    shows: { vehicle: 1, plate: 0 },
  },
  milesight: {
    format: 'milesight',
    camera: createMilesightCamera({ device: 'Gate' }),
    shows: { vehicle: 1, plate: 0 },
  },
  dahua: {
    format: 'dahua',
    camera: createDahuaCamera({ deviceId: 'd-1' }),
    shows: { vehicle: 1, plate: 0 },
  },
};

const random = seededRandom(17);
const secrets = new Map(Object.keys(MAKERS).map((name) => [name, newSecret()]));
const logged: Record<string, unknown>[] = [];
/** A clock that a test can set ahead of real time. */
const clock = { aheadMs: 0, now: () => new Date(Date.now() + clock.aheadMs) };

let folder: string;
let relay: Relay;
let cloud: Cloud;
let operator: Operator;
let line: PictureLine;
let device: OnvifDeviceSim;
let edge: Edge;
let cameraUrl: string;
let edgeFile: unknown;

// Cloud and edge are in this process; between them a line that can be slow, cut, or answer for the cloud.
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-pictures-'));
  relay = await startRelay({ outputs: 7 });
  device = await startOnvifDevice();
  const login = { id: 'operator@example.is', password: newSecret() };
  const apiKey = newSecret();
  const config = readConfig({
    HLID_DATA_DIR: join(folder, 'cloud'),
    HLID_CLOUD_PORT: '0',
    HLID_MQTT_PORT: '0',
    HLID_OPERATOR_ID: login.id,
    HLID_OPERATOR_PASSWORD: login.password,
    HLID_API_KEY: apiKey,
  });
  cloud = new Cloud(config, { log: pino({ enabled: false }), clock, showOnce: () => undefined });
  const { httpUrl, mqttUrl } = await cloud.start();
  line = await startPictureLine(httpUrl);
  operator = await logIn({ cloudUrl: httpUrl, apiKey, ...login });
  // The cars come one right after the other. A clock set ahead does not part them: the edge notices that, and goes by elapsed time.
  const settings = { passageWindowMs: 100 };
  const plan = { name: 'Pictures', timeZone: 'UTC', currency: 'ISK', settings };
  const access = await createSite(operator, plan);
  const names = Object.keys(MAKERS);
  const lane = (id: string, n: number) => ({
    id,
    name: id,
    direction: 'entry',
    gate: {
      kind: 'http',
      mode: 'pulse',
      open: { method: 'POST', url: `${relay.url}/relay/${n + 1}/pulse`, body: '', headers: {} },
    },
  });
  edgeFile = {
    site: plan,
    cloud: { httpUrl: line.url, mqttUrl, ...access },
    lanes: [...names, 'onvif'].map(lane),
    cameras: [
      ...names.map((id) => ({ id: `cam-${id}`, lane: id, token: secrets.get(id) })),
      { id: 'cam-onvif', lane: 'onvif', onvif: { url: device.url, user: 'hlid', password: 'parking-1' } },
    ],
  };
  await startTheEdge();
});

afterAll(async () => {
  await edge?.stop();
  await line?.stop();
  await cloud?.stop();
  await device?.stop();
  await relay?.stop();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => line.heal());

async function startTheEdge(): Promise<void> {
  const log = pino({ level: 'debug' }, { write: (text) => void logged.push(JSON.parse(text)) });
  const ports = { edgePort: 0, cameraPort: 0, cameraHost: '127.0.0.1' };
  const where = { dataDir: join(folder, 'edge'), ...ports, probe: {} };
  edge = new Edge({ ...EdgeFileSchema.parse(edgeFile), ...where, logLevel: 'debug' }, { log, clock });
  ({ cameraUrl } = await edge.start());
}

/** A car comes in; its camera sends pictures that no other has. @returns its plate, and its pictures in their order */
async function comesIn(name: string): Promise<{ plate: string; sent: Buffer[] }> {
  const maker = MAKERS[name];
  if (!maker) throw new Error(`There is no maker ${name}`);
  const plate = newPlate(random);
  const seen = maker.camera.see({ plate, score: 0.95, at: clock.now(), direction: 'approaching' });
  const sent: Buffer[] = [];
  for (const document of seen) {
    const own = withOwnPictures(document);
    const url = `${cameraUrl}/cameras/cam-${name}/${maker.format}?token=${secrets.get(name)}`;
    expect((await post(url, own.post)).status).toBe(200);
    if (sent.length === 0) sent.push(...own.pictures);
  }
  return { plate, sent };
}

const PhotoSchema = z.looseObject({ url: z.string().nullable(), plateUrl: z.string().nullable() });
const PhotosSchema = z.looseObject({ data: z.array(PhotoSchema) });
const EntranceSchema = z.looseObject({
  entrancePhoto: z.looseObject({ id: z.string(), url: z.string().nullable() }).nullable(),
});

/** The picture at the entrance of a plate's visit in the cloud; undefined as long as there is none. */
async function entrancePicture(plate: string): Promise<{ id: string; url: string } | undefined> {
  const [visit] = await operator.visits({ plate });
  const photo = visit && (await operator.call(EntranceSchema, 'GET', `/visit/${visit.id}`)).entrancePhoto;
  return photo?.url ? { id: photo.id, url: photo.url } : undefined;
}

function pictureOf(plate: string) {
  return waitFor(() => entrancePicture(plate), {
    what: `the picture of ${plate} in the cloud`,
    withinMs: 20_000,
    detail: () =>
      logged
        .filter(({ event }) => String(event).startsWith('picture.'))
        .slice(-8)
        .map((one) => JSON.stringify(one))
        .join('\n'),
  });
}

describe('pictures of every maker', () => {
  it.each(Object.entries(MAKERS))(
    'of %s are shown with the visit, byte for byte',
    async (name, { shows }) => {
      const { plate, sent } = await comesIn(name);
      const { id, url } = await pictureOf(plate);
      expect(await operator.bytes(url)).toEqual(sent[shows.vehicle]);
      if (shows.plate === null) return;
      const { plateUrl } = await waitFor(
        async () => {
          const photo = await operator.call(PhotoSchema, 'GET', `/photo/${id}`);
          return photo.plateUrl === null ? undefined : { plateUrl: photo.plateUrl };
        },
        { what: 'the picture of the plate' },
      );
      expect(await operator.bytes(plateUrl)).toEqual(sent[shows.plate]);
    },
  );

  it('a camera that sends plates only is asked for a picture, after its gate is opened', async () => {
    const plate = newPlate(random);
    const opened = waitFor(() => relay.openings(7) > 0, { what: 'the gate to open' });
    await waitFor(() => device.pullPoints() === 1, { what: 'the camera to be listened to' });
    device.tellPlate({ plate, objectId: 1 });
    await opened;
    expect(await operator.bytes((await pictureOf(plate)).url)).toEqual(Buffer.from(TINY_JPEG, 'base64'));
    device.tellPlate({ plate, objectId: 1, likelihood: 0.97 });
    expect(device.requests.filter(({ operation }) => operation === 'snapshot')).toHaveLength(1);
  });

  const genuine = (['axis', 'milesight'] as const).flatMap((folderName) =>
    readdirSync(new URL(folderName, FIXTURES), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => [`${folderName}/${name}`, folderName] as const),
  );
  it.each(genuine)('what %s shows is kept as it is', async (file, format) => {
    const body = readFileSync(new URL(file, FIXTURES));
    const parsed = CAMERA_FORMATS[format].parse(body, { headers: { 'content-type': 'application/json' } });
    const [picture] = parsed.ok ? parsed.document.pictures : [];
    const [read] = parsed.ok ? parsed.document.reads : [];
    const headers = { 'content-type': 'application/json' };
    const url = `${cameraUrl}/cameras/cam-${format}/${format}?token=${secrets.get(format)}`;
    expect((await post(url, { body: new Uint8Array(body), headers })).status).toBe(parsed.ok ? 200 : 400);
    if (!picture || !read) return;
    const photo = await waitFor(
      async () => {
        const { data } = await operator.call(
          PhotosSchema,
          'GET',
          `/photos?plate=${encodeURIComponent(read.plate ?? '')}`,
        );
        return data.find((one) => one.url !== null);
      },
      { what: 'its picture in the cloud' },
    );
    expect(await operator.bytes(photo.url ?? '')).toEqual(Buffer.from(picture.base64, 'base64'));
  });
});

it('visits go on while the cloud accepts no pictures; it receives them all afterwards, except those that it refuses', async () => {
  line.answer(413);
  const refused = await comesIn('hikvision');
  await waitFor(() => logged.filter(({ event }) => event === 'picture.refused').length === 2, {
    what: 'both pictures to be refused',
  });
  line.answer(500);
  const asked = line.asked();
  const cars = [await comesIn('milesight'), await comesIn('dahua'), await comesIn('axis')];
  await waitFor(
    async () =>
      (await Promise.all(cars.map(({ plate }) => operator.visits({ plate })))).every(
        ({ length }) => length === 1,
      ),
    {
      what: 'the visits, without pictures',
    },
  );
  await waitFor(() => line.asked() > asked, { what: 'a picture to be tried' });
  for (const { plate } of cars) expect(await entrancePicture(plate)).toBeUndefined();
  line.heal();
  clock.aheadMs += HOUR_MS;
  // The next message triggers what is due.
  cars.push(await comesIn('survision'));
  for (const { plate, sent } of cars)
    expect(sent).toContainEqual(await operator.bytes((await pictureOf(plate)).url));
  expect(await entrancePicture(refused.plate)).toBeUndefined();
});

it('a slow line, one that breaks off in the middle, and a restart of the edge: each arrives once, whole', async () => {
  line.hold();
  const before = [await comesIn('hikvision'), await comesIn('axis')];
  await waitFor(() => line.held() > 0, { what: 'a picture on its way' });
  line.cutOff();
  await edge.stop();
  line.heal();
  await startTheEdge();
  const cars = [...before, await comesIn('milesight')];
  for (const { plate, sent } of cars) {
    const { id, url } = await pictureOf(plate);
    expect(sent).toContainEqual(await operator.bytes(url));
    const both = ['plate', 'vehicle'].map((kind) => `/edge/pictures/${id}/${kind}`);
    const stored = () => line.stored().filter((path) => both.includes(path));
    await waitFor(() => new Set(stored()).size === both.length, { what: `both pictures of ${plate}` });
    expect(stored().toSorted()).toEqual(both);
  }
});
