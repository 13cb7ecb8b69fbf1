import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis } from '@hlid/protocol/base/utc-time';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Tx } from '../../platform/db/db.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { findLoginById } from '../../records/accounts/find-logins.ts';
import { countLoginAttempt, forgiveLoginAttempt } from '../accounts/login-limit.ts';
import { verifyPassword } from '../auth/password-hash.ts';
import { renewSession, sessionRow, tokenLogin } from '../auth/tokens.ts';
import { hasSecondFactor } from '../second-factors/factors.ts';
import { notePasskeyUse, type RelyingParty, readProof } from '../second-factors/passkeys.ts';
import {
  COUNTED_BACK,
  type OpenedSession,
  type SessionActor,
  type SessionContext,
  takeCode,
} from './open-session.ts';

/** A fresh proof: a code, a passkey, or the password where the login has neither. */
export type FreshProof = { code: string } | { passkey: AuthenticationResponseJSON } | { password: string };

export type StepUpAnswer =
  | OpenedSession
  | { ok: false; reason: 'wrong' }
  | typeof COUNTED_BACK
  | { ok: false; reason: 'too-many'; retryAfterSeconds: number }
  | RefusedInput;

const WRONG = { ok: false, reason: 'wrong' } as const;

/**
 * Proves again who the actor is. The session has a new secret from then on, and lasts no longer than before.
 */
export async function stepUp(
  context: SessionContext,
  party: RelyingParty,
  actor: SessionActor,
  { proof, address }: { proof: FreshProof; address: string },
): Promise<StepUpAnswer> {
  const { db } = context;
  const { tokenId } = actor.caller;
  const loginId = await db.read((q) => tokenLogin(q, tokenId));
  if (loginId === null) return WRONG;
  if ('password' in proof) return await byPassword(context, actor, { ...proof, loginId, address });
  if ('code' in proof) {
    return await db.write(async (tx) => {
      const used = await takeCode(tx, actor, loginId, proof.code);
      return used.ok ? await renewed(tx, actor) : used;
    });
  }
  const shown = await readProof(db, party, { loginId, response: proof.passkey }, actor.at);
  if (shown === null) return WRONG;
  if (shown === 'counted-back') return COUNTED_BACK;
  return await db.write(async (tx) =>
    (await notePasskeyUse(tx.q, shown, actor.at)) ? await renewed(tx, actor) : WRONG,
  );
}

/** A second factor is fresher proof than a password, so this does only where there is none. */
async function byPassword(
  { db }: SessionContext,
  actor: SessionActor,
  { loginId, password, address }: { loginId: string; password: string; address: string },
): Promise<StepUpAnswer> {
  const { at } = actor;
  const [found, hasFactor] = await db.read(
    async (q) => [await findLoginById(q, loginId), await hasSecondFactor(q, loginId)] as const,
  );
  if (found === null) return WRONG;
  if (hasFactor) return refusedInput(mistake('password-not-enough', 'password'));
  const who = { name: found.login.name ?? loginId, address };
  const counted = await db.write(({ q }) => countLoginAttempt(q, who, at));
  if (counted.wait !== null) return { ok: false, reason: 'too-many', retryAfterSeconds: counted.wait };
  if (!(await verifyPassword(found.login.passwordHash, password))) return WRONG;
  return await db.write(async (tx) => {
    await forgiveLoginAttempt(tx.q, who, counted);
    return await renewed(tx, actor);
  });
}

async function renewed(tx: Tx, { caller: { tokenId }, at }: SessionActor): Promise<StepUpAnswer> {
  const secret = await renewSession(tx.q, tokenId, { steppedUpAt: at });
  const expiresAt = (await sessionRow(tx.q, tokenId))?.expiresAt ?? null;
  if (secret === null || expiresAt === null) return WRONG;
  return { ok: true, tokenId, secret, lifeMs: millis(expiresAt) - millis(at) };
}
