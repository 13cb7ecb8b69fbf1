import { isIP } from 'node:net';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransportFuture,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeClientDataJSON, isoBase64URL, isoUint8Array } from '@simplewebauthn/server/helpers';
import type { Db, Queries } from '../../platform/db/db.ts';
import { and, eq, gt, isNull, lt } from '../../platform/db/sql.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import {
  passkeyChallengeTable as challenges,
  passkeyTable as t,
} from '../../records/second-factors/second-factor-table.ts';
import { type PasskeyRow, passkeysOf } from './factors.ts';

const CHALLENGE_LIFE_MS = 5 * MINUTE_MS;
const NAME = 'Hlið';

/** The party for which passkeys are good: browsers bind them to a host name, and to pages of that host. */
export interface RelyingParty {
  id: string;
  origins: string[];
}

/**
 * The cloud as passkeys know it. A host without a name has none: browsers accept `localhost` for a trial, on
 * any port, and no address.
 *
 * @param publicUrl the address at which people reach the cloud
 * @param origin the origin of the calling page
 */
export function relyingPartyOf(publicUrl: string, origin: string | undefined): RelyingParty {
  const { hostname, origin: ownOrigin } = new URL(publicUrl);
  const isLocal = hostname === 'localhost' || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  if (!isLocal) return { id: hostname, origins: [ownOrigin] };
  const isLocalPage =
    origin !== undefined && URL.canParse(origin) && new URL(origin).hostname === 'localhost';
  return { id: 'localhost', origins: isLocalPage ? [origin] : [] };
}

type Purpose = (typeof challenges.$inferSelect)['purpose'];

async function storeChallenge(
  q: Queries,
  challenge: string,
  of: { purpose: Purpose; loginId: string | null },
  now: UtcTime,
): Promise<void> {
  await q.insert(challenges).values({
    challenge,
    ...of,
    expiresAt: utcTime(millis(now) + CHALLENGE_LIFE_MS),
  });
}

/** Uses up the question that an answer names, whatever the answer is worth. @returns null: there is no such question */
async function useChallenge(
  db: Db,
  clientDataJson: string,
  of: { purpose: Purpose; loginId: string | null },
  now: UtcTime,
): Promise<string | null> {
  const challenge = challengeIn(clientDataJson);
  if (challenge === null) return null;
  return await db.write(async ({ q }) => {
    const used = await q
      .delete(challenges)
      .where(
        and(
          eq(challenges.challenge, challenge),
          eq(challenges.purpose, of.purpose),
          of.loginId === null ? isNull(challenges.loginId) : eq(challenges.loginId, of.loginId),
          gt(challenges.expiresAt, now),
        ),
      )
      .returning({ challenge: challenges.challenge });
    return used[0]?.challenge ?? null;
  });
}

function challengeIn(clientDataJson: string): string | null {
  try {
    return decodeClientDataJSON(clientDataJson).challenge;
  } catch {
    return null;
  }
}

/** Deletes challenges without an answer. */
export function passkeyCleanupJob(db: Db): ScheduledRun {
  return {
    name: 'passkey-cleaning',
    everyMs: HOUR_MS,
    work: async ({ now }) =>
      await db.write(async ({ q }) => void (await q.delete(challenges).where(lt(challenges.expiresAt, now)))),
  };
}

/** The options with which a browser makes a passkey for a login. */
export async function beginPasskey(
  db: Db,
  party: RelyingParty,
  holder: { loginId: string; userName: string; displayName: string },
  now: UtcTime,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { loginId, userName, displayName } = holder;
  const known = await db.read((q) => passkeysOf(q, [loginId]));
  const options = await generateRegistrationOptions({
    rpName: NAME,
    rpID: party.id,
    userID: isoUint8Array.fromUTF8String(loginId),
    userName,
    userDisplayName: displayName,
    attestationType: 'none',
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await db.write(({ q }) => storeChallenge(q, options.challenge, { purpose: 'register', loginId }, now));
  return options;
}

/** The passkey that a browser has made, where it answers our question. It is not stored by this. */
export async function readNewPasskey(
  db: Db,
  party: RelyingParty,
  { loginId, name, response }: { loginId: string; name: string; response: RegistrationResponseJSON },
  now: UtcTime,
): Promise<PasskeyRow | null> {
  const { clientDataJSON } = response.response;
  const expectedChallenge = await useChallenge(db, clientDataJSON, { purpose: 'register', loginId }, now);
  if (expectedChallenge === null) return null;
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  const row = { id, loginId, name, counter, transports, createdAt: now, usedAt: null };
  return { ...row, publicKey: isoBase64URL.fromBuffer(publicKey) };
}

/** Stores a passkey. @returns false: it is there already */
export async function addPasskey(q: Queries, passkey: PasskeyRow): Promise<boolean> {
  const added = await q.insert(t).values(passkey).onConflictDoNothing().returning({ id: t.id });
  return added.length > 0;
}

/**
 * The options with which a browser shows a passkey: to log in with any, or to step up with one of that login.
 */
export async function beginProof(
  db: Db,
  party: RelyingParty,
  loginId: string | null,
  now: UtcTime,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const known = loginId === null ? [] : await db.read((q) => passkeysOf(q, [loginId]));
  const options = await generateAuthenticationOptions({
    rpID: party.id,
    userVerification: 'required',
    allowCredentials: known.map(descriptorOf),
  });
  const purpose = loginId === null ? 'login' : 'step-up';
  await db.write(({ q }) => storeChallenge(q, options.challenge, { purpose, loginId }, now));
  return options;
}

/** A passkey that was shown; `counter` is its present count. */
export interface ShownPasskey {
  passkey: PasskeyRow;
  counter: number;
}

/**
 * The passkey that answers our question; null: none does. It counts once `notePasskeyUse` agrees. `counted-back`: it
 * reports fewer uses than it has reported before.
 */
export async function readProof(
  db: Db,
  party: RelyingParty,
  { loginId, response }: { loginId: string | null; response: AuthenticationResponseJSON },
  now: UtcTime,
): Promise<ShownPasskey | 'counted-back' | null> {
  const purpose = loginId === null ? 'login' : 'step-up';
  const { clientDataJSON, userHandle } = response.response;
  const expectedChallenge = await useChallenge(db, clientDataJSON, { purpose, loginId }, now);
  const passkey = await db.read(async (q) => await q.select().from(t).where(eq(t.id, response.id)).get());
  if (expectedChallenge === null || passkey === undefined) return null;
  const isTheirs = loginId === null || passkey.loginId === loginId;
  const names = userHandle === undefined || isoBase64URL.toUTF8String(userHandle) === passkey.loginId;
  if (!isTheirs || !names) return null;
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge,
    expectedOrigin: party.origins,
    expectedRPID: party.id,
    // The counter is checked here: the library refuses a lower one as it refuses a wrong signature.
    credential: { ...credentialOf(passkey), counter: 0 },
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { newCounter: counter } = verified.authenticationInfo;
  return isCounterLower(passkey, counter) ? 'counted-back' : { passkey, counter };
}

/** A passkey that counts its uses counts up; one that does not reports 0 (WebAuthn 3, section 6.1.1). */
function isCounterLower({ counter: before }: PasskeyRow, counter: number): boolean {
  return (before > 0 || counter > 0) && counter <= before;
}

/** Notes that a passkey was shown. @returns false: it is gone, or its counter has moved on meanwhile, as a copy's would */
export async function notePasskeyUse(
  q: Queries,
  { passkey, counter }: ShownPasskey,
  now: UtcTime,
): Promise<boolean> {
  const noted = await q
    .update(t)
    .set({ counter, usedAt: now })
    .where(and(eq(t.id, passkey.id), eq(t.loginId, passkey.loginId), eq(t.counter, passkey.counter)))
    .returning({ id: t.id });
  return noted.length > 0;
}

export async function renamePasskey(q: Queries, { id, loginId }: PasskeyRow, name: string): Promise<void> {
  await q
    .update(t)
    .set({ name })
    .where(and(eq(t.id, id), eq(t.loginId, loginId)));
}

export async function deletePasskey(q: Queries, id: string): Promise<void> {
  await q.delete(t).where(eq(t.id, id));
}

function descriptorOf(passkey: PasskeyRow) {
  const { id, transports } = credentialOf(passkey);
  return { id, transports };
}

function credentialOf({ id, publicKey, counter, transports }: PasskeyRow) {
  return {
    id,
    publicKey: isoBase64URL.toBuffer(publicKey),
    counter,
    transports: transports.filter(isTransport),
  };
}

const TRANSPORTS: readonly string[] = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

export function isTransport(text: string): text is AuthenticatorTransportFuture {
  return TRANSPORTS.includes(text);
}
