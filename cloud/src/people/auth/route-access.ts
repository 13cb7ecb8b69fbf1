import type { AccountRole, Permission, RequestCaller, TokenRole } from '../../platform/http/caller.ts';

/** One kind of caller, as the table below names it. */
export type Who =
  | 'anyone'
  | 'api-key'
  | 'site'
  | 'location-token'
  | 'photo-token'
  | 'driver'
  | 'recovering-account'
  | 'unproven-session'
  | 'enrolling-session'
  | 'staff-manager'
  | AccountRole
  | `${TokenRole}-token`;

/**
 * The permission that an operator needs at a route: one, or one of several; `any`: none; `own`: none where
 * the path names the own account, and `people` elsewhere.
 */
export type Needed = Permission | readonly Permission[] | 'any' | 'own';

/** The records of one site, or of every site, that the `:id` of a path can name. */
export type SiteThing =
  | 'site'
  | 'camera'
  | 'zone'
  | 'product'
  | 'photo'
  | 'picture'
  | 'visit'
  | 'whitelist-entry'
  | 'invoice'
  | 'payment'
  | 'call'
  | 'dispute'
  | 'approval'
  | 'money-account'
  | 'settlement-file'
  | 'bank-statement'
  | 'day-close'
  | 'claim'
  | 'reminder'
  | 'match-proposal'
  | 'collection-file';

/**
 * How a route is kept to the sites of an operator: by the thing in its path (require-sites.ts), by the
 * required `siteId` of its body (`named`), or by the feature itself, which shows rows of these sites only
 * (`filtered`). `all`: it is about every site, and for operators of every site only. `none`: it is about
 * things that have no site.
 */
export type SiteScope = SiteThing | 'named' | 'filtered' | 'all' | 'none';

/**
 * The callers who must have proved again who they are, if they come by a session: operators, or everybody.
 * `sessions`: everybody, and the route is for sessions only. `in-part`: operators, for a part of what the
 * route does; its feature decides for which (`lacksProof`).
 */
export type StepUp = 'operators' | 'sessions' | 'in-part';

export interface RouteAccess {
  who: readonly Who[];
  /** Null where no operator may come. */
  operators: { needed: Needed; sites: SiteScope } | null;
  stepUp: StepUp | null;
}

function to(who: readonly Who[]): RouteAccess;
function to(who: readonly Who[], needed: Needed, sites: SiteScope, stepUp?: StepUp): RouteAccess;
function to(who: readonly Who[], needed?: Needed, sites: SiteScope = 'none', stepUp?: StepUp): RouteAccess {
  return { who, operators: needed === undefined ? null : { needed, sites }, stepUp: stepUp ?? null };
}

const ANYONE: readonly Who[] = ['anyone'];
const OPERATOR: readonly Who[] = ['operator'];
const ACCOUNTS: readonly Who[] = ['operator', 'customer', 'partner', 'whitelist'];
/** The readers of a customer's data other than its visits, quotas and invoices. */
const READERS: readonly Who[] = ['operator', 'customer', 'partner'];
/** The callers that decide for a customer what it pays for, and how it is reached. */
const HOLDERS: readonly Who[] = ['operator', 'customer'];
const STAFF_MANAGERS: readonly Who[] = ['staff-manager'];
const PEOPLE_MANAGERS: readonly Who[] = ['operator', 'staff-manager'];
const PASSWORD_SETTERS: readonly Who[] = [...ACCOUNTS, 'recovering-account'];
/** People who have logged in, as far as they have come. */
const SESSIONS: readonly Who[] = [...ACCOUNTS, 'unproven-session', 'enrolling-session'];
const ENROLLERS: readonly Who[] = [...ACCOUNTS, 'enrolling-session'];
const TOKENS: readonly Who[] = [...ACCOUNTS, 'webhook-token', 'kiosk-token', 'whitelist-token'];
const PERMIT_AUTHORS: readonly Who[] = [...ACCOUNTS, 'whitelist-token'];
const KIOSK: readonly Who[] = ['kiosk-token'];
const PAYERS: readonly Who[] = [...ACCOUNTS, 'api-key'];
const DRIVER: readonly Who[] = ['driver'];
const LANES_OR_DEVICES: readonly Permission[] = ['lanes', 'devices'];
const VISITS_OR_MONEY: readonly Permission[] = ['visits', 'money'];
const APPROVERS: readonly Permission[] = ['money', 'visits', 'people'];
const PRICE_READERS: readonly Who[] = [...ACCOUNTS, 'kiosk-token', 'api-key'];

/**
 * The callers of each route, the permission that operators need there, and whether they must prove their
 * identity again. No other place decides that, and it is checked before anything else of the route runs. A
 * route that is not here, and a line without its route, keep the app from starting. Which rows a caller sees
 * is the feature's own work (`ownRows` of caller.ts).
 *
 * `driver`: a driver with an account; the token is valid for nothing else. `location-token`: a caller that
 * created something and may not read it follows the `Location` with it, to that one address. `photo-token`:
 * in the query of one camera's import. `recovering-account`: an account of any role after a login by
 * `lost-password` or `change-password`. `unproven-session`: in a browser, by a password, and the second
 * factor is to come; `enrolling-session`: the same, with a second factor to be set up. `staff-manager`: an account of
 * a customer or a partner that manages the people of its customer; it also comes by its role.
 */
export const ROUTE_ACCESS: Readonly<Record<string, RouteAccess>> = {
  // Ping and docs
  'GET /ping': to(ANYONE),
  'GET /ping/api-key': to(['api-key']),
  'GET /ping/token': to(TOKENS, 'any', 'none'),
  'GET /openapi.json': to(ANYONE),
  'GET /': to(ANYONE),
  'GET /docs': to(ANYONE),
  'GET /docs/reference.css': to(ANYONE),
  'GET /docs/reference.js': to(ANYONE),

  // The console's page; what it shows comes by the calls below
  'GET /console': to(ANYONE),
  'GET /console/assets/:file': to(ANYONE),
  'GET /console/*': to(ANYONE),

  // Pages that are open
  'GET /events': to(ACCOUNTS, 'any', 'filtered'),

  // Auth, accounts, tokens
  'POST /auth/login': to(['api-key']),
  // The payment page is public and has no API key. The session's secret shows who comes, and starts are limited.
  'POST /auth/login/stefna/init': to(ANYONE),
  'POST /auth/login/stefna/authenticate': to(ANYONE),
  'POST /auth/login/stefna/status': to(ANYONE),
  'POST /auth/logout': to(PASSWORD_SETTERS, 'any', 'none'),
  // The password, the passkey or the token in its body shows who comes.
  'POST /session': to(ANYONE),
  'POST /session/passkey/options': to(ANYONE),
  'POST /session/passkey/verify': to(ANYONE),
  'GET /session': to(SESSIONS, 'any', 'none'),
  'DELETE /session': to(SESSIONS, 'any', 'none'),
  'POST /session/totp': to(['unproven-session']),
  'POST /session/step-up/options': to(ACCOUNTS, 'any', 'none'),
  'POST /session/step-up': to(ACCOUNTS, 'any', 'none'),
  'GET /accounts/:id/passkeys': to(ENROLLERS, 'own', 'none'),
  'GET /accounts/:id/totp': to(ENROLLERS, 'own', 'none'),
  'POST /accounts/:id/passkeys/options': to(ENROLLERS, 'own', 'none', 'sessions'),
  'POST /accounts/:id/passkeys': to(ENROLLERS, 'own', 'none', 'sessions'),
  'PUT /accounts/:id/passkeys/:passkeyId': to(ACCOUNTS, 'own', 'none', 'sessions'),
  'DELETE /accounts/:id/passkeys/:passkeyId': to(ACCOUNTS, 'own', 'none', 'sessions'),
  'POST /accounts/:id/totp': to(ENROLLERS, 'own', 'none', 'sessions'),
  'POST /accounts/:id/totp/confirm': to(ENROLLERS, 'own', 'none', 'sessions'),
  'DELETE /accounts/:id/totp': to(ACCOUNTS, 'own', 'none', 'sessions'),
  'POST /accounts/:id/recovery-codes': to(ACCOUNTS, 'own', 'none', 'sessions'),
  'POST /accounts': to(OPERATOR, 'people', 'none', 'operators'),
  'GET /accounts': to(ACCOUNTS, 'people', 'none'),
  'GET /accounts/:id': to(ACCOUNTS, 'own', 'none'),
  'PUT /accounts/:id': to(ACCOUNTS, 'own', 'none', 'operators'),
  'DELETE /accounts/:id': to(OPERATOR, 'people', 'none', 'operators'),
  'GET /accounts/:id/leave': to(PEOPLE_MANAGERS, 'people', 'none'),
  'POST /accounts/:id/leave': to(PEOPLE_MANAGERS, 'people', 'none', 'operators'),
  'POST /accounts/:id/invite': to(PEOPLE_MANAGERS, 'people', 'none', 'operators'),
  'POST /staff': to(STAFF_MANAGERS),
  'GET /accounts/:id/logins': to(ACCOUNTS, 'own', 'none'),
  'POST /accounts/:id/logins': to(OPERATOR, 'people', 'none', 'operators'),
  'PUT /accounts/:id/logins': to(OPERATOR, 'people', 'none', 'operators'),
  'DELETE /accounts/:id/logins': to(OPERATOR, 'people', 'none', 'operators'),
  'POST /accounts/:id/change-password': to(PASSWORD_SETTERS, 'own', 'none', 'operators'),
  'POST /accounts/recover-password': to(['api-key']),
  'POST /session/forgotten-password': to(ANYONE),
  // The link's secret shows who comes.
  'GET /recover': to(ANYONE),
  'POST /recover': to(ANYONE),
  'GET /accounts/:id/tokens': to(ACCOUNTS, 'own', 'none'),
  'DELETE /accounts/:id/tokens/:tokenId': to(ACCOUNTS, 'own', 'none'),
  'POST /admin/create-role-bearer-token': to(OPERATOR, 'people', 'all', 'operators'),
  'POST /admin/create-photo-token': to(OPERATOR, 'people', 'all', 'operators'),
  'GET /admin/tokens': to(OPERATOR, 'people', 'all'),
  'DELETE /admin/tokens/:id': to(OPERATOR, 'people', 'all'),

  // Sites, cameras, zones
  'POST /sites': to(OPERATOR, 'devices', 'all'),
  'GET /sites': to(OPERATOR, 'any', 'filtered'),
  'GET /sites/:id': to(OPERATOR, 'any', 'site'),
  'PUT /sites/:id': to(OPERATOR, 'devices', 'site'),
  'PUT /sites/:id/approval-limits': to(OPERATOR, 'people', 'site', 'operators'),
  'DELETE /sites/:id': to(OPERATOR, 'devices', 'all', 'operators'),
  'POST /sites/:id/archive': to(OPERATOR, 'devices', 'all', 'operators'),
  'DELETE /sites/:id/archive': to(OPERATOR, 'devices', 'all'),
  'POST /sites/:id/credentials': to(OPERATOR, 'devices', 'site', 'operators'),
  'DELETE /sites/:id/credentials': to(OPERATOR, 'devices', 'site'),
  'GET /sites/:id/pay-sign': to(OPERATOR, 'devices', 'site'),
  'GET /sites/:id/ways-to-pay': to(OPERATOR, 'devices', 'site'),
  'POST /sites/:id/enrolment': to(OPERATOR, 'devices', 'site'),
  'GET /sites/:id/opening': to(OPERATOR, 'devices', 'site'),
  'POST /sites/:id/opening/:step': to(OPERATOR, 'devices', 'site'),
  'DELETE /sites/:id/opening/:step': to(OPERATOR, 'devices', 'site'),
  'GET /sites/:id/lanes': to(OPERATOR, 'lanes', 'site'),
  'POST /sites/:id/lanes/:lane/open': to(OPERATOR, 'lanes', 'site'),
  'POST /sites/:id/lanes/:lane/hold': to(OPERATOR, 'lanes', 'site'),
  'POST /sites/:id/lanes/:lane/close': to(OPERATOR, 'lanes', 'site'),
  'POST /sites/:id/lanes/:lane/release': to(OPERATOR, 'lanes', 'site'),
  'POST /sites/:id/gates/hold': to(OPERATOR, 'lanes', 'site'),
  'POST /sites/:id/gates/release': to(OPERATOR, 'lanes', 'site'),
  'POST /sites/:id/lanes/:lane/snapshot': to(OPERATOR, LANES_OR_DEVICES, 'site'),
  'POST /sites/:id/devices/camera/:device/snapshot': to(OPERATOR, LANES_OR_DEVICES, 'site'),
  'POST /sites/:id/devices/kiosk/:device/snapshot': to(OPERATOR, LANES_OR_DEVICES, 'site'),
  'GET /sites/:id/snapshots/:snapshotId': to(OPERATOR, LANES_OR_DEVICES, 'site'),
  'POST /sites/:id/devices/:kind/:device/try-again': to(OPERATOR, 'devices', 'site'),
  'GET /sites/:id/discovered-cameras': to(OPERATOR, 'devices', 'site'),
  'GET /calls': to(OPERATOR, 'lanes', 'filtered'),
  'GET /call/:id': to(OPERATOR, 'lanes', 'call'),
  'POST /call/:id/accept': to(OPERATOR, 'lanes', 'call'),
  'POST /call/:id/close': to(OPERATOR, 'lanes', 'call'),
  // The one-time code in its body shows who comes.
  'POST /edge/enrol': to(ANYONE),
  'GET /sites/:id/devices': to(['operator', 'webhook-token'], 'devices', 'site'),
  'GET /broker/logins': to(['broker-token']),
  'GET /edge/changes': to(['site']),
  'GET /edge/snapshot': to(['site']),
  'PUT /edge/pictures/:readId/:kind': to(['site']),
  'PUT /edge/camera-pictures/:commandId': to(['site']),
  'POST /edge/pay-link': to(['site']),
  'GET /edge/calls/:id': to(['site']),
  'POST /edge/upgrade': to(['site']),
  'GET /edge/upgrade/:orderId/package': to(['site']),
  'GET /edge-packages': to(OPERATOR, 'devices', 'all'),
  'POST /edge-packages': to(OPERATOR, 'devices', 'all', 'operators'),
  'DELETE /edge-packages/:id': to(OPERATOR, 'devices', 'all'),
  'GET /rollouts': to(OPERATOR, 'devices', 'all'),
  'POST /rollouts': to(OPERATOR, 'devices', 'all', 'operators'),
  'GET /rollouts/:id': to(OPERATOR, 'devices', 'all'),
  'POST /rollouts/:id/pause': to(OPERATOR, 'devices', 'all'),
  'POST /rollouts/:id/resume': to(OPERATOR, 'devices', 'all', 'operators'),
  'POST /rollouts/:id/end': to(OPERATOR, 'devices', 'all'),
  'POST /rollouts/:id/retry': to(OPERATOR, 'devices', 'all'),
  'GET /cameras': to(OPERATOR, 'devices', 'filtered'),
  'POST /cameras': to(OPERATOR, 'devices', 'named'),
  'GET /cameras/:id': to(OPERATOR, 'devices', 'camera'),
  'PUT /cameras/:id': to(OPERATOR, 'devices', 'camera'),
  'GET /zones': to([...ACCOUNTS, 'kiosk-token'], 'any', 'filtered'),
  'POST /zones': to(OPERATOR, 'devices', 'named'),
  'GET /zones/:id': to([...ACCOUNTS, 'kiosk-token'], 'any', 'zone'),
  'PUT /zones/:id': to(OPERATOR, 'devices', 'zone'),
  'DELETE /zones/:id': to(OPERATOR, 'devices', 'zone'),
  'GET /zones/:id/occupancy': to(OPERATOR, 'any', 'zone'),
  'PUT /zones/:id/occupancy': to(OPERATOR, 'lanes', 'zone'),

  // Photos
  'POST /photos/:type': to(['operator', 'webhook-token', 'photo-token'], 'devices', 'all'),
  'GET /photos': to(OPERATOR, 'visits', 'filtered'),
  'GET /photo/:id': to([...ACCOUNTS, 'webhook-token', 'location-token'], 'visits', 'photo'),
  'GET /photo/:id/picture': to(
    [...ACCOUNTS, 'kiosk-token', 'webhook-token', 'location-token'],
    'visits',
    'picture',
  ),
  'PUT /photo/:id': to(OPERATOR, 'visits', 'photo'),
  'DELETE /photo/:id': to(OPERATOR, 'visits', 'photo'),
  'GET /review/next': to(OPERATOR, 'visits', 'filtered'),
  'GET /review/summary': to(OPERATOR, 'visits', 'filtered'),
  'GET /matching/proposals': to(OPERATOR, 'visits', 'filtered'),
  'GET /matching/proposals/:id': to(OPERATOR, 'visits', 'match-proposal'),
  'POST /matching/proposals/:id/accept': to(OPERATOR, 'visits', 'match-proposal'),
  'POST /matching/proposals/:id/reject': to(OPERATOR, 'visits', 'match-proposal'),
  'POST /matching/proposals/:id/undo': to(OPERATOR, 'visits', 'match-proposal'),
  'POST /photo/:id/claim': to(OPERATOR, 'visits', 'photo'),
  'DELETE /photo/:id/claim': to(OPERATOR, 'visits', 'photo'),
  'POST /photo/:id/answer': to(OPERATOR, 'visits', 'photo'),
  'DELETE /photo/:id/answer': to(OPERATOR, 'visits', 'photo'),

  // Passages
  'GET /passages': to(OPERATOR, 'visits', 'filtered'),

  // Customers, custody, vehicles
  'POST /customers': to(OPERATOR, 'people', 'none'),
  'GET /customers': to(READERS, 'people', 'none'),
  'GET /customer/:id': to(READERS, 'people', 'none'),
  'PUT /customer/:id': to(HOLDERS, 'people', 'none'),
  'GET /custodians': to(READERS, 'people', 'none'),
  'POST /custodians': to(HOLDERS, 'people', 'all'),
  'GET /custodians/:id': to(READERS, 'people', 'none'),
  'DELETE /custodians/:id': to(HOLDERS, 'people', 'all'),
  'GET /vehicles': to(READERS, 'visits', 'none'),
  'GET /vehicle/:plate': to(READERS, 'visits', 'none'),
  'GET /vehicle/:plate/override': to(OPERATOR, 'visits', 'none'),
  'POST /vehicle/:plate/override': to(OPERATOR, 'visits', 'all'),

  // Whitelist
  'GET /visit/whitelist': to(PERMIT_AUTHORS, 'visits', 'filtered'),
  'POST /visit/whitelist': to(PERMIT_AUTHORS, 'visits', 'filtered'),
  'GET /visit/whitelist/export': to(PERMIT_AUTHORS, 'visits', 'filtered'),
  'POST /visit/whitelist/import': to(PERMIT_AUTHORS, 'visits', 'filtered'),
  'GET /visit/whitelist/:id': to(PERMIT_AUTHORS, 'visits', 'whitelist-entry'),
  'PUT /visit/whitelist/:id': to(PERMIT_AUTHORS, 'visits', 'whitelist-entry'),
  'DELETE /visit/whitelist/:id': to(PERMIT_AUTHORS, 'visits', 'whitelist-entry'),
  'GET /whitelist': to(PERMIT_AUTHORS, 'visits', 'filtered'),
  'POST /whitelist': to(PERMIT_AUTHORS, 'visits', 'filtered'),
  'GET /whitelist/:id': to(PERMIT_AUTHORS, 'visits', 'whitelist-entry'),
  'PUT /whitelist/:id': to(PERMIT_AUTHORS, 'visits', 'whitelist-entry'),
  'DELETE /whitelist/:id': to(PERMIT_AUTHORS, 'visits', 'whitelist-entry'),

  // Search. What it finds goes by the permission for each kind.
  'GET /search': to(ACCOUNTS, 'any', 'filtered'),

  // Visits
  'GET /visits': to(ACCOUNTS, 'visits', 'filtered'),
  'POST /visits': to(['operator', 'webhook-token'], 'visits', 'named'),
  'GET /visits/download': to(ACCOUNTS, 'visits', 'filtered'),
  'GET /visits/counts': to(ACCOUNTS, 'visits', 'filtered'),
  'GET /visit/:id': to([...ACCOUNTS, 'webhook-token', 'location-token'], 'visits', 'visit'),
  'PUT /visit/:id': to(OPERATOR, 'visits', 'visit', 'in-part'),
  'GET /visit/:id/timeline': to(OPERATOR, 'visits', 'visit'),
  'GET /visit/:id/price': to([...ACCOUNTS, 'webhook-token'], 'visits', 'visit'),
  'POST /visit/:id/renewVehicle': to(OPERATOR, 'visits', 'visit'),
  'POST /visit/:id/receipt': to([...ACCOUNTS, 'kiosk-token'], 'visits', 'visit'),
  'POST /visit/:id/whitelist': to(ACCOUNTS, 'visits', 'visit'),
  'POST /visit/:id/split': to(OPERATOR, 'visits', 'visit'),
  'GET /visit/:id/joinable': to(OPERATOR, 'visits', 'visit'),
  'POST /visit/:id/join': to(OPERATOR, 'visits', 'visit'),
  'POST /visit/:id/reviewed': to(OPERATOR, 'visits', 'visit'),
  'POST /visit/:id/flagged': to(OPERATOR, 'visits', 'visit'),
  'POST /visit/:id/notice': to(OPERATOR, 'visits', 'visit'),
  'POST /visit/:id/pay-link': to(ACCOUNTS, 'visits', 'visit'),

  // Disputes. What an operator sees of them goes by the permission for each kind.
  'GET /disputes': to(ACCOUNTS, VISITS_OR_MONEY, 'filtered'),
  'POST /disputes': to(ACCOUNTS, VISITS_OR_MONEY, 'filtered'),
  'GET /dispute/:id': to(ACCOUNTS, VISITS_OR_MONEY, 'dispute'),
  'POST /visit/:id/dispute': to(ACCOUNTS, 'visits', 'visit'),
  'POST /invoice/:id/dispute': to(ACCOUNTS, 'money', 'invoice'),
  'PUT /dispute/:id': to(OPERATOR, VISITS_OR_MONEY, 'dispute'),
  'POST /dispute/:id/messages': to(ACCOUNTS, VISITS_OR_MONEY, 'dispute'),
  'POST /dispute/:id/withdraw': to(ACCOUNTS, VISITS_OR_MONEY, 'dispute'),
  'POST /dispute/:id/answer': to(OPERATOR, VISITS_OR_MONEY, 'dispute', 'in-part'),

  // Approvals of a second person. An operator sees and decides those for which it has the permission of each
  // kind.
  'GET /approvals': to(OPERATOR, APPROVERS, 'filtered'),
  'GET /approval/:id': to(OPERATOR, APPROVERS, 'approval'),
  // A person decides: a bearer token, which a machine may have, does not do.
  'POST /approval/:id/approve': to(OPERATOR, APPROVERS, 'approval', 'sessions'),
  'POST /approval/:id/refuse': to(OPERATOR, APPROVERS, 'approval'),
  'POST /approval/:id/withdraw': to(OPERATOR, APPROVERS, 'approval'),

  // Products and quotas
  'GET /products': to(PRICE_READERS, 'any', 'filtered'),
  'POST /products': to(OPERATOR, 'tariffs', 'named', 'operators'),
  // A run belongs to its account, and goes by the sites that it names: dry-run.test.ts shows it.
  'POST /products/dry-run': to(OPERATOR, 'tariffs', 'none'),
  'GET /products/:id': to(PRICE_READERS, 'any', 'product'),
  'PUT /products/:id': to(OPERATOR, 'tariffs', 'product', 'operators'),
  'DELETE /products/:id': to(OPERATOR, 'tariffs', 'product', 'operators'),
  'GET /products/:id/versions': to(OPERATOR, 'any', 'product'),
  'DELETE /products/:id/versions/:version': to(OPERATOR, 'tariffs', 'product', 'operators'),
  'GET /runs': to(OPERATOR, 'tariffs', 'none'),
  'GET /runs/:id': to(OPERATOR, 'tariffs', 'none'),
  'GET /runs/:id/visits': to(OPERATOR, 'tariffs', 'none'),
  'POST /runs/:id/cancel': to(OPERATOR, 'tariffs', 'none'),
  'GET /holidays': to(OPERATOR, 'tariffs', 'none'),
  'GET /holidays/countries': to(OPERATOR, 'tariffs', 'none'),
  'GET /quotas': to(ACCOUNTS, 'people', 'none'),
  'POST /quotas': to(OPERATOR, 'people', 'none'),
  'GET /quotas/:id': to([...ACCOUNTS, 'webhook-token'], 'people', 'none'),
  'PUT /quotas/:id': to(OPERATOR, 'people', 'none'),
  'DELETE /quotas/:id': to(OPERATOR, 'people', 'none'),
  'POST /quotas/:id/reset': to(OPERATOR, 'people', 'none'),

  // Kiosks and receipts
  'POST /kiosk/register-payment': to(KIOSK),
  'GET /kiosk/search-visits': to(KIOSK),
  'POST /kiosk/visits/:id/not-mine': to(KIOSK),
  'POST /kiosk/pos/init': to(KIOSK),
  'GET /kiosk/pos/status/:id': to(KIOSK),
  'GET /kiosk/pos/poi-status/:terminalId': to(KIOSK),
  // Its key is in its address, and shows who may read it.
  'GET /receipt/:key': to(ANYONE),
  'GET /receipt/:key/company': to(ANYONE),
  'POST /receipt/:key/company': to(ANYONE),
  'GET /receipt/:key/company-form': to(ANYONE),
  'POST /receipt/:key/company-form': to(ANYONE),

  // Payments online
  'POST /payments/init': to(PAYERS, 'money', 'all'),
  'POST /payments/process/3dSecure': to(PAYERS, 'money', 'all'),
  'POST /payments/process/finalize': to(PAYERS, 'money', 'all'),
  'POST /purchase-product': to(PAYERS, 'money', 'all'),
  // The signed reference in its address shows who comes: the bank has any browser post its answer.
  'POST /payments/return/:reference': to(ANYONE),
  // The payment page for drivers: signed keys in the bodies show who comes, and what anybody may ask is limited.
  'GET /pay': to(ANYONE),
  'GET /pay/:siteCode': to(ANYONE),
  'GET /pay/objection': to(ANYONE),
  'GET /pay/assets/:file': to(ANYONE),
  'GET /.well-known/:file': to(ANYONE),
  'GET /pay/api/sites': to(ANYONE),
  'GET /pay/api/sites/:siteCode': to(ANYONE),
  'POST /pay/api/find': to(ANYONE),
  'POST /pay/api/open': to(ANYONE),
  'POST /pay/api/proof': to(ANYONE),
  'POST /pay/api/picture': to(ANYONE),
  'POST /pay/api/not-mine': to(ANYONE),
  'POST /pay/api/dispute': to(ANYONE),
  'POST /pay/api/objection': to(ANYONE),
  'POST /pay/api/objection/message': to(ANYONE),
  'POST /pay/api/objection/withdraw': to(ANYONE),
  'POST /pay/api/due': to(ANYONE),
  'POST /pay/api/payments/order': to(ANYONE),
  'POST /pay/api/payments/state': to(ANYONE),
  'POST /pay/api/payments/authenticate': to(ANYONE),
  'POST /pay/api/payments/finish': to(ANYONE),
  'POST /pay/api/payments/cancel': to(ANYONE),
  'POST /pay/api/payments/mail': to(ANYONE),

  // Drivers with a stored card
  'GET /drivers': to(OPERATOR, 'people', 'none'),
  'GET /drivers/:id': to(OPERATOR, 'people', 'none'),
  'PUT /drivers/:id': to(OPERATOR, 'people', 'none'),
  'DELETE /drivers/:id': to(OPERATOR, 'people', 'all', 'operators'),
  'GET /pay/api/driver/options': to(ANYONE),
  'POST /pay/api/driver/login': to(ANYONE),
  // The link's secret shows who comes.
  'POST /pay/api/driver/open': to(ANYONE),
  'POST /pay/api/driver/electronic-id/connect': to(DRIVER),
  'POST /pay/api/driver/electronic-id/disconnect': to(DRIVER),
  'POST /pay/api/driver/logout': to(DRIVER),
  'GET /pay/api/driver/me': to(DRIVER),
  'POST /pay/api/driver/settings': to(DRIVER),
  'POST /pay/api/driver/vehicles/add': to(DRIVER),
  'POST /pay/api/driver/vehicles/remove': to(DRIVER),
  'POST /pay/api/driver/card/store': to(DRIVER),
  'POST /pay/api/driver/card/delete': to(DRIVER),
  'POST /pay/api/driver/charges': to(DRIVER),
  'POST /pay/api/driver/erase': to(DRIVER),

  // Invoices, billing, mail
  'GET /payments': to(OPERATOR, 'money', 'filtered'),
  'GET /payments/terminal-days': to(OPERATOR, 'money', 'filtered'),
  'GET /payments/:id': to(OPERATOR, 'money', 'payment'),
  'POST /payments/:id/reverse': to(OPERATOR, 'money', 'payment', 'operators'),
  'POST /payments/:id/finding': to(OPERATOR, 'money', 'payment', 'operators'),
  'POST /payments/:id/chargeback': to(OPERATOR, 'money', 'payment'),
  'POST /payments/settlement-report': to(OPERATOR, 'money', 'all'),
  'POST /payments/chargebacks': to(OPERATOR, 'money', 'all'),
  // Signed with the secret of the gateway.
  'POST /payments/events/:gateway': to(ANYONE),
  // Accounting systems pull and mark invoices with a webhook token.
  'GET /invoices': to([...ACCOUNTS, 'webhook-token'], 'money', 'filtered'),
  'GET /invoice/:id': to([...ACCOUNTS, 'webhook-token'], 'money', 'invoice'),
  'POST /quotas/purchase': to(HOLDERS, 'money', 'all'),
  'POST /invoice/:id/pay-link': to(ACCOUNTS, 'money', 'invoice'),
  'GET /invoice/:id/document': to([...ACCOUNTS, 'webhook-token'], 'money', 'invoice'),
  'PUT /invoice/:id': to(['operator', 'webhook-token'], 'money', 'invoice'),
  'POST /invoice/:id/send': to(OPERATOR, 'money', 'invoice'),
  'POST /invoice/:id/credit': to(OPERATOR, 'money', 'invoice', 'operators'),
  'POST /invoice/:id/refund': to(OPERATOR, 'money', 'invoice', 'operators'),
  // Accounts with providers and banks, and their files. A file belongs to the sites of its accounts.
  'GET /money-accounts': to(OPERATOR, 'money', 'filtered'),
  'POST /money-accounts': to(OPERATOR, 'money', 'named', 'operators'),
  'GET /money-accounts/:id': to(OPERATOR, 'money', 'money-account'),
  'PUT /money-accounts/:id': to(OPERATOR, 'money', 'money-account', 'operators'),
  'POST /csv-samples': to(OPERATOR, 'money', 'none'),
  'GET /settlement-files': to(OPERATOR, 'money', 'filtered'),
  'POST /settlement-files': to(OPERATOR, 'money', 'filtered'),
  'GET /settlement-files/:id': to(OPERATOR, 'money', 'settlement-file'),
  'GET /settlement-files/:id/rows': to(OPERATOR, 'money', 'settlement-file'),
  'DELETE /settlement-files/:id': to(OPERATOR, 'money', 'settlement-file', 'operators'),
  'GET /bank-statements': to(OPERATOR, 'money', 'filtered'),
  'POST /bank-statements': to(OPERATOR, 'money', 'filtered'),
  'GET /bank-statements/:id': to(OPERATOR, 'money', 'bank-statement'),
  'GET /bank-statements/:id/entries': to(OPERATOR, 'money', 'bank-statement'),
  'DELETE /bank-statements/:id': to(OPERATOR, 'money', 'bank-statement', 'operators'),
  'GET /bookkeeping/:period': to(OPERATOR, 'money', 'filtered'),
  'GET /bookkeeping-accounts': to(OPERATOR, 'money', 'all'),
  'PUT /bookkeeping-accounts': to(OPERATOR, 'money', 'all', 'operators'),
  'GET /sites/:id/bookkeeping-accounts': to(OPERATOR, 'money', 'site'),
  'PUT /sites/:id/bookkeeping-accounts': to(OPERATOR, 'money', 'site', 'operators'),
  // Closes of days. That of what belongs to several sites is for operators of every site.
  'GET /claims': to(OPERATOR, 'money', 'filtered'),
  'POST /claims': to(OPERATOR, 'money', 'filtered'),
  'GET /claim/:id': to(OPERATOR, 'money', 'claim'),
  'PUT /claim/:id': to(OPERATOR, 'money', 'claim'),
  'POST /claim/:id/cancel': to(OPERATOR, 'money', 'claim'),
  'POST /claim/:id/follow': to(OPERATOR, 'money', 'claim'),
  'GET /banks': to(OPERATOR, 'money', 'all'),
  'PUT /bank/:id': to(OPERATOR, 'money', 'all', 'operators'),
  'GET /sites/:id/reminders': to(OPERATOR, 'money', 'site'),
  'POST /sites/:id/reminders': to(OPERATOR, 'money', 'site', 'operators'),
  'GET /invoice/:id/reminders': to(OPERATOR, 'money', 'invoice'),
  'GET /reminders': to(OPERATOR, 'money', 'filtered'),
  'GET /reminders/download': to(OPERATOR, 'money', 'filtered'),
  'GET /reminder/:id': to(OPERATOR, 'money', 'reminder'),
  'POST /reminder/:id/deliver': to(OPERATOR, 'money', 'reminder'),
  'GET /collectable-invoices': to(OPERATOR, 'money', 'filtered'),
  'GET /collection-files': to(OPERATOR, 'money', 'filtered'),
  'POST /collection-files': to(OPERATOR, 'money', 'filtered', 'operators'),
  'GET /collection-files/:id': to(OPERATOR, 'money', 'collection-file'),
  'GET /collection-files/:id/download': to(OPERATOR, 'money', 'collection-file'),

  'GET /day-closes': to(OPERATOR, 'money', 'filtered'),
  'POST /day-closes': to(OPERATOR, 'money', 'named'),
  'GET /day-closes/:id': to(OPERATOR, 'money', 'day-close'),
  'POST /day-closes/:id/decisions': to(OPERATOR, 'money', 'day-close'),
  'POST /day-closes/:id/sign': to(OPERATOR, 'money', 'day-close', 'operators'),
  'GET /sites/:id/closing': to(OPERATOR, 'money', 'site'),
  'POST /sites/:id/closing': to(OPERATOR, 'money', 'site', 'operators'),
  'GET /billing/runs': to(OPERATOR, 'money', 'all'),
  'POST /billing/runs': to(OPERATOR, 'money', 'all'),
  'GET /mail': to(OPERATOR, 'people', 'all'),
  'GET /mail/:id': to(OPERATOR, 'people', 'all'),
  'POST /mail/:id/send': to(OPERATOR, 'people', 'all'),

  // Saved views of the console, of one account each
  'GET /views': to(ACCOUNTS, 'any', 'none'),
  'POST /views': to(ACCOUNTS, 'any', 'none'),
  'GET /views/:id': to(ACCOUNTS, 'any', 'none'),
  'PUT /views/:id': to(ACCOUNTS, 'any', 'none'),
  'DELETE /views/:id': to(ACCOUNTS, 'any', 'none'),

  // Lessons of a training installation
  'GET /training': to(OPERATOR, 'any', 'none'),
  'POST /training/lessons/:lesson/start': to(OPERATOR, 'any', 'none'),

  // The first steps of a new installation, and which accounts have put them away
  'GET /first-steps': to(OPERATOR, 'any', 'none'),
  'POST /first-steps/put-away': to(OPERATOR, 'any', 'none'),
  'DELETE /first-steps/put-away': to(OPERATOR, 'any', 'none'),

  // Reports
  'GET /reports/cameras': to(OPERATOR, 'visits', 'filtered'),
  'GET /reports/cameras/download': to(OPERATOR, 'visits', 'filtered'),
  'GET /reports/devices': to(OPERATOR, 'visits', 'filtered'),
  'GET /reports/devices/download': to(OPERATOR, 'visits', 'filtered'),
  'GET /reports/income': to(OPERATOR, 'money', 'filtered'),
  'GET /reports/income/download': to(OPERATOR, 'money', 'filtered'),
  'GET /reports/occupancy': to(OPERATOR, 'visits', 'filtered'),
  'GET /reports/occupancy/download': to(OPERATOR, 'visits', 'filtered'),
  'GET /reports/occupancy/hours': to(OPERATOR, 'visits', 'filtered'),
  'GET /reports/overview': to(OPERATOR, ['money', 'visits'], 'filtered'),
  'GET /reports/overview/download': to(OPERATOR, ['money', 'visits'], 'filtered'),
  'GET /reports/permits': to(OPERATOR, 'visits', 'filtered'),
  'GET /reports/permits/download': to(OPERATOR, 'visits', 'filtered'),
  'GET /reports/receivables': to(OPERATOR, 'money', 'filtered'),
  'GET /reports/receivables/download': to(OPERATOR, 'money', 'filtered'),
  'GET /reports/receivables/invoices': to(OPERATOR, 'money', 'filtered'),
  'GET /reports/traffic': to(OPERATOR, 'visits', 'filtered'),
  'GET /reports/traffic/download': to(OPERATOR, 'visits', 'filtered'),
  'GET /reports/visits': to(READERS, 'visits', 'filtered'),
  'GET /reports/visits/download': to(READERS, 'visits', 'filtered'),
  'GET /reports/visits/stats': to(READERS, 'visits', 'filtered'),

  // Audit log, retention, privacy
  'GET /audit': to(OPERATOR, 'people', 'all'),
  'GET /retention': to(OPERATOR, 'people', 'all'),
  'POST /retention/runs': to(OPERATOR, 'people', 'all'),
  'GET /privacy/plates/:plate': to(OPERATOR, 'people', 'all'),
  'DELETE /privacy/plates/:plate': to(OPERATOR, 'people', 'all', 'operators'),

  // Webhooks out
  'GET /webhooks': to(OPERATOR, 'people', 'all'),
  'POST /webhooks': to(OPERATOR, 'people', 'all'),
  'GET /webhooks/events': to(['operator', 'webhook-token'], 'people', 'all'),
  'GET /webhooks/:id': to(OPERATOR, 'people', 'all'),
  'PUT /webhooks/:id': to(OPERATOR, 'people', 'all'),
  'DELETE /webhooks/:id': to(OPERATOR, 'people', 'all'),
  'GET /webhooks/:id/deliveries': to(OPERATOR, 'people', 'all'),
  'POST /webhooks/:id/replay': to(OPERATOR, 'people', 'all'),
};

/** How the table names a caller. */
export function whoIs(caller: RequestCaller): Who {
  switch (caller.kind) {
    case 'account':
      if (caller.recovering !== undefined) return 'recovering-account';
      return sessionStep(caller) ?? caller.role;
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

function sessionStep({ session }: Extract<RequestCaller, { kind: 'account' }>): Who | null {
  if (session === undefined || session.awaits === null) return null;
  return session.awaits === 'enrol' ? 'enrolling-session' : 'unproven-session';
}

/** Whether a line of the table names a caller, by its kind or by the right to manage people of its customer. */
export function isNamed(who: readonly Who[], caller: RequestCaller): boolean {
  const name = whoIs(caller);
  if (who.includes(name)) return true;
  const isManager = caller.kind === 'account' && caller.role === name && caller.managesStaff === true;
  return isManager && who.includes('staff-manager');
}
