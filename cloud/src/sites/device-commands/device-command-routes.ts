import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { DeviceKindSchema, DeviceStateSchema } from '@hlid/protocol/records/device';
import { CheckedKindSchema, FoundCameraSchema } from '@hlid/protocol/site-link/commands';
import { createRoute, z } from '@hono/zod-openapi';
import { actorOf, type CloudContext } from '../../platform/http/cloud-env.ts';
import { conflict, notFound } from '../../platform/http/errors.ts';
import { listOf, wholeList } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, json } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { DEVICE_ACTIONS } from '../devices/device-actions.ts';
import { DEVICE_REFUSALS, refuseDeviceCommand, sendDeviceCommand } from './send-device-command.ts';

const tags = ['Sites'];

export const DeviceIdSchema = z
  .string()
  .min(1)
  .max(64)
  .openapi({ param: { name: 'device', in: 'path' }, example: 'cam-in-1' })
  .describe('Its id at the site: of a camera, of the lane of a gate, of a terminal.');

const CheckedDeviceViewSchema = z
  .strictObject({
    kind: CheckedKindSchema,
    id: z.string(),
    state: DeviceStateSchema,
    since: UtcTimeSchema,
    detail: z.string().describe('The problem, for a technician; empty: none.'),
  })
  .meta({ id: 'CheckedDeviceView' });

const tryAgainRoute = createRoute({
  method: 'post',
  path: '/sites/{id}/devices/{kind}/{device}/try-again',
  tags,
  summary: 'Connect to a device again now, and get its state',
  description:
    'The site connects without the pause between retries, and also where the device has refused the login before. ' +
    'Nothing moves. Cameras that post by themselves cannot be connected to (409).',
  request: { params: IdParamSchema.extend({ kind: DeviceKindSchema, device: DeviceIdSchema }) },
  responses: {
    200: { description: 'The device after that', content: json(CheckedDeviceViewSchema) },
    ...DEVICE_REFUSALS,
  },
});

const discoverRoute = createRoute({
  method: 'get',
  path: '/sites/{id}/discovered-cameras',
  tags,
  summary: 'Find the ONVIF devices in the network of a site',
  description:
    'The site probes its network by WS-Discovery, which takes some seconds. Devices that answer with profile `M` send ' +
    'plates. `configured` names the cameras and gates of the site’s configuration that are at the address.',
  request: { params: IdParamSchema },
  responses: {
    200: { description: 'What answered, by address', content: json(listOf(FoundCameraSchema)) },
    ...DEVICE_REFUSALS,
  },
});

/** The commands of operators for the devices of a site, answered when they are done. */
export function deviceCommandRoutes({
  db,
  clock,
  commands,
}: Pick<CloudContext, 'db' | 'clock' | 'commands'>) {
  return createRouter()
    .openapi(tryAgainRoute, async (c) => {
      const { id: siteId, kind: asked, device: deviceId } = c.req.valid('param');
      const refused = DEVICE_ACTIONS['try-again'].refuse({ kind: asked, id: deviceId });
      if (refused !== null) return conflict(c, refused);
      const kind = CheckedKindSchema.parse(asked);
      const command = { action: 'try-again', kind, deviceId } as const;
      const answer = await sendDeviceCommand(db, commands, actorOf(c, clock), { siteId, command });
      if (answer === null) return notFound(c, 'site');
      const { device } = answer;
      if (answer.outcome !== 'done' || !device) return refuseDeviceCommand(c, answer);
      return c.json({ kind, id: deviceId, ...device }, 200);
    })
    .openapi(discoverRoute, async (c) => {
      const { id: siteId } = c.req.valid('param');
      const command = { action: 'find-cameras' } as const;
      const answer = await sendDeviceCommand(db, commands, actorOf(c, clock), { siteId, command });
      if (answer === null) return notFound(c, 'site');
      if (answer.outcome !== 'done') return refuseDeviceCommand(c, answer);
      return c.json(wholeList(answer.cameras ?? []), 200);
    });
}
