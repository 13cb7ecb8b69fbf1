import type { AccountRole, Caller, TokenRole } from './caller.ts';

/** One kind of caller, as the table below names it. */
export type Who = 'anyone' | 'api-key' | 'site' | AccountRole | `${TokenRole}-token`;

const ANYONE: readonly Who[] = ['anyone'];
const OPERATOR: readonly Who[] = ['operator'];
const ACCOUNTS: readonly Who[] = ['operator', 'customer', 'partner', 'whitelist'];
const TOKENS: readonly Who[] = [...ACCOUNTS, 'webhook-token', 'kiosk-token', 'whitelist-token'];
const PERMIT_AUTHORS: readonly Who[] = [...ACCOUNTS, 'whitelist-token'];
const PRICE_READERS: readonly Who[] = [...ACCOUNTS, 'kiosk-token', 'api-key'];

/**
 * Who may call each route: the only place that says so, and it is asked before anything else of the route runs. A
 * route that is not here, and a line without its route, keep the app from starting. Which rows a caller sees is the
 * feature's own work (`ownRows` of caller.ts).
 */
export const ROUTE_ACCESS: Readonly<Record<string, readonly Who[]>> = {
  'GET /ping': ANYONE,
  'GET /ping/api-key': ['api-key'],
  'GET /ping/token': TOKENS,
  'GET /openapi.json': ANYONE,
  'GET /docs': ANYONE,
  'GET /docs/:file': ANYONE,

  'POST /auth/login': ['api-key'],

  'POST /sites': OPERATOR,
  'GET /sites': OPERATOR,
  'GET /sites/:id': OPERATOR,
  'PUT /sites/:id': OPERATOR,
  'POST /sites/:id/credentials': OPERATOR,
  'DELETE /sites/:id/credentials': OPERATOR,
  'GET /edge/changes': ['site'],
  'GET /edge/snapshot': ['site'],

  'GET /cameras': OPERATOR,
  'POST /cameras': OPERATOR,
  'GET /cameras/:id': OPERATOR,
  'PUT /cameras/:id': OPERATOR,
  'GET /zones': [...ACCOUNTS, 'kiosk-token'],
  'POST /zones': OPERATOR,
  'GET /zones/:id': [...ACCOUNTS, 'kiosk-token'],
  'PUT /zones/:id': OPERATOR,

  'GET /visit/whitelist': PERMIT_AUTHORS,
  'POST /visit/whitelist': PERMIT_AUTHORS,
  'GET /visit/whitelist/:id': PERMIT_AUTHORS,
  'PUT /visit/whitelist/:id': PERMIT_AUTHORS,
  'DELETE /visit/whitelist/:id': PERMIT_AUTHORS,

  'GET /visits': ACCOUNTS,
  'GET /visits/counts': ACCOUNTS,
  'GET /visit/:id': ACCOUNTS,
  'PUT /visit/:id': OPERATOR,
  'POST /visit/:id/whitelist': ACCOUNTS,

  'GET /products': PRICE_READERS,
  'POST /products': OPERATOR,
  'GET /products/:id': PRICE_READERS,
  'PUT /products/:id': OPERATOR,
  'DELETE /products/:id': OPERATOR,
};

/** How the table names a caller. */
export function whoIs(caller: Caller): Who {
  switch (caller.kind) {
    case 'account':
      return caller.role;
    case 'role':
      return `${caller.role}-token`;
    case 'api-key':
    case 'site':
      return caller.kind;
    default:
      return caller satisfies never;
  }
}
