import { entityTag } from '@hlid/node/digest';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import type { RefusedEdit } from '../refused.ts';
import type { Actor } from './caller.ts';

/** The version of a row, as `ETag` names it: another one after every change. */
export function etagOf(row: object): string {
  return entityTag(canonicalJson(row));
}

/** The row has changed since the version that the caller's `If-Match` names. To be asked within the change's transaction. */
export function isStale({ ifMatch }: Pick<Actor, 'ifMatch'>, row: object): boolean {
  if (ifMatch === undefined) return false;
  const named = ifMatch.split(',').map((tag) => tag.trim());
  return !named.includes('*') && !named.includes(etagOf(row));
}

export const STALE: RefusedEdit = { ok: false, reason: 'stale' };
