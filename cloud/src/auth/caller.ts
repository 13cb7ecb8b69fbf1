/** What an account may be. */
export const ACCOUNT_ROLES = ['operator', 'customer', 'partner', 'whitelist'] as const;
export type AccountRole = (typeof ACCOUNT_ROLES)[number];

/** What a role-based token may be for. */
export const TOKEN_ROLES = ['webhook', 'kiosk', 'whitelist'] as const;
export type TokenRole = (typeof TOKEN_ROLES)[number];

/** Who made a request. Which of them may call a route stands in route-access.ts, and is enforced before it runs. */
export type Caller =
  | { kind: 'account'; accountId: string; role: AccountRole; customerId: string | null; tokenId: string }
  | { kind: 'role'; role: TokenRole; tokenId: string }
  | { kind: 'api-key'; keyId: string }
  | { kind: 'site'; siteId: string };

/** A caller with a bearer token that a person or a device was given. */
export type TokenCaller = Extract<Caller, { kind: 'account' | 'role' }>;

/** The caller as history and audit name it. */
export function callerName(caller: Caller): string {
  switch (caller.kind) {
    case 'account':
      return `account:${caller.accountId}`;
    case 'role':
      return `token:${caller.tokenId}`;
    case 'api-key':
      return `api-key:${caller.keyId}`;
    case 'site':
      return `site:${caller.siteId}`;
    default:
      return caller satisfies never;
  }
}

/** Which rows a caller sees: all, those of its customer, or only those that it made itself. */
export type OwnRows = { all: true } | { all: false; customerId: string | null; author: string };

export function ownRows(caller: Caller): OwnRows {
  if (caller.kind === 'account' && caller.role === 'operator') return { all: true };
  const customerId = caller.kind === 'account' ? caller.customerId : null;
  return { all: false, customerId, author: callerName(caller) };
}
