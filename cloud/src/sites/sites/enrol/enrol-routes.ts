import { nowUtc } from '@hlid/node/clock';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { EDGE_ENROL_PATH, EnrolBodySchema, EnrolmentSchema } from '@hlid/protocol/site-link/enrolment';
import { createRoute, z } from '@hono/zod-openapi';
import { EVENTS } from '../../../platform/events.ts';
import { addressOf } from '../../../platform/http/address-of.ts';
import { actorOf, type CloudContext } from '../../../platform/http/cloud-env.ts';
import { errorBody, notFound, REFUSALS, refusal, tooManyRequests } from '../../../platform/http/errors.ts';
import { IdParamSchema, json, jsonBody, READ_REFUSALS } from '../../../platform/http/route-schemas.ts';
import { createRouter } from '../../../platform/http/router.ts';
import { enrolSite, makeEnrolment } from './enrol.ts';

const NewEnrolmentSchema = z
  .strictObject({
    code: z.string().meta({ description: 'Shown only now.', example: 'K7QF-3M2X' }),
    expiresOn: UtcTimeSchema,
  })
  .meta({ id: 'NewEnrolment' });

const makeRoute = createRoute({
  method: 'post',
  path: '/sites/{id}/enrolment',
  tags: ['Sites'],
  summary: 'Create a one-time code for the enrolment of an edge daemon',
  description: 'For `npm run edge -- enrol CODE`. A previous code of the site becomes invalid.',
  request: { params: IdParamSchema },
  responses: {
    201: { description: 'The code, shown only now', content: json(NewEnrolmentSchema) },
    ...READ_REFUSALS,
  },
});

const enrolRoute = createRoute({
  method: 'post',
  path: EDGE_ENROL_PATH,
  tags: ['Edge'],
  summary: 'Enrol an edge daemon with a one-time code',
  description: [
    'The previous secret of the site becomes invalid. A caller that sends its own `secret` may repeat the same call while',
    'the code is valid, because the answer may be lost. Otherwise the code is valid for one answer.',
  ].join('\n'),
  request: { body: jsonBody(EnrolBodySchema) },
  responses: {
    200: { description: 'The credentials', content: json(EnrolmentSchema) },
    410: refusal('The code was used, or has expired'),
    ...REFUSALS.input,
    ...REFUSALS.notFound,
    ...REFUSALS.tooMany,
  },
});

export function enrolRoutes(context: CloudContext) {
  const { db, clock, log } = context;
  return createRouter()
    .openapi(makeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const made = await makeEnrolment(db, actorOf(c, clock), id, context.enrolmentMinutes);
      if (made === null) return notFound(c, 'site');
      return c.json({ code: made.code, expiresOn: made.expiresAt }, 201);
    })
    .openapi(enrolRoute, async (c) => {
      const { code, secret: own } = c.req.valid('json');
      const address = addressOf(c);
      const requestId = c.get('requestId');
      const actor = { caller: { kind: 'cloud', part: 'enrolment' } as const, at: nowUtc(clock), requestId };
      const outcome = await enrolSite(db, actor, { code, secret: own, address });
      if (!outcome.ok) {
        const { reason } = outcome;
        log.warn({ event: EVENTS.enrolRefused, requestId, reason, address });
        if (reason === 'too-many') return tooManyRequests(c, outcome.retryAfterSeconds);
        return reason === 'no-code'
          ? notFound(c, 'code')
          : c.json(errorBody('Gone', mistake(reason === 'used' ? 'code-used' : 'code-expired')), 410);
      }
      const { site, secret, cameras } = outcome;
      const { name, timeZone, currency } = site;
      const mqttCa = context.siteMqttCa();
      log.info({ event: EVENTS.siteEnrolled, requestId, siteId: site.id, address });
      return c.json(
        {
          siteId: site.id,
          secret,
          mqttUrl: context.siteMqttUrl(new URL(c.req.url).hostname),
          ...(mqttCa !== null && { mqttCa }),
          site: { name, timeZone, currency },
          cameras: cameras.map(({ remoteId: id, name, location }) => ({ id, name, location })),
        },
        200,
      );
    });
}
