import { z } from '@hono/zod-openapi';

/**
 * The query parameters that carry a token. A route that takes one spreads it into its strict query schema, so
 * that the token is not an unknown key. The caller is found in require-access.ts, and only on routes with
 * that kind of token on their line in route-access.ts.
 */

/** The query of a route that a `location-token` may follow. */
export const locationTokenQuery = {
  access_token: z
    .string()
    .optional()
    .describe('The token of a `Location`, instead of a bearer token; valid for this address only.'),
};

/** The query of a route that a `photo-token` may call. */
export const photoTokenQuery = {
  token: z
    .string()
    .optional()
    .describe('The token of one camera, instead of a bearer token; see POST /admin/create-photo-token.'),
};
