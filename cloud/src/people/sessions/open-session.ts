import { type Clock, nowUtc } from '@hlid/node/clock';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Actor, SessionStep } from '../../platform/http/caller.ts';
import { findLoginById } from '../../records/accounts/find-logins.ts';
import { type LoginRefusal, type Proven, prove } from '../accounts/log-in.ts';
import { mayLogIn } from '../accounts/recover-password.ts';
import { audit } from '../audit/audit.ts';
import { SESSION_LIFE_MS, UNFINISHED_SESSION_MS } from '../auth/session-life.ts';
import { findToken, issueToken, renewSession, revokeToken, tokenLogin } from '../auth/tokens.ts';
import type { TrustedBrowser } from '../auth/trusted-browser.ts';
import { type CodeResult, hasSecondFactor, useCode } from '../second-factors/factors.ts';
import { notePasskeyUse, type RelyingParty, readProof } from '../second-factors/passkeys.ts';

export interface SessionContext {
  db: Db;
  clock: Clock;
  /** Operators cannot do without a second factor. */
  operatorsNeedSecondFactor: boolean;
}

/** The browser that logs in. */
export interface Browser {
  address: string;
  agent: string | null;
  /** The cookie of the session that it has, which ends; undefined: it has none. */
  cookie: string | undefined;
  /** The proof that this login was used in the browser before; undefined: there is none. */
  trusted: TrustedBrowser | undefined;
}

/** A session with its secret, which is stored nowhere. */
export interface OpenedSession {
  ok: true;
  tokenId: string;
  secret: string;
  lifeMs: number;
}

/** The passkey may be a copy. */
export const COUNTED_BACK = { ok: false, reason: 'counted-back' } as const;
const WRONG = { ok: false, reason: 'wrong' } as const;

/** Logs in by a password, or by a bearer token, which ends: that of an electronic identity for instance. */
export async function openSession(
  context: SessionContext,
  shown: { id: string; password: string } | { token: string },
  browser: Browser,
): Promise<OpenedSession | LoginRefusal> {
  const { db, clock } = context;
  const { address, agent, trusted } = browser;
  const device = { deviceUuid: null, address, agent, browser: trusted };
  const question =
    'token' in shown
      ? ({ provider: 'token', id: await idOfToken(context, shown.token), password: shown.token } as const)
      : ({ provider: 'password', ...shown } as const);
  return await prove(db, clock, { ...question, ...device }, (tx, proven, now) =>
    beginSession(tx, context, proven, browser, now),
  );
}

/** A bearer token is named by its id, where it is good. */
async function idOfToken({ db, clock }: SessionContext, token: string): Promise<string> {
  const known = await db.read((q) => findToken(q, token, nowUtc(clock)));
  return known?.caller.tokenId ?? '';
}

/** Logs in by a passkey alone: it asks for a finger, a face or a PIN, and so is two factors. */
export async function openByPasskey(
  context: SessionContext,
  party: RelyingParty,
  response: AuthenticationResponseJSON,
  browser: Browser,
): Promise<OpenedSession | typeof WRONG | typeof COUNTED_BACK> {
  const { db, clock } = context;
  const now = nowUtc(clock);
  const shown = await readProof(db, party, { loginId: null, response }, now);
  if (shown === null) return WRONG;
  if (shown === 'counted-back') return COUNTED_BACK;
  return await db.write(async (tx) => {
    const found = await findLoginById(tx.q, shown.passkey.loginId);
    if (found === null || !mayLogIn(found, now) || !(await notePasskeyUse(tx.q, shown, now))) return WRONG;
    const proven: Proven = { ...found, scope: null, method: 'passkey' };
    return await beginSession(tx, context, proven, browser, now);
  });
}

async function beginSession(
  tx: Tx,
  { operatorsNeedSecondFactor }: SessionContext,
  { account, login, method }: Proven,
  { address, agent, cookie }: Browser,
  now: UtcTime,
): Promise<OpenedSession> {
  await endSessionOf(tx, cookie, now);
  const isProven = method === 'passkey' || method === 'electronic-id';
  const hasFactor = login !== null && (await hasSecondFactor(tx.q, login.id));
  const mustEnrol = account.role === 'operator' && operatorsNeedSecondFactor;
  const awaits: SessionStep | null = isProven
    ? null
    : hasFactor
      ? 'second-factor'
      : mustEnrol
        ? 'enrol'
        : null;
  const lifeMs = lifeOf(awaits, login?.expiresAt ?? null, now);
  const { id: tokenId, token: secret } = await issueToken(
    tx.q,
    {
      isSession: true,
      accountId: account.id,
      loginId: login?.id ?? null,
      scope: awaits,
      method,
      address,
      agent,
      usedAt: now,
      steppedUpAt: awaits === null ? now : null,
    },
    { from: now, until: utcTime(millis(now) + lifeMs) },
  );
  return { ok: true, tokenId, secret, lifeMs };
}

/** A session never outlives the login by which it was had. */
function lifeOf(awaits: SessionStep | null, loginEnd: UtcTime | null, now: UtcTime): number {
  const lifeMs = awaits === null ? SESSION_LIFE_MS : UNFINISHED_SESSION_MS;
  return loginEnd === null ? lifeMs : Math.min(lifeMs, millis(loginEnd) - millis(now));
}

/** The session that a browser had before ends: nothing of it is taken over. */
async function endSessionOf(tx: Tx, cookie: string | undefined, now: UtcTime): Promise<void> {
  const known = cookie === undefined ? null : await findToken(tx.q, cookie, now);
  if (known?.isSession) await revokeToken(tx, known.caller.tokenId, now);
}

/** The actor of a session that continues. */
export interface SessionActor extends Actor {
  caller: Extract<Actor['caller'], { kind: 'account' }>;
}

/** Shows the second factor, with which a session that awaits it is open. Its secret is a new one. */
export async function showSecondFactor(
  { db }: SessionContext,
  actor: SessionActor,
  code: string,
): Promise<OpenedSession | Exclude<CodeResult, { ok: true }>> {
  const { tokenId } = actor.caller;
  return await db.write(async (tx) => {
    const loginId = await tokenLogin(tx.q, tokenId);
    if (loginId === null) return WRONG;
    const used = await takeCode(tx, actor, loginId, code);
    return used.ok ? await openWhole(tx, { tokenId, loginId, at: actor.at }) : used;
  });
}

/** The last step of a login: the session is valid for all that its holder may do. @returns its new secret */
export async function openWhole(
  tx: Tx,
  { tokenId, loginId, at }: { tokenId: string; loginId: string; at: UtcTime },
): Promise<OpenedSession | typeof WRONG> {
  const found = await findLoginById(tx.q, loginId);
  if (found === null || !mayLogIn(found, at)) return WRONG;
  const lifeMs = lifeOf(null, found.login.expiresAt, at);
  const secret = await renewSession(tx.q, tokenId, {
    scope: null,
    method: 'second-factor',
    steppedUpAt: at,
    expiresAt: utcTime(millis(at) + lifeMs),
  });
  return secret === null ? WRONG : { ok: true, tokenId, secret, lifeMs };
}

/** A code is used, and a recovery code is noted: there is one less. */
export async function takeCode(
  { q, ...tx }: Tx,
  actor: SessionActor,
  loginId: string,
  code: string,
): Promise<CodeResult> {
  const used = await useCode(q, loginId, code, actor.at);
  if (used.ok && used.by === 'recovery-code') {
    const { accountId } = actor.caller;
    const change = { subject: 'account', subjectId: accountId, action: 'recovery-code.use' };
    await audit({ q, ...tx }, actor, { ...change, before: null, after: { tokenId: loginId } });
  }
  return used;
}
