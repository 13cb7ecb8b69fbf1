import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { expectSnapshot } from '../../src/sites/device-commands/snapshots.ts';
import type { TestApi } from '../api.ts';
import { JPEG, uploadFor } from '../devices.ts';
import { frame, group, survision, TINY_JPEG } from '../sample-documents.ts';
import { readEvent } from '../sample-events.ts';
import { storeSiteRead } from '../store-site-read.ts';
import type { MakeRow } from './people.ts';
import { nextPlate } from './plates.ts';

export async function camera(api: TestApi): Promise<string> {
  const place = { siteId: api.site.id, location: 'entrance' };
  return (await api.made('/cameras', { name: 'In', ...place, remoteId: randomUUID() })).id;
}

/** Makes a picture that was read at an entrance: a visit has begun. */
export const photo: MakeRow = async (api) => {
  const body = frame(nextPlate(), api.now());
  const posted = await api.call('POST', `/photos/open-alpr?camera.id=${await camera(api)}`, { body });
  return { path: { id: z.looseObject({ id: z.string() }).parse(posted.body).id } };
};

/** A picture of a read that a site reported. */
export const sitePicture: MakeRow = async (api, n) => {
  const { read } = readEvent({ plate: nextPlate(), receivedAt: api.now() });
  await storeSiteRead(api, read);
  return {
    path: { readId: read.id, kind: n % 2 === 0 ? 'vehicle' : 'plate' },
    body: Buffer.from(TINY_JPEG, 'base64'),
  };
};

/** A picture that an operator had taken, as far as the command. */
async function snapshot(api: TestApi): Promise<string> {
  const id = randomUUID();
  await api.db.write((tx) => expectSnapshot(tx, { id, siteId: api.site.id, at: api.now() }));
  return id;
}

/** The rows of calls about the devices of a site. */
export const DEVICE_ROWS: Readonly<Record<string, MakeRow>> = {
  'POST /sites/{id}/lanes/{lane}/snapshot': async (api) => ({ path: { id: api.site.id, lane: 'in-1' } }),
  'GET /sites/{id}/discovered-cameras': async (api) => ({ path: { id: api.site.id } }),
  'POST /sites/{id}/devices/camera/{device}/snapshot': async (api) => ({
    path: { id: api.site.id, device: 'cam-in-1' },
  }),
  'POST /sites/{id}/devices/kiosk/{device}/snapshot': async (api) => ({
    path: { id: api.site.id, device: 'site' },
  }),
  'POST /sites/{id}/devices/{kind}/{device}/try-again': async (api) => ({
    path: { id: api.site.id, kind: 'camera', device: 'cam-in-1' },
  }),
  'GET /sites/{id}/snapshots/{snapshotId}': async (api) => {
    const snapshotId = await snapshot(api);
    await uploadFor(api, snapshotId);
    return { path: { id: api.site.id, snapshotId } };
  },
  'PUT /edge/camera-pictures/{commandId}': async (api) => ({
    path: { commandId: await snapshot(api) },
    body: JPEG,
  }),
};

const FIXTURES = new URL('../../../tests/fixtures/cameras/', import.meta.url);

/** Documents of real cameras. */
const genuine = (['open-alpr', 'survision'] as const).flatMap((type) =>
  readdirSync(new URL(type, FIXTURES), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => ({ type, text: readFileSync(new URL(`${type}/${name}`, FIXTURES), 'utf8') })),
);

/** The document of a camera's post: at a time of the test, or as a real camera once sent it. */
export const cameraDocument: MakeRow = async (api, n) => {
  const query = { 'camera.id': await camera(api) };
  const [plate, at] = [nextPlate(), api.now()];
  const own = [
    { type: 'open-alpr', body: frame(plate, at) },
    { type: 'open-alpr', body: group(plate, at) },
    { type: 'open-alpr-test', body: group(plate, at) },
    { type: 'survision', body: survision(plate, at) },
  ];
  const old = genuine[(n >> 1) % genuine.length];
  if (n % 2 === 1 && old) return { path: { type: old.type }, query, body: old.text };
  const { type, body } = own[(n >> 1) % own.length] ?? { type: 'survision', body: survision(plate, at) };
  return { path: { type }, query, body };
};
