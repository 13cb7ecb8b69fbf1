import { nowUtc } from '@hlid/node/clock';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@hlid/protocol/base/durations';
import { Fault } from '@hlid/protocol/base/fault';
import type { Language } from '@hlid/protocol/base/language';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { ElectronicIdPurpose } from '@hlid/protocol/words/electronic-id-words';
import { z } from 'zod';
import type { Queries } from '../../platform/db/db.ts';
import {
  ELECTRONIC_ID_METHODS,
  type ElectronicIdMethod,
  MAX_PHONE_TEXT,
} from '../../platform/electronic-id/electronic-id.ts';
import { newVerification } from '../../platform/electronic-id/verification-code.ts';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import { readPersonSsn } from '../../platform/http/input-fields.ts';
import { type Refused, type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { seal, unseal } from '../../platform/seal.ts';
import { hashSecret, makeSecret } from '../../platform/token-secret.ts';
import { type AttemptLimit, attemptsOf, countAttempt, giveBackAttempts } from '../auth/attempt-limit.ts';
import {
  deleteSessionsOf,
  findSession,
  insertSession,
  isKnownDevice,
  type SessionRow,
  sessionsOf,
  updateSession,
} from './electronic-id-session-store.ts';
import { IDENTIFICATION_WORDS } from './identification-words.ts';

export type ElectronicIdContext = Pick<CloudContext, 'db' | 'clock' | 'electronicId' | 'testElectronicId'>;

/** How long a session lasts, from `init` on. A phone gives up after three minutes at most. */
const SESSION_MS = 5 * MINUTE_MS;
/** A person who has not polled for that long has gone away. */
export const ABANDONED_MS = 30 * SECOND_MS;

/**
 * Phones that ring without end wear their owners down until they agree. A device on which the person has
 * logged in has separate starts, so strangers who use up the others do not lock the person out. An address
 * counts the starts that were not agreed to. If they are used up, each person still has one from there: one
 * abuser closes no network.
 */
const MAX_STARTS = { person: 5, device: 5, address: 30 } as const;
export const START_WINDOW_MS = HOUR_MS;
export const KNOWN_DEVICE_MS = 90 * DAY_MS;

/** The part of a session that is stored encrypted. */
const SealedSchema = z.object({
  identification: z.object({
    method: z.enum(ELECTRONIC_ID_METHODS),
    user: z.string(),
    text: z.string(),
    hash: z.string().nullable(),
  }),
  /** The provider's state; null: it has not been called yet. */
  state: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
});
export type SealedSession = z.infer<typeof SealedSchema>;

export type TooMany = { ok: false; reason: 'too-many'; retryAfterSeconds: number };

/** The person whom a session logs in. */
export interface SessionQuestion {
  purpose: ElectronicIdPurpose;
  /** The driver's account, with `connect`. */
  driverId?: string | null;
}

/** Makes a session. It names no person yet, so there is none to protect: it is a small row for five minutes. */
export async function initSession(
  { db, clock }: Pick<ElectronicIdContext, 'db' | 'clock'>,
  { purpose, driverId = null }: SessionQuestion,
): Promise<{ session: string; expiresAt: UtcTime }> {
  const now = nowUtc(clock);
  const session = makeSecret();
  const expiresAt = utcTime(millis(now) + SESSION_MS);
  return await db.write(async ({ q }) => {
    await insertSession(q, {
      hash: hashSecret(session),
      purpose,
      driverId,
      step: 'new',
      polls: 0,
      expiresAt,
      pollHash: null,
      personHash: null,
      sealed: null,
      language: null,
      deviceUuid: null,
      isKnownDevice: false,
      nextPollAt: now,
      abandonedAt: expiresAt,
    });
    return { session, expiresAt };
  });
}

export interface IdentificationQuestion {
  session: string;
  method: ElectronicIdMethod;
  /** The phone number, as typed. */
  phone?: string | undefined;
  kennitala?: string | undefined;
  /** The message for the phone; without one it shows what the session is for. */
  message?: string | undefined;
  language: Language;
  deviceUuid?: string | undefined;
  address: string;
}

/**
 * Names who is to identify, and chooses the code. The phone does not ring yet: that happens at the first poll, so that
 * a person who sees the code on the phone sees it on the page too.
 */
export async function prepareIdentification(
  context: ElectronicIdContext,
  question: IdentificationQuestion,
): Promise<{ ok: true; code: string; pollToken: string } | TooMany | Refused> {
  const user = readUser(context, question);
  if (user === null) return refusedInput(USER_MISTAKES[question.method]);
  const { method, session, language, deviceUuid = null } = question;
  const pollToken = makeSecret();
  const now = nowUtc(context.clock);
  const person = { method, user };
  return await context.db.write(async ({ q }) => {
    const row = await findSession(q, hashSecret(session));
    if (row === null || row.expiresAt <= now) return { ok: false, reason: 'not-found' };
    if (row.step !== 'new') return refusedInput(mistake('session-used', 'session'));
    const shown = phoneText(row.purpose, question);
    if (!shown.ok) return shown;
    const device = deviceUuid === null ? null : deviceHash(person, deviceUuid);
    const isKnown = device !== null && (await isKnownDevice(q, device, now));
    const personHash = hashSecret(`${method} ${user}`);
    const start = { personHash, deviceUuid, knownDevice: isKnown ? device : null };
    const wait = await whenFree(q, start, question.address, now);
    if (wait !== null) return { ok: false, reason: 'too-many', retryAfterSeconds: wait };
    await deleteSessionsOf(q, personHash);
    const { code, text, hash } = shown;
    const sealed = sealSession(
      { session, pollToken },
      { identification: { ...person, text, hash }, state: null },
    );
    await updateSession(q, row.hash, {
      step: 'prepared',
      pollHash: hashSecret(pollToken),
      personHash,
      sealed,
      language,
      deviceUuid,
      isKnownDevice: isKnown,
      nextPollAt: now,
      abandonedAt: utcTime(millis(now) + ABANDONED_MS),
    });
    return { ok: true, code, pollToken };
  });
}

/** Chooses the code, and what the phone shows. */
function phoneText(
  purpose: ElectronicIdPurpose,
  { method, language, message }: IdentificationQuestion,
): { ok: true; code: string; text: string; hash: string | null } | RefusedInput {
  const { code, hash } = newVerification(method);
  const given = message?.trim().replace(/\p{Cc}/gu, ' ') || IDENTIFICATION_WORDS[language].login;
  // A person who agrees to this gives an account their identity, so the page cannot call it a login.
  const shown = purpose === 'connect' ? IDENTIFICATION_WORDS[language].connect : given;
  const text = method === 'sim' ? `${shown} ${IDENTIFICATION_WORDS[language].verification}: ${code}` : shown;
  if (text.length <= MAX_PHONE_TEXT) return { ok: true, code, text, hash };
  return refusedInput(
    mistake('too-long', 'message', { maximum: MAX_PHONE_TEXT - (text.length - shown.length) }),
  );
}

/** Names a person's device, and neither of them. */
export function deviceHash({ method, user }: { method: string; user: string }, deviceUuid: string): string {
  return hashSecret(`${method} ${user} ${deviceUuid}`);
}

/** The key under which the starts of strangers are counted. */
export function strangersKey(personHash: string): string {
  return `eid-person ${personHash}`;
}

function addressKey(address: string): string {
  return `eid-address ${address}`;
}

/** The person has agreed: the start was no abuse, so that a crowd behind one address uses up nothing. */
export async function forgiveStart(q: Queries, address: string): Promise<void> {
  await giveBackAttempts(q, [addressKey(address)]);
}

/** @returns seconds until the person may be called, or null at once; counts it then */
async function whenFree(
  q: Queries,
  start: { personHash: string; deviceUuid: string | null; knownDevice: string | null },
  address: string,
  now: UtcTime,
): Promise<number | null> {
  const { personHash, deviceUuid, knownDevice } = start;
  const blocksNew = (session: SessionRow) => {
    // The same device may start again. A known one comes before a stranger, and the stranger's session then
    // ends without a login.
    if (deviceUuid !== null && session.deviceUuid === deviceUuid) return false;
    return isOpen(session, now) && (knownDevice === null || session.isKnownDevice);
  };
  const open = (await sessionsOf(q, personHash)).find(blocksNew);
  if (open !== undefined) return Math.ceil((millis(open.abandonedAt) - millis(now)) / SECOND_MS);
  const own: AttemptLimit =
    knownDevice === null
      ? { key: strangersKey(personHash), limit: MAX_STARTS.person, windowMs: START_WINDOW_MS }
      : { key: `eid-device ${knownDevice}`, limit: MAX_STARTS.device, windowMs: START_WINDOW_MS };
  if (knownDevice !== null) return await countAttempt(q, [own], now);
  const key = addressKey(address);
  const isUsedUp = (await attemptsOf(q, key, now)) >= MAX_STARTS.address;
  const ofAddress: AttemptLimit = isUsedUp
    ? { key: `eid-once ${hashSecret(`${address} ${personHash}`)}`, limit: 1, windowMs: START_WINDOW_MS }
    : { key, limit: MAX_STARTS.address, windowMs: START_WINDOW_MS };
  return await countAttempt(q, [own, ofAddress], now);
}

function isOpen({ abandonedAt, expiresAt }: SessionRow, now: UtcTime): boolean {
  return abandonedAt > now && expiresAt > now;
}

const USER_MISTAKES: Record<ElectronicIdMethod, Mistake> = {
  sim: mistake('phone-needed', 'phone'),
  app: mistake('kennitala-needed', 'kennitala'),
};

/** The phone's seven digits, or the kennitala's ten. */
function readUser(
  { testElectronicId }: ElectronicIdContext,
  { method, phone = '', kennitala = '' }: IdentificationQuestion,
): string | null {
  if (method === 'app') return readPersonSsn(kennitala, { madeUpPeople: testElectronicId });
  return PHONE.exec(phone.replace(/[\s-]/g, ''))?.[1] ?? null;
}

const PHONE = /^(?:\+354|00354)?([36-8]\d{6})$/;

const PURPOSE = 'electronic identity';

interface Secrets {
  session: string;
  pollToken: string;
}

export function sealSession({ session, pollToken }: Secrets, content: SealedSession): string {
  return seal(`${session} ${pollToken}`, PURPOSE, Buffer.from(JSON.stringify(content)));
}

export function unsealSession({ session, pollToken }: Secrets, sealed: string): SealedSession {
  const content = unseal(`${session} ${pollToken}`, PURPOSE, sealed);
  if (content === null) throw new Fault('peer-misbehaved', 'the session was sealed with other secrets');
  return SealedSchema.parse(JSON.parse(content.toString()));
}
