import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { APPROVAL_RESPONSE, approvalRequested } from '../../../people/approvals/approval-requested.ts';
import { ownRows, seesSite } from '../../../platform/http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../../platform/http/cloud-env.ts';
import { inputError, notFound, REFUSALS, refuse, refuseEdit } from '../../../platform/http/errors.ts';
import { etagOf } from '../../../platform/http/etag.ts';
import { listOf, wholeList } from '../../../platform/http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  READ_REFUSALS,
  responses,
} from '../../../platform/http/route-schemas.ts';
import { createRouter } from '../../../platform/http/router.ts';
import { findSite } from '../../../records/sites/find-sites.ts';
import type { SiteWithLink } from '../../../records/sites/site-store.ts';
import { type Device, DeviceSchema } from '../../devices/device.ts';
import { actionsOfDevice, DeviceActionsSchema } from '../../devices/device-actions.ts';
import { devicesOfSite } from '../../devices/site-devices.ts';
import { actionsOfSite, SiteActionsSchema } from '../site-actions.ts';
import { siteAwaySince, sitesWithDevices, siteWithDevices } from '../site-list.ts';
import {
  LimitsEditSchema,
  NewSecretSchema,
  NewSiteSchema,
  SiteBodySchema,
  SiteEditSchema,
  SiteViewSchema,
  siteCore,
} from '../site-view.ts';
import { changeLimits } from './approval-limits.ts';
import { listBrokerLogins } from './broker-logins.ts';
import {
  archiveSite,
  changeSite,
  createSite,
  deleteSite,
  isUsed,
  providerMistakes,
  renewCredentials,
  revokeCredentials,
} from './change-sites.ts';

/** A site on its own, with what its reader can do with it. */
const ShownSiteSchema = z
  .strictObject({ ...SiteViewSchema.shape, actions: SiteActionsSchema })
  .meta({ id: 'SiteWithActions' });

/** A device with what its reader can do with it. */
const ShownDeviceSchema = z
  .strictObject({ ...DeviceSchema.shape, actions: DeviceActionsSchema })
  .meta({ id: 'DeviceWithActions' });

const tags = ['Sites'];

const listRoute = createRoute({
  method: 'get',
  path: '/sites',
  tags,
  summary: 'List sites with their connection status',
  request: {
    query: z.strictObject({
      archived: z
        .enum(['true', 'false', 'all'])
        .optional()
        .describe('Archived sites are left out unless this is `true` (only they) or `all`.'),
    }),
  },
  responses: {
    200: { description: 'The sites, sorted by name', content: json(listOf(SiteViewSchema)) },
    ...REFUSALS.auth,
  },
});

const newRoute = createRoute({
  method: 'post',
  path: '/sites',
  tags,
  summary: 'Create a site',
  request: { body: jsonBody(SiteBodySchema) },
  responses: {
    201: { description: 'Created; the secret is shown only now', content: json(NewSiteSchema) },
    ...REFUSALS.input,
    ...REFUSALS.auth,
  },
});

const getRoute = createRoute({
  method: 'get',
  path: '/sites/{id}',
  tags,
  summary: 'Get a site with its connection status',
  request: { params: IdParamSchema },
  responses: responses.read(ShownSiteSchema, 'The site'),
});

const devicesRoute = createRoute({
  method: 'get',
  path: '/sites/{id}/devices',
  tags,
  summary: 'List the devices of a site with their status and history',
  request: { params: IdParamSchema },
  responses: responses.read(listOf(ShownDeviceSchema), 'The devices, sorted by kind and name'),
});

const changeRoute = createRoute({
  method: 'put',
  path: '/sites/{id}',
  tags,
  summary: 'Update a site; pushed to it immediately',
  request: { params: IdParamSchema, body: jsonBody(SiteEditSchema) },
  responses: responses.edit(ShownSiteSchema, 'Changed'),
});

const limitsRoute = createRoute({
  method: 'put',
  path: '/sites/{id}/approval-limits',
  tags,
  summary: 'Set above which amounts a site needs a second person',
  description:
    'Limits that are given are set, null takes one away, and a limit that is left out stays. A higher limit, or none in place ' +
    'of one, needs a second person itself.',
  request: { params: IdParamSchema, body: jsonBody(LimitsEditSchema) },
  responses: { ...responses.edit(ShownSiteSchema, 'Changed'), ...APPROVAL_RESPONSE },
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/sites/{id}',
  tags,
  summary: 'Delete a site that was never in use',
  description: 'Refused once it was connected, or while anything belongs to it: archive it then.',
  request: { params: IdParamSchema },
  responses: { ...responses.delete('Deleted'), ...REFUSALS.input },
});

const archiveRoute = createRoute({
  method: 'post',
  path: '/sites/{id}/archive',
  tags,
  summary: 'Archive a site',
  description:
    'Its secret is revoked, and lists and alarms leave it out. Its visits, payments and invoices stay as they are.',
  request: { params: IdParamSchema },
  responses: responses.edit(ShownSiteSchema, 'Archived'),
});

const restoreRoute = createRoute({
  method: 'delete',
  path: '/sites/{id}/archive',
  tags,
  summary: 'Bring an archived site back; it needs a new secret to connect',
  request: { params: IdParamSchema },
  responses: responses.delete('It is in use again'),
});

const renewRoute = createRoute({
  method: 'post',
  path: '/sites/{id}/credentials',
  tags,
  summary: 'Renew a site’s secret; the old one stops working immediately',
  request: { params: IdParamSchema },
  responses: {
    201: { description: 'The new secret, shown only now', content: json(NewSecretSchema) },
    ...READ_REFUSALS,
  },
});

const revokeRoute = createRoute({
  method: 'delete',
  path: '/sites/{id}/credentials',
  tags,
  summary: 'Revoke a site’s secret and disconnect it',
  request: { params: IdParamSchema },
  responses: responses.delete('The secret is invalid, and the site disconnected'),
});

const brokerRoute = createRoute({
  method: 'get',
  path: '/broker/logins',
  tags,
  summary: 'Get the broker logins of sites as a Mosquitto password file',
  description:
    'For a token of the role `broker`. A line for each site: its id, and a salted hash of its ' +
    'secret. deploy/broker shows how a broker uses it.',
  responses: {
    200: {
      description: 'The password file',
      content: { 'text/plain': { schema: z.string().meta({ example: 'f3b1…:$7$101$…$…\n' }) } },
    },
    ...REFUSALS.auth,
  },
});

export function siteRoutes({
  db,
  clock,
  cardGateways,
  accessPoints,
}: Pick<CloudContext, 'db' | 'clock' | 'cardGateways' | 'accessPoints'>) {
  const providers = () => ({ gateways: cardGateways.ids(), accessPoints: accessPoints.ids() });
  const shown = async (c: Context<CloudEnv>, found: SiteWithLink) =>
    await db.read(async (q) => {
      const facts = { ...found.site, isUsed: await isUsed(q, found) };
      const actions = actionsOfSite(callerOf(c, 'account'), found.site, facts);
      return { ...(await siteWithDevices(q, found)), actions };
    });
  return createRouter()
    .openapi(listRoute, async (c) => {
      const own = ownRows(callerOf(c, 'account'));
      const { archived = 'false' } = c.req.valid('query');
      const kind = archived === 'all' ? undefined : archived === 'true';
      const sites = await db.read((q) => sitesWithDevices(q, kind));
      return c.json(wholeList(sites.filter(({ id }) => seesSite(own, id))), 200);
    })
    .openapi(newRoute, async (c) => {
      const fields = c.req.valid('json');
      const unknown = providerMistakes(fields.settings, providers());
      if (unknown.length > 0) return inputError(c, ...unknown);
      const { site, secret } = await createSite(db, actorOf(c, clock), fields);
      return c.json({ ...siteCore(site), secret }, 201, { Location: `/sites/${site.id}` });
    })
    .openapi(brokerRoute, async (c) => {
      return c.text(await db.read(listBrokerLogins), 200, { 'cache-control': 'no-store' });
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const found = await db.read((q) => findSite(q, id));
      if (found === null) return notFound(c, 'site');
      return c.json(await shown(c, found), 200, { ETag: etagOf(found.site) });
    })
    .openapi(devicesRoute, async (c) => {
      const { id } = c.req.valid('param');
      const devices = await db.read(async (q) => {
        const away = await siteAwaySince(q, id);
        return away === undefined ? null : await devicesOfSite(q, id, away);
      });
      if (devices === null) return notFound(c, 'site');
      const caller = callerOf(c, 'account', 'role');
      const shownTo = (device: Device) => ({ ...device, actions: actionsOfDevice(caller, id, device) });
      return c.json(wholeList(devices.map(shownTo)), 200);
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const done = await changeSite(db, actorOf(c, clock), id, c.req.valid('json'), providers());
      if (!done.ok) return refuseEdit(c, 'site', done);
      const headers = { Location: `/sites/${id}`, ETag: etagOf(done.changed.site) };
      return c.json(await shown(c, done.changed), 303, headers);
    })
    .openapi(limitsRoute, async (c) => {
      const { id } = c.req.valid('param');
      const done = await changeLimits(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!done.ok)
        return done.reason === 'approval' ? approvalRequested(c, done) : refuseEdit(c, 'site', done);
      const changed = await db.read((q) => findSite(q, id));
      if (changed === null) return notFound(c, 'site');
      return c.json(await shown(c, changed), 303, { Location: `/sites/${id}`, ETag: etagOf(changed.site) });
    })
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const done = await deleteSite(db, actorOf(c, clock), id);
      return done.ok ? c.body(null, 204) : refuse(c, 'site', done);
    })
    .openapi(archiveRoute, async (c) => {
      const { id } = c.req.valid('param');
      const archived = await archiveSite(db, actorOf(c, clock), id, true);
      if (archived === null) return notFound(c, 'site');
      return c.json(await shown(c, archived), 303, { Location: `/sites/${id}`, ETag: etagOf(archived.site) });
    })
    .openapi(restoreRoute, async (c) => {
      const { id } = c.req.valid('param');
      const restored = await archiveSite(db, actorOf(c, clock), id, false);
      return restored === null ? notFound(c, 'site') : c.body(null, 204);
    })
    .openapi(renewRoute, async (c) => {
      const { id } = c.req.valid('param');
      const secret = await renewCredentials(db, actorOf(c, clock), id);
      return secret === null ? notFound(c, 'site') : c.json({ secret }, 201);
    })
    .openapi(revokeRoute, async (c) => {
      const { id } = c.req.valid('param');
      return (await revokeCredentials(db, actorOf(c, clock), id)) ? c.body(null, 204) : notFound(c, 'site');
    });
}
