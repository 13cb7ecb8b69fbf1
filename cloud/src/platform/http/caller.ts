import type { UtcTime } from '@hlid/protocol/base/utc-time';

/** The roles of accounts. */
export const ACCOUNT_ROLES = ['operator', 'customer', 'partner', 'whitelist'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/** The permissions of operators. */
export const PERMISSIONS = ['lanes', 'visits', 'money', 'tariffs', 'devices', 'people'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The permissions of an operator, and their sites. They have no meaning for other accounts. */
export interface OperatorRights {
  /** Null: everything. */
  permissions: readonly Permission[] | null;
  /** Null: every site. */
  siteIds: readonly string[] | null;
}

export const ALL_RIGHTS: OperatorRights = { permissions: null, siteIds: null };

/** The roles of machines' tokens. */
export const TOKEN_ROLES = ['webhook', 'kiosk', 'whitelist', 'broker'] as const;
export type TokenRole = (typeof TOKEN_ROLES)[number];

/** The actor: the login or token of a request, or a part of the cloud, such as `billing`. */
export type Caller = RequestCaller | { kind: 'cloud'; part: string };

/**
 * The caller of a request. route-access.ts names the callers of each route, and is enforced before the route
 * runs.
 */
export type RequestCaller =
  | {
      kind: 'account';
      accountId: string;
      role: AccountRole;
      customerId: string | null;
      tokenId: string;
      rights: OperatorRights;
      /** It is no operator’s, and manages the people of its customer who have its role. */
      managesStaff?: boolean;
      /** Logged in by a browser, with a cookie. */
      session?: SessionState;
      /** Logged in to set a new password of this login, and may do nothing else. */
      recovering?: { loginId: string };
    }
  | { kind: 'role'; role: TokenRole; tokenId: string }
  /** Follows the `Location` of what it made, to that address (`path`) and no other; the row counts as its own. */
  | { kind: 'location'; tokenId: string; path: string }
  /** A camera that posts its reads, by a token in the query. */
  | { kind: 'photo'; tokenId: string; cameraId: string }
  /** A driver with an account (`drivers`), and for the driver's own calls only. */
  | { kind: 'driver'; tokenId: string; driverId: string }
  | { kind: 'api-key'; keyId: string }
  | { kind: 'site'; siteId: string };

/** The steps of a login by a browser. */
export interface SessionState {
  /** The step before the session is good for anything else; null: none. */
  awaits: SessionStep | null;
  /** When the holder last proved who they are; null: not yet. */
  steppedUpAt: UtcTime | null;
}

/** `second-factor`: to show it; `enrol`: to set one up. */
export const SESSION_STEPS = ['second-factor', 'enrol'] as const;
export type SessionStep = (typeof SESSION_STEPS)[number];

/** A caller with a bearer token that a person or a device was given. */
export type TokenCaller = Extract<Caller, { kind: 'account' | 'role' }>;

/** A caller that may change something. */
export type ActingCaller = Extract<Caller, { kind: 'account' | 'role' | 'photo' | 'driver' | 'cloud' }>;

/** The caller as history and audit name it. */
export function callerName(caller: Caller): string {
  switch (caller.kind) {
    case 'account':
      return `account:${caller.accountId}`;
    case 'role':
    case 'location':
    case 'photo':
      return `token:${caller.tokenId}`;
    case 'driver':
      return `driver:${caller.driverId}`;
    case 'api-key':
      return `api-key:${caller.keyId}`;
    case 'site':
      return `site:${caller.siteId}`;
    case 'cloud':
      return `cloud:${caller.part}`;
    default:
      return caller satisfies never;
  }
}

/**
 * The rows that a caller sees: all (for an operator, those of its sites), those of its customer, or only
 * those that it made itself.
 */
export type OwnRows =
  | { all: true /** Null: every site. */; siteIds: readonly string[] | null }
  | { all: false; customerId: string | null; author: string };

/** The rows of the cloud itself. */
export const ALL_ROWS = { all: true, siteIds: null } as const satisfies OwnRows;

/** The sites with rows that a caller sees; null: every site, as far as the rows are its own. */
export function sitesOf(own: OwnRows): readonly string[] | null {
  return own.all ? own.siteIds : null;
}

/** Whether rows of that site may be shown to the caller. */
export function seesSite(own: OwnRows, siteId: string): boolean {
  return sitesOf(own)?.includes(siteId) ?? true;
}

export function hasPermission({ permissions }: OperatorRights, permission: Permission): boolean {
  return permissions?.includes(permission) ?? true;
}

/** Whether a caller with these rights may give the others: no caller gives rights that they do not have. */
export function coversRights(own: OperatorRights, given: OperatorRights): boolean {
  return covers(own.permissions, given.permissions) && covers(own.siteIds, given.siteIds);
}

function covers(own: readonly string[] | null, given: readonly string[] | null): boolean {
  return own === null || (given?.every((one) => own.includes(one)) ?? false);
}

/** An operator, or a system with the API key: it acts for the offices. */
export function seesEverything(caller: RequestCaller): boolean {
  return caller.kind === 'api-key' || (caller.kind === 'account' && caller.role === 'operator');
}

/**
 * The rows that a caller may read. A webhook's token reads what webhooks report, which concerns everybody.
 * Its changes follow `ownRows`.
 */
export function readableRows(caller: Caller): OwnRows {
  return caller.kind === 'role' && caller.role === 'webhook' ? ALL_ROWS : ownRows(caller);
}

export function ownRows(caller: Caller): OwnRows {
  if (caller.kind === 'account' && caller.role === 'operator') {
    return { all: true, siteIds: caller.rights.siteIds };
  }
  // Its one row was checked with its path; the cloud's own parts work for everybody.
  if (caller.kind === 'location' || caller.kind === 'cloud') return ALL_ROWS;
  const customerId = caller.kind === 'account' ? caller.customerId : null;
  return { all: false, customerId, author: callerName(caller) };
}

/** The author and the time of a change: what a use case needs to know of the request behind it. */
export interface Actor {
  caller: ActingCaller;
  at: UtcTime;
  requestId: string;
  /** The header `If-Match`: the versions of the resource (`etagOf`) that may be changed. Undefined: any. */
  ifMatch?: string | undefined;
  /** The act that a second person approves, and that was shown to them. */
  approved?: ApprovedAct;
}

/** An act as a second person has approved it. */
export interface ApprovedAct {
  /** Null: no amount decides. */
  amountMinor: number | null;
}
