import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { enrolmentCode, readEnrolmentCode } from '@hlid/protocol/enrolment';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { MINUTE_MS, millis, utcTime } from '@hlid/protocol/utc-time';
import { audit } from '../../audit/audit.ts';
import { type AttemptLimit, countAttempt, giveBackAttempts } from '../../auth/attempt-limit.ts';
import { hashSecret, makeSecret } from '../../auth/token-secret.ts';
import type { CameraRow } from '../../cameras/camera-store.ts';
import { listCameras } from '../../cameras/find-cameras.ts';
import type { Db, Queries, Tx } from '../../db/db.ts';
import type { Actor } from '../../http/caller.ts';
import { setSecret } from '../change/change-sites.ts';
import { type EnrolmentRow, findEnrolment, putEnrolment } from '../enrol-store.ts';
import { findSite } from '../find-sites.ts';
import type { SiteRow } from '../site-store.ts';

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

/** Who wants to be a site's edge. */
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
  const wait = await db.write((tx) => countEnrolAttempt(tx.q, address, actor.at));
  if (wait !== null) return { ok: false, reason: 'too-many', retryAfterSeconds: wait };
  const code = readEnrolmentCode(question.code);
  if (code === null) return { ok: false, reason: 'no-code' };
  const codeHash = await hashEnrolmentCode(code);
  return await db.write(async (tx) => {
    const row = await findEnrolment(tx.q, codeHash);
    const found = row && (await findSite(tx.q, row.siteId));
    if (row === null || found === null) return { ok: false, reason: 'no-code' };
    const { secret = makeSecret() } = question;
    const refusal = await useCode(tx, actor, { row, site: found.site, secret, address });
    if (refusal !== null) return { ok: false, reason: refusal };
    await forgiveEnrolAttempt(tx.q, address);
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
 * What is stored of a code, to find it by. Slow, as a code has 40 bits only: who reads the database while a code lives
 * would otherwise try them all. There is no salt, since the code is all that its holder brings.
 *
 * @param code as `readEnrolmentCode` writes it
 */
export async function hashEnrolmentCode(code: string): Promise<string> {
  const key = (await derive(code, 'hlid enrolment', 32)) as Buffer;
  return key.toString('hex');
}

/**
 * Within the window: one address may mistype a few times. All together may try so often that a code of 40 bits, in its
 * hour, is guessed once in hundreds of millions of tries, and yet a stranger cannot easily keep technicians out.
 */
const LIMITS = { address: 10, everywhere: 600 } as const;

/** Counts an attempt before its code is looked at. @returns seconds to wait, or null where it may go on */
export async function countEnrolAttempt(q: Queries, address: string, now: UtcTime): Promise<number | null> {
  return await countAttempt(q, limitsOf(address), now);
}

/** The code was right: the attempt was no guess. */
export async function forgiveEnrolAttempt(q: Queries, address: string): Promise<void> {
  const keys = limitsOf(address).map(({ key }) => key);
  await giveBackAttempts(q, keys);
}

function limitsOf(address: string): AttemptLimit[] {
  return [
    { key: `enrol-address ${address}`, limit: LIMITS.address },
    { key: 'enrol', limit: LIMITS.everywhere },
  ];
}
