import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { enrolmentCode, readEnrolmentCode } from '@hlid/protocol/site-link/enrolment';
import { audit } from '../../../people/audit/audit.ts';
import { countAttempt } from '../../../people/auth/attempt-limit.ts';
import type { Db, Queries, Tx } from '../../../platform/db/db.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import { hashSecret, makeSecret } from '../../../platform/token-secret.ts';
import type { CameraRow } from '../../../records/cameras/camera-store.ts';
import { listCameras } from '../../../records/cameras/find-cameras.ts';
import { findSite } from '../../../records/sites/find-sites.ts';
import type { SiteRow } from '../../../records/sites/site-store.ts';
import { setSecret } from '../change/change-sites.ts';
import { type EnrolmentRow, findEnrolment, putEnrolment } from '../enrol-store.ts';

/** Makes a one-time code for a site; the one before is no longer good. @returns null where there is no such site */
export async function makeEnrolment(
  db: Db,
  actor: Actor,
  siteId: string,
  minutes: number,
): Promise<{ code: string; expiresAt: UtcTime } | null> {
  const code = makeEnrolmentCode();
  const codeHash = await hashEnrolmentCode(code);
  const expiresAt = utcTime(millis(actor.at) + minutes * MINUTE_MS);
  return await db.write(async (tx) => {
    if ((await findSite(tx.q, siteId)) === null) return null;
    const row = { siteId, codeHash, expiresAt, usedAt: null, secretHash: null, createdAt: actor.at };
    await putEnrolment(tx.q, row);
    const after = { expiresAt };
    const change = { subject: 'site', subjectId: siteId, action: 'site.make-enrolment', before: null, after };
    await audit(tx, actor, change);
    return { code, expiresAt };
  });
}

/** The machine that asks to be a site's edge. */
interface EnrolQuestion {
  code: string;
  /** Its own; undefined: one is made. */
  secret: string | undefined;
  address: string;
}

export type EnrolOutcome =
  | { ok: true; site: SiteRow; secret: string; cameras: CameraRow[] }
  | { ok: false; reason: 'no-code' | 'used' | 'expired' }
  | { ok: false; reason: 'too-many'; retryAfterSeconds: number };

/**
 * Turns a one-time code into the credentials of its site; the secret that the site had is no longer good from then on.
 * A site with the secret that used the code may repeat the request while the code is valid, as an answer can get lost.
 */
export async function enrolSite(db: Db, actor: Actor, question: EnrolQuestion): Promise<EnrolOutcome> {
  const { address } = question;
  const code = readEnrolmentCode(question.code);
  const codeHash = code === null ? null : await inTurn(address, () => hashEnrolmentCode(code));
  if (codeHash === 'too-many') return { ok: false, reason: 'too-many', retryAfterSeconds: 1 };
  return await db.write(async (tx) => {
    const row = codeHash === null ? null : await findEnrolment(tx.q, codeHash);
    const found = row && (await findSite(tx.q, row.siteId));
    if (row === null || found === null) {
      // The owner of a right code is never refused for wrong codes from the same address.
      const wait = await countWrongCode(tx.q, address, actor.at);
      return wait === null
        ? { ok: false, reason: 'no-code' }
        : { ok: false, reason: 'too-many', retryAfterSeconds: wait };
    }
    const { secret = makeSecret() } = question;
    const refusal = await useCode(tx, actor, { row, site: found.site, secret, address });
    if (refusal !== null) return { ok: false, reason: refusal };
    return { ok: true, site: found.site, secret, cameras: await listCameras(tx.q, { siteId: row.siteId }) };
  });
}

async function useCode(
  tx: Tx,
  actor: Actor,
  { row, site, secret, address }: { row: EnrolmentRow; site: SiteRow; secret: string; address: string },
): Promise<'used' | 'expired' | null> {
  const secretHash = hashSecret(secret);
  const isOver = actor.at >= row.expiresAt;
  if (row.usedAt !== null) {
    const isSame = row.secretHash === secretHash && site.secretHash === secretHash;
    return isSame && !isOver ? null : 'used';
  }
  if (isOver) return 'expired';
  await setSecret(tx, actor, row.siteId, { secret, action: 'site.enrol', address });
  await putEnrolment(tx.q, { ...row, usedAt: actor.at, secretHash });
  return null;
}

const derive = promisify(scrypt);

export function makeEnrolmentCode(): string {
  return enrolmentCode(randomBytes(8));
}

/**
 * The hash by which a stored code is found. Slow, as a code has 40 bits only: who reads the database while a
 * code lives would otherwise try them all. There is no salt, since the code is all that its holder brings.
 *
 * @param code as `readEnrolmentCode` writes it
 */
export async function hashEnrolmentCode(code: string): Promise<string> {
  const key = (await derive(code, 'hlid enrolment', 32)) as Buffer;
  return key.toString('hex');
}

/** Wrong codes of one address within the window; those after it are answered so that the guesser slows down. */
const MAX_WRONG_CODES = 10;

/** @returns seconds to wait, or null */
async function countWrongCode(q: Queries, address: string, now: UtcTime): Promise<number | null> {
  return await countAttempt(q, [{ key: `enrol-address ${address}`, limit: MAX_WRONG_CODES }], now);
}

/** The most codes of one address that may wait to be checked. */
const MAX_WAITING = 100;

/** The last of those that an address waits for, and how many there are. */
const turns = new Map<string, { last: Promise<unknown>; waiting: number }>();

/**
 * Runs one check at a time for each address. A check takes 50 ms of a processor, so a code of 40 bits is not guessed
 * in its hour, and an address that floods the cloud delays only itself.
 */
async function inTurn<T>(address: string, work: () => Promise<T>): Promise<T | 'too-many'> {
  const turn = turns.get(address) ?? { last: Promise.resolve(), waiting: 0 };
  if (turn.waiting >= MAX_WAITING) return 'too-many';
  turns.set(address, turn);
  turn.waiting++;
  const mine = turn.last.then(work);
  turn.last = mine.catch(() => undefined);
  try {
    return await mine;
  } finally {
    turn.waiting--;
    if (turn.waiting === 0) turns.delete(address);
  }
}
