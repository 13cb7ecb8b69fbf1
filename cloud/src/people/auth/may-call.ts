import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type Caller, hasPermission, type RequestCaller } from '../../platform/http/caller.ts';
import { isNamed, ROUTE_ACCESS, type RouteAccess } from './route-access.ts';

type AccountCaller = Extract<RequestCaller, { kind: 'account' }>;

/** The object of a call, as far as the right to it depends on that. */
export interface CalledThing {
  /** Null: it is of every site. Undefined: it has no site. */
  siteId?: string | null;
  /** The account to which it belongs, or of which it is a part. */
  accountId?: string;
}

/**
 * The right that an operator lacks at a route; null: none. @param isOwn whether the path names the own
 * account
 */
export function missingRight(
  { role, rights }: AccountCaller,
  { operators }: RouteAccess,
  isOwn: boolean,
): Mistake | null {
  if (role !== 'operator' || operators === null) return null;
  const { needed, sites } = operators;
  const permission = needed === 'own' ? (isOwn ? 'any' : 'people') : needed;
  const either = permission === 'any' ? [] : [permission].flat();
  if (permission !== 'any' && !either.some((one) => hasPermission(rights, one))) {
    return mistake('permission-needed', [], { permission: either.join(' or ') });
  }
  return sites === 'all' && rights.siteIds !== null ? mistake('every-site-needed') : null;
}

/** The sites that an operator is kept to; null: every site, or the caller is no operator. */
export function limitedTo(caller: Caller | null): readonly string[] | null {
  return caller?.kind === 'account' && caller.role === 'operator' ? caller.rights.siteIds : null;
}

/**
 * Whether the access table lets a caller change a thing that it can read. To prove again who they are is a step of the
 * call, which people can take.
 */
export function mayCall(caller: Caller, route: string, { siteId, accountId }: CalledThing): boolean {
  const access = ROUTE_ACCESS[route];
  if (access === undefined || caller.kind === 'cloud' || !isNamed(access.who, caller)) return false;
  if (caller.kind !== 'account') return true;
  if (access.stepUp === 'sessions' && caller.session === undefined) return false;
  if (missingRight(caller, access, accountId === caller.accountId) !== null) return false;
  const siteIds = limitedTo(caller);
  if (siteIds === null || siteId === undefined) return true;
  return siteId !== null && siteIds.includes(siteId);
}
