import type { OpenAPIHono } from '@hono/zod-openapi';
import { ROUTE_ACCESS, type Who } from '../auth/route-access.ts';
import type { CloudEnv } from '../http/cloud-env.ts';
import { REFUSALS } from '../http/errors.ts';

type Document = ReturnType<OpenAPIHono<CloudEnv>['getOpenAPI31Document']>;
type Operation = NonNullable<NonNullable<Document['paths']>[string]['get']>;

const METHODS = ['get', 'post', 'put', 'delete'] as const;

/**
 * The OpenAPI 3.1 document of every route that has a description. Who may call one is taken from the access table,
 * so that the document cannot say otherwise.
 */
export function openApiDocument(app: OpenAPIHono<CloudEnv>): Document {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Hlið',
      version: '0.1.0',
      description: ABOUT,
    },
    servers: [{ url: '/' }],
  });
  document.components = {
    ...document.components,
    securitySchemes: {
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'The access token of a login, or of a role such as kiosk.',
      },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'For calls before login.' },
      site: {
        type: 'http',
        scheme: 'bearer',
        description: 'The credentials of a site: `<site id>.<secret>`.',
      },
    },
  };
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation)
        describeAccess(operation, `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
    }
  }
  return document;
}

function describeAccess(operation: Operation, route: string): void {
  const allowed = ROUTE_ACCESS[route] ?? [];
  operation.security = securityOf(allowed);
  const callers = allowed.includes('anyone') ? 'anyone' : allowed.join(', ');
  operation.description = [operation.description, `May be called by: ${callers}.`]
    .filter(Boolean)
    .join('\n\n');
  operation.responses = { ...operation.responses, ...failure() };
}

function securityOf(allowed: readonly Who[]): Record<string, string[]>[] {
  if (allowed.includes('anyone')) return [];
  const schemes = new Set(
    allowed.map((who) => (who === 'api-key' ? 'apiKey' : who === 'site' ? 'site' : 'bearer')),
  );
  return [...schemes].map((scheme) => ({ [scheme]: [] }));
}

function failure() {
  const { description } = REFUSALS.failure[500];
  return {
    500: {
      description,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
    },
  };
}

const ABOUT = `Parking with plate recognition: visits, whitelist, products, cameras, zones and sites.

Times are UTC (\`2026-11-21T08:30:00.000Z\`). Amounts are integers in the currency's minor unit, by ISO 4217: 500 ISK
is 500 kr., 500 EUR would be 5 euros. Lists come newest first in one envelope; \`next\` and \`previous\` go back in as
the query parameter \`next\`. Create and update answer 303 with \`Location\`, and with the resource as body. Every
refusal has \`messages\`, which name all that is wrong.`;

/** The document as it is checked in. */
export function openApiText(app: OpenAPIHono<CloudEnv>): string {
  return `${JSON.stringify(openApiDocument(app), null, 2)}\n`;
}
