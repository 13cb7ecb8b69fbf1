import type { AccountRole, RequestCaller, TokenRole } from '../http/caller.ts';

/** One kind of caller, as the table below names it. */
export type Who =
  | 'anyone'
  | 'api-key'
  | 'site'
  | 'location-token'
  | 'photo-token'
  | 'driver'
  | 'recovering-account'
  | AccountRole
  | `${TokenRole}-token`;

const ANYONE: readonly Who[] = ['anyone'];
const OPERATOR: readonly Who[] = ['operator'];
const ACCOUNTS: readonly Who[] = ['operator', 'customer', 'partner', 'whitelist'];
/** Who reads what a customer is, has and does, beside its visits, quotas and invoices. */
const READERS: readonly Who[] = ['operator', 'customer', 'partner'];
/** Who decides for a customer what it pays for, and how it is reached. */
const HOLDERS: readonly Who[] = ['operator', 'customer'];
const PASSWORD_SETTERS: readonly Who[] = [...ACCOUNTS, 'recovering-account'];
const TOKENS: readonly Who[] = [...ACCOUNTS, 'webhook-token', 'kiosk-token', 'whitelist-token'];
const PERMIT_AUTHORS: readonly Who[] = [...ACCOUNTS, 'whitelist-token'];
const KIOSK: readonly Who[] = ['kiosk-token'];
const PAYERS: readonly Who[] = [...ACCOUNTS, 'api-key'];
const DRIVER: readonly Who[] = ['driver'];
const PRICE_READERS: readonly Who[] = [...ACCOUNTS, 'kiosk-token', 'api-key'];

/**
 * Who may call each route: the only place that says so, and it is asked before anything else of the route runs. A
 * route that is not here, and a line without its route, keep the app from starting. Which rows a caller sees is the
 * feature's own work (`ownRows` of caller.ts).
 *
 * `driver`: a driver with an account of their own, whose token is good for nothing else. `location-token`: a caller that
 * created something and may not read it follows the `Location` with it, to that one address. `photo-token`: in the query
 * of one camera's import. `recovering-account`: an account of any role whose holder has logged in by `lost-password` or
 * `change-password`.
 */
export const ROUTE_ACCESS: Readonly<Record<string, readonly Who[]>> = {
  // Pages that are open
  'GET /events': ACCOUNTS,

  // Ping and docs
  'GET /ping': ANYONE,
  'GET /ping/api-key': ['api-key'],
  'GET /ping/token': TOKENS,
  'GET /openapi.json': ANYONE,
  'GET /': ANYONE,
  'GET /docs': ANYONE,
  'GET /docs/reference.css': ANYONE,
  'GET /docs/reference.js': ANYONE,

  // Auth, accounts, tokens
  'POST /auth/login': ['api-key'],
  // The payment page is public and has no API key. The session's secret shows who comes, and starts are limited.
  'POST /auth/login/stefna/init': ANYONE,
  'POST /auth/login/stefna/authenticate': ANYONE,
  'POST /auth/login/stefna/status': ANYONE,
  'POST /auth/logout': PASSWORD_SETTERS,
  'POST /accounts': OPERATOR,
  'GET /accounts': ACCOUNTS,
  'GET /accounts/:id': ACCOUNTS,
  'PUT /accounts/:id': ACCOUNTS,
  'DELETE /accounts/:id': OPERATOR,
  'GET /accounts/:id/logins': ACCOUNTS,
  'POST /accounts/:id/logins': OPERATOR,
  'PUT /accounts/:id/logins': OPERATOR,
  'DELETE /accounts/:id/logins': OPERATOR,
  'POST /accounts/:id/change-password': PASSWORD_SETTERS,
  'POST /accounts/recover-password': ['api-key'],
  // The link's secret shows who comes.
  'GET /recover': ANYONE,
  'POST /recover': ANYONE,
  'GET /accounts/:id/tokens': ACCOUNTS,
  'DELETE /accounts/:id/tokens/:tokenId': ACCOUNTS,
  'POST /admin/create-role-bearer-token': OPERATOR,
  'POST /admin/create-photo-token': OPERATOR,
  'GET /admin/tokens': OPERATOR,
  'DELETE /admin/tokens/:id': OPERATOR,

  // Sites, cameras, zones
  'POST /sites': OPERATOR,
  'GET /sites': OPERATOR,
  'GET /sites/:id': OPERATOR,
  'PUT /sites/:id': OPERATOR,
  'POST /sites/:id/credentials': OPERATOR,
  'DELETE /sites/:id/credentials': OPERATOR,
  'GET /sites/:id/pay-sign': OPERATOR,
  'POST /sites/:id/enrolment': OPERATOR,
  'POST /sites/:id/lanes/:lane/open': OPERATOR,
  'POST /sites/:id/lanes/:lane/hold': OPERATOR,
  'POST /sites/:id/lanes/:lane/close': OPERATOR,
  'POST /sites/:id/lanes/:lane/release': OPERATOR,
  'POST /sites/:id/gates/hold': OPERATOR,
  'POST /sites/:id/gates/release': OPERATOR,
  // The one-time code in its body shows who comes.
  'POST /edge/enrol': ANYONE,
  'GET /sites/:id/devices': ['operator', 'webhook-token'],
  'GET /broker/logins': ['broker-token'],
  'GET /edge/changes': ['site'],
  'GET /edge/snapshot': ['site'],
  'PUT /edge/pictures/:pictureId': ['site'],
  'POST /edge/pay-link': ['site'],
  'GET /cameras': OPERATOR,
  'POST /cameras': OPERATOR,
  'GET /cameras/:id': OPERATOR,
  'PUT /cameras/:id': OPERATOR,
  'GET /zones': [...ACCOUNTS, 'kiosk-token'],
  'POST /zones': OPERATOR,
  'GET /zones/:id': [...ACCOUNTS, 'kiosk-token'],
  'PUT /zones/:id': OPERATOR,
  'DELETE /zones/:id': OPERATOR,

  // Photos
  'POST /photos/:type': ['operator', 'webhook-token', 'photo-token'],
  'GET /photos': OPERATOR,
  'GET /photo/:id': [...ACCOUNTS, 'webhook-token', 'location-token'],
  'GET /photo/:id/picture': [...ACCOUNTS, 'kiosk-token', 'webhook-token', 'location-token'],
  'PUT /photo/:id': OPERATOR,
  'DELETE /photo/:id': OPERATOR,

  // Customers, custody, vehicles
  'POST /customers': OPERATOR,
  'GET /customers': READERS,
  'GET /customer/:id': READERS,
  'PUT /customer/:id': HOLDERS,
  'GET /custodians': READERS,
  'POST /custodians': HOLDERS,
  'GET /custodians/:id': READERS,
  'DELETE /custodians/:id': HOLDERS,
  'GET /vehicles': READERS,
  'GET /vehicle/:plate': READERS,
  'GET /vehicle/:plate/override': OPERATOR,
  'POST /vehicle/:plate/override': OPERATOR,

  // Whitelist
  'GET /visit/whitelist': PERMIT_AUTHORS,
  'POST /visit/whitelist': PERMIT_AUTHORS,
  'GET /visit/whitelist/export': PERMIT_AUTHORS,
  'POST /visit/whitelist/import': PERMIT_AUTHORS,
  'GET /visit/whitelist/:id': PERMIT_AUTHORS,
  'PUT /visit/whitelist/:id': PERMIT_AUTHORS,
  'DELETE /visit/whitelist/:id': PERMIT_AUTHORS,
  'GET /whitelist': PERMIT_AUTHORS,
  'POST /whitelist': PERMIT_AUTHORS,
  'GET /whitelist/:id': PERMIT_AUTHORS,
  'PUT /whitelist/:id': PERMIT_AUTHORS,
  'DELETE /whitelist/:id': PERMIT_AUTHORS,

  // Visits
  'GET /visits': ACCOUNTS,
  'POST /visits': ['operator', 'webhook-token'],
  'GET /visits/counts': ACCOUNTS,
  'GET /visit/:id': [...ACCOUNTS, 'webhook-token', 'location-token'],
  'PUT /visit/:id': OPERATOR,
  'GET /visit/:id/price': [...ACCOUNTS, 'webhook-token'],
  'POST /visit/:id/renewVehicle': OPERATOR,
  'POST /visit/:id/receipt': [...ACCOUNTS, 'kiosk-token'],
  'POST /visit/:id/whitelist': ACCOUNTS,
  'POST /visit/:id/split': OPERATOR,
  'POST /visit/:id/join': OPERATOR,
  'POST /visit/:id/reviewed': OPERATOR,
  'POST /visit/:id/notice': OPERATOR,
  'POST /visit/:id/pay-link': OPERATOR,

  // Products and quotas
  'GET /products': PRICE_READERS,
  'POST /products': OPERATOR,
  'GET /products/:id': PRICE_READERS,
  'PUT /products/:id': OPERATOR,
  'DELETE /products/:id': OPERATOR,
  'GET /quotas': ACCOUNTS,
  'POST /quotas': OPERATOR,
  'GET /quotas/:id': [...ACCOUNTS, 'webhook-token'],
  'PUT /quotas/:id': OPERATOR,
  'DELETE /quotas/:id': OPERATOR,
  'POST /quotas/:id/reset': OPERATOR,

  // Kiosks and receipts
  'POST /kiosk/register-payment': KIOSK,
  'GET /kiosk/search-visits': KIOSK,
  'POST /kiosk/visits/:id/not-mine': KIOSK,
  'POST /kiosk/pos/init': KIOSK,
  'GET /kiosk/pos/status/:id': KIOSK,
  'GET /kiosk/pos/poi-status/:terminalId': KIOSK,
  // Its key is in its address, and shows who may read it.
  'GET /receipt/:key': ANYONE,

  // Payments online
  'POST /payments/init': PAYERS,
  'POST /payments/process/3dSecure': PAYERS,
  'POST /payments/process/finalize': PAYERS,
  'POST /purchase-product': PAYERS,
  // The signed reference in its address shows who comes: the bank has any browser post its answer.
  'POST /payments/return/:reference': ANYONE,
  // The payment page for drivers: signed keys in the bodies show who comes, and what anybody may ask is limited.
  'GET /pay': ANYONE,
  'GET /pay/:siteCode': ANYONE,
  'GET /pay/assets/:file': ANYONE,
  'GET /.well-known/:file': ANYONE,
  'GET /pay/api/sites': ANYONE,
  'GET /pay/api/sites/:siteCode': ANYONE,
  'POST /pay/api/find': ANYONE,
  'POST /pay/api/open': ANYONE,
  'POST /pay/api/proof': ANYONE,
  'POST /pay/api/picture': ANYONE,
  'POST /pay/api/not-mine': ANYONE,
  'POST /pay/api/due': ANYONE,
  'POST /pay/api/payments/order': ANYONE,
  'POST /pay/api/payments/state': ANYONE,
  'POST /pay/api/payments/authenticate': ANYONE,
  'POST /pay/api/payments/finish': ANYONE,
  'POST /pay/api/payments/cancel': ANYONE,
  'POST /pay/api/payments/mail': ANYONE,

  // Drivers with a stored card
  'GET /drivers': OPERATOR,
  'GET /drivers/:id': OPERATOR,
  'PUT /drivers/:id': OPERATOR,
  'DELETE /drivers/:id': OPERATOR,
  'GET /pay/api/driver/options': ANYONE,
  'POST /pay/api/driver/login': ANYONE,
  // The link's secret shows who comes.
  'POST /pay/api/driver/open': ANYONE,
  'POST /pay/api/driver/electronic-id/connect': DRIVER,
  'POST /pay/api/driver/electronic-id/disconnect': DRIVER,
  'POST /pay/api/driver/logout': DRIVER,
  'GET /pay/api/driver/me': DRIVER,
  'POST /pay/api/driver/settings': DRIVER,
  'POST /pay/api/driver/vehicles/add': DRIVER,
  'POST /pay/api/driver/vehicles/remove': DRIVER,
  'POST /pay/api/driver/card/store': DRIVER,
  'POST /pay/api/driver/card/delete': DRIVER,
  'POST /pay/api/driver/charges': DRIVER,
  'POST /pay/api/driver/erase': DRIVER,

  // Invoices, billing, mail
  'GET /payments': OPERATOR,
  'POST /payments/:id/reverse': OPERATOR,
  'POST /payments/:id/finding': OPERATOR,
  'POST /payments/:id/chargeback': OPERATOR,
  'POST /payments/settlement-report': OPERATOR,
  'POST /payments/chargebacks': OPERATOR,
  // Signed with the secret of the gateway.
  'POST /payments/events/:gateway': ANYONE,
  // Accounting systems pull and mark invoices with a webhook token.
  'GET /invoices': [...ACCOUNTS, 'webhook-token'],
  'GET /invoice/:id': [...ACCOUNTS, 'webhook-token'],
  'PUT /invoice/:id': ['operator', 'webhook-token'],
  'POST /invoice/:id/refund': OPERATOR,
  'GET /billing/runs': OPERATOR,
  'POST /billing/runs': OPERATOR,
  'GET /mail': OPERATOR,
  'GET /mail/:id': OPERATOR,
  'POST /mail/:id/send': OPERATOR,

  // Reports
  'GET /reports/income': OPERATOR,
  'GET /reports/visits': READERS,
  'GET /reports/visits/download': READERS,
  'GET /reports/visits/stats': READERS,

  // Audit log, retention, privacy
  'GET /audit': OPERATOR,
  'GET /retention': OPERATOR,
  'POST /retention/runs': OPERATOR,
  'GET /privacy/plates/:plate': OPERATOR,
  'DELETE /privacy/plates/:plate': OPERATOR,

  // Webhooks out
  'GET /webhooks': OPERATOR,
  'POST /webhooks': OPERATOR,
  'GET /webhooks/events': ['operator', 'webhook-token'],
  'GET /webhooks/:id': OPERATOR,
  'PUT /webhooks/:id': OPERATOR,
  'DELETE /webhooks/:id': OPERATOR,
  'GET /webhooks/:id/deliveries': OPERATOR,
  'POST /webhooks/:id/replay': OPERATOR,
};

/** How the table names a caller. */
export function whoIs(caller: RequestCaller): Who {
  switch (caller.kind) {
    case 'account':
      return caller.recovering === undefined ? caller.role : 'recovering-account';
    case 'role':
      return `${caller.role}-token`;
    case 'location':
      return 'location-token';
    case 'photo':
      return 'photo-token';
    case 'api-key':
    case 'site':
    case 'driver':
      return caller.kind;
    default:
      return caller satisfies never;
  }
}
