import type { UtcTime } from '@hlid/protocol/utc-time';

/** What an account may be. */
export const ACCOUNT_ROLES = ['operator', 'customer', 'partner', 'whitelist'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/** What a role-based token may be for. */
export const TOKEN_ROLES = ['webhook', 'kiosk', 'whitelist', 'broker'] as const;
export type TokenRole = (typeof TOKEN_ROLES)[number];

/** The actor: the login or token of a request, or a part of the cloud, such as `billing`. */
export type Caller = RequestCaller | { kind: 'cloud'; part: string };

/** Who made a request. Which of them may call a route stands in route-access.ts, and is enforced before it runs. */
export type RequestCaller =
  | {
      kind: 'account';
      accountId: string;
      role: AccountRole;
      customerId: string | null;
      tokenId: string;
      /** Logged in to set a new password of this login, and may do nothing else. */
      recovering?: { loginId: string };
    }
  | { kind: 'role'; role: TokenRole; tokenId: string }
  /** Follows the `Location` of what it made, to that address (`path`) and no other; the row counts as its own. */
  | { kind: 'location'; tokenId: string; path: string }
  /** A camera that posts its reads, by a token in the query. */
  | { kind: 'photo'; tokenId: string; cameraId: string }
  /** A driver with an account of their own (`drivers`), and for the driver's own calls only. */
  | { kind: 'driver'; tokenId: string; driverId: string }
  | { kind: 'api-key'; keyId: string }
  | { kind: 'site'; siteId: string };

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

/** Which rows a caller sees: all, those of its customer, or only those that it made itself. */
export type OwnRows = { all: true } | { all: false; customerId: string | null; author: string };

/** What the cloud itself sees. */
export const ALL_ROWS = { all: true } as const satisfies OwnRows;

/** An operator, or a system with the API key: it acts for the offices. */
export function seesEverything(caller: RequestCaller): boolean {
  return caller.kind === 'api-key' || (caller.kind === 'account' && caller.role === 'operator');
}

/**
 * Which rows a caller may read: a webhook's token reads what webhooks report, which is of everybody. What it may change
 * goes by `ownRows`.
 */
export function readableRows(caller: Caller): OwnRows {
  return caller.kind === 'role' && caller.role === 'webhook' ? ALL_ROWS : ownRows(caller);
}

export function ownRows(caller: Caller): OwnRows {
  if (caller.kind === 'account' && caller.role === 'operator') return ALL_ROWS;
  // Its one row was checked with its path; the cloud's own parts work for everybody.
  if (caller.kind === 'location' || caller.kind === 'cloud') return ALL_ROWS;
  const customerId = caller.kind === 'account' ? caller.customerId : null;
  return { all: false, customerId, author: callerName(caller) };
}

/** Who does something, and when: what a use case needs to know of the request behind it. */
export interface Actor {
  caller: ActingCaller;
  at: UtcTime;
  requestId: string;
  /** The header `If-Match`: the versions of the resource (`etagOf`) that may be changed. Undefined: any. */
  ifMatch?: string | undefined;
}
