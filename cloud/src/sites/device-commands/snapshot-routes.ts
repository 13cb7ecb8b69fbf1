import { nowUtc } from '@hlid/node/clock';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { EDGE_CAMERA_PICTURES_PATH } from '@hlid/protocol/site-link/edge-api';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { conflict, errorBody, notFound, REFUSALS, refusal } from '../../platform/http/errors.ts';
import { IdParamSchema, json, READ_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { pictureFrom } from '../../stays/photos/document-picture.ts';
import { PICTURE_CONTENT, PICTURE_HEADERS } from '../../stays/photos/picture-routes.ts';
import { NO_PICTURE, UPLOADED } from '../../stays/photos/site-picture-routes.ts';
import { DEVICE_ACTIONS } from '../devices/device-actions.ts';
import { DeviceIdSchema } from './device-command-routes.ts';
import {
  DEVICE_REFUSALS,
  type NewDeviceCommand,
  refuseDeviceCommand,
  sendDeviceCommand,
} from './send-device-command.ts';
import { findSnapshot, snapshotEnd, storeSnapshot } from './snapshots.ts';

const SnapshotSchema = z
  .strictObject({
    id: z.uuid(),
    url: z.string().describe('The address of the picture, as long as it is there.'),
    cameraId: z.string().nullable().describe('The camera, by its id at the site.'),
    takenOn: UtcTimeSchema,
    expiresOn: UtcTimeSchema.describe('When it is erased.'),
  })
  .meta({ id: 'Snapshot' });

const taken = {
  200: { description: 'The picture is there', content: json(SnapshotSchema) },
  ...DEVICE_REFUSALS,
};
const description =
  'The picture can be seen for ten minutes, by operators who may take one, and belongs to no visit. The audit log has ' +
  'who took it.';

const laneRoute = createRoute({
  method: 'post',
  path: '/sites/{id}/lanes/{lane}/snapshot',
  tags: ['Lanes'],
  summary: 'Take a picture of a lane now, with the first of its cameras that can',
  description,
  request: {
    params: IdParamSchema.extend({
      lane: z
        .string()
        .min(1)
        .max(64)
        .openapi({ param: { name: 'lane', in: 'path' }, example: 'in-1' }),
    }),
  },
  responses: taken,
});

const cameraRoute = createRoute({
  method: 'post',
  path: '/sites/{id}/devices/camera/{device}/snapshot',
  tags: ['Sites'],
  summary: 'Take a picture with a camera now',
  description,
  request: { params: IdParamSchema.extend({ device: DeviceIdSchema }) },
  responses: taken,
});

const screenRoute = createRoute({
  method: 'post',
  path: '/sites/{id}/devices/kiosk/{device}/snapshot',
  tags: ['Sites'],
  summary: 'Take a picture of the screen of a kiosk now',
  description: `${description} It shows what the driver at the kiosk sees. A kiosk in a browser takes none: the refusal has its text.`,
  request: {
    params: IdParamSchema.extend({
      device: z.literal('site').openapi({ param: { name: 'device', in: 'path' } }),
    }),
  },
  responses: taken,
});

const getRoute = createRoute({
  method: 'get',
  path: '/sites/{id}/snapshots/{snapshotId}',
  tags: ['Sites'],
  summary: 'Get a picture that was taken a moment ago',
  request: {
    params: IdParamSchema.extend({
      snapshotId: z.uuid().openapi({ param: { name: 'snapshotId', in: 'path' } }),
    }),
  },
  responses: {
    200: { description: 'The picture', content: PICTURE_CONTENT },
    ...REFUSALS.input,
    ...READ_REFUSALS,
  },
});

const putRoute = createRoute({
  method: 'put',
  path: `${EDGE_CAMERA_PICTURES_PATH}/{commandId}`,
  tags: ['Edge'],
  summary: 'Upload the picture that a command asks for',
  request: {
    params: z.object({ commandId: z.uuid() }),
    body: { required: true, content: { 'image/jpeg': UPLOADED, 'image/png': UPLOADED } },
  },
  responses: {
    204: { description: 'Stored' },
    410: refusal('Refused: nobody waits for it'),
    413: refusal('Too large'),
    415: refusal('Neither JPEG nor PNG'),
    ...REFUSALS.input,
    ...REFUSALS.auth,
  },
});

/** Pictures that cameras take now: the command, the upload of the site, and the picture. */
export function snapshotRoutes(context: Pick<CloudContext, 'db' | 'clock' | 'commands' | 'pictures'>) {
  const { db, clock, commands, pictures } = context;
  const take = async (
    c: Context<CloudEnv>,
    siteId: string,
    of: Extract<NewDeviceCommand, { action: 'take-picture' }>['of'],
  ) => {
    const actor = actorOf(c, clock);
    const answer = await sendDeviceCommand(db, commands, actor, {
      siteId,
      command: { action: 'take-picture', of },
    });
    if (answer === null) return notFound(c, 'site');
    if (answer.outcome !== 'done') return refuseDeviceCommand(c, answer);
    const { id, cameraId = null } = answer;
    const now = nowUtc(clock);
    if ((await db.read((q) => findSnapshot(q, { id, siteId, now }))) === null) {
      return refuseDeviceCommand(c, { outcome: 'refused', reason: 'picture-unsent' });
    }
    const url = `/sites/${encodeURIComponent(siteId)}/snapshots/${id}`;
    return c.json({ id, url, cameraId, takenOn: actor.at, expiresOn: snapshotEnd(actor.at) }, 200);
  };

  return createRouter()
    .openapi(laneRoute, async (c) => {
      const { id, lane } = c.req.valid('param');
      return await take(c, id, { laneId: lane });
    })
    .openapi(cameraRoute, async (c) => {
      const { id, device } = c.req.valid('param');
      const refused = DEVICE_ACTIONS.picture.refuse({ kind: 'camera', id: device });
      if (refused !== null) return conflict(c, refused);
      return await take(c, id, { cameraId: device });
    })
    .openapi(screenRoute, async (c) => await take(c, c.req.valid('param').id, { screen: 'kiosk' }))
    .openapi(getRoute, async (c) => {
      const { id: siteId, snapshotId: id } = c.req.valid('param');
      const found = await db.read((q) => findSnapshot(q, { id, siteId, now: nowUtc(clock) }));
      const stored = found && (await pictures.get(found.key));
      if (!stored) return notFound(c, 'picture');
      return c.body(stored.body, 200, {
        ...PICTURE_HEADERS,
        'Accept-Ranges': 'none',
        'Cache-Control': 'private, no-store',
        'Content-Type': stored.contentType,
        'Content-Length': String(stored.bytes),
      });
    })
    .openapi(putRoute, async (c) => {
      const { siteId } = callerOf(c, 'site');
      const { commandId: id } = c.req.valid('param');
      const picture = pictureFrom(new Uint8Array(await c.req.arrayBuffer()));
      if (picture === null) return c.json(NO_PICTURE, 415);
      const outcome = await storeSnapshot(context, { id, siteId }, picture);
      return outcome === 'stored' ? c.body(null, 204) : c.json(NOT_REQUESTED, 410);
    });
}

const NOT_REQUESTED = errorBody('Gone', mistake('picture-not-wanted'));
