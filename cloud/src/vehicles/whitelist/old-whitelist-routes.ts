import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { millis } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import { createRouter } from '../../platform/http/router.ts';
import { EntryFiltersSchema, entryRoutes } from './entry-routes.ts';
import { NewEntrySchema } from './whitelist-entry.ts';

/** `Deprecation` of RFC 9745: since when, in seconds since 1970. */
const DEPRECATED_SINCE = `@${millis('2026-11-21T00:00:00.000Z') / 1000}`;
const SUCCESSOR = '</visit/whitelist>; rel="successor-version"';

/** The two programs that knew these addresses. */
const collection = z
  .string()
  .regex(/^(app|cpanel)$/, wrong('not-one-of', { values: ['app', 'cpanel'], more: 0 }))
  .openapi({ enum: ['app', 'cpanel'] });

/** The first addresses of the whitelist: the same entries and answers, and a word that there are newer ones. */
export function oldWhitelistRoutes(context: CloudContext) {
  const router = createRouter();
  router.use('/whitelist/*', async (c, next) => {
    c.header('Deprecation', DEPRECATED_SINCE);
    c.header('Link', SUCCESSOR);
    await next();
  });
  router.route(
    '/',
    entryRoutes(context, {
      path: '/whitelist',
      tags: ['Whitelist (deprecated)'],
      deprecated: true,
      Filters: EntryFiltersSchema.extend({ collection: collection.optional() }),
      NewEntry: NewEntrySchema.extend({ collection: collection.nullable().optional() }).meta({
        id: 'OldNewWhitelistEntry',
        example: { plate: 'AB-X12', reason: 'Staff', collection: 'app' },
      }),
    }),
  );
  return router;
}
