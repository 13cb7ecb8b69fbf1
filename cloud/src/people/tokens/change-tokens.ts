import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { findCamera } from '../../records/cameras/find-cameras.ts';
import { NO_SUCH_SITE, siteById } from '../../records/sites/choose-site.ts';
import { sitesMistake } from '../accounts/change-accounts.ts';
import { audit } from '../audit/audit.ts';
import { photoTokenGiftMistakes, tokenGiftMistakes } from '../auth/gifts.ts';
import { issueToken, revokeToken } from '../auth/tokens.ts';
import type { NewPhotoToken, NewRoleToken } from './token.ts';
import { findListedToken, type TokenRow, type WhichTokens } from './token-list-store.ts';

export type Issued = { id: string; token: string };

/** Makes a token for a machine: a kiosk, another system. It is good until it is revoked. */
export async function createRoleToken(
  db: Db,
  actor: Actor,
  body: NewRoleToken,
): Promise<{ ok: true; issued: Issued } | Refused> {
  return await db.write(async (tx) => {
    const noSite = await sitesMistake(tx.q, body.options ?? {});
    if (noSite !== null) return refusedInput(noSite);
    if (body.siteId !== undefined && (await siteById(tx.q, body.siteId)) === null) {
      return refusedInput(NO_SUCH_SITE);
    }
    const given = tokenGiftMistakes(actor.caller, body);
    if (given.length > 0) return refusedInput(...given);
    const issued = await issueToken(tx.q, body, { from: actor.at, until: null });
    await auditToken(tx, actor, 'token.create', issued.id, { before: null, after: body });
    return { ok: true, issued };
  });
}

/** Makes a token by which one camera posts its reads; it is good for nothing else. */
export async function createPhotoToken(
  db: Db,
  actor: Actor,
  body: NewPhotoToken,
): Promise<{ ok: true; issued: Issued } | Refused> {
  return await db.write(async (tx) => {
    const camera = await findCamera(tx.q, body.cameraId);
    if (camera === null) return refusedInput(mistake('not-found', 'cameraId', { what: 'camera' }));
    const given = photoTokenGiftMistakes(actor.caller, camera.siteId);
    if (given.length > 0) return refusedInput(...given);
    const issued = await issueToken(tx.q, body, { from: actor.at, until: null });
    await auditToken(tx, actor, 'token.create', issued.id, { before: null, after: body });
    return { ok: true, issued };
  });
}

/** Ends one of these tokens. */
export async function endToken(
  db: Db,
  actor: Actor,
  id: string,
  which: WhichTokens,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const token = await findListedToken(tx.q, id, which, actor.at);
    if (token === null) return NOT_FOUND;
    await revokeToken(tx, id, actor.at);
    await auditToken(tx, actor, 'token.revoke', id, { before: whatOf(token), after: null });
    return { ok: true };
  });
}

function whatOf({ name, role, cameraId, accountId, deviceUuid }: TokenRow) {
  return accountId === null ? { name, role, cameraId } : { accountId, deviceUuid };
}

async function auditToken(
  tx: Tx,
  actor: Actor,
  action: string,
  id: string,
  change: { before: unknown; after: unknown },
): Promise<void> {
  await audit(tx, actor, { action, subject: 'token', subjectId: id, ...change });
}
