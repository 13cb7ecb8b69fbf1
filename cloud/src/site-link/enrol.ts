import { readEnrolmentCode } from '@hlid/protocol/enrolment';
import { MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { type Actor, audit } from '../audit/audit.ts';
import { hashSecret, makeSecret } from '../auth/token-secret.ts';
import { type CameraRow, listCameras } from '../cameras/camera-store.ts';
import type { Db, Tx } from '../db/db.ts';
import { type EnrolmentRow, findEnrolment, putEnrolment } from '../sites/enrol-store.ts';
import { findSite, type SiteRow } from '../sites/site-store.ts';
import { setSecret } from '../sites/sites.ts';
import { hashEnrolmentCode, makeEnrolmentCode } from './enrol-code.ts';
import { countEnrolAttempt, forgiveEnrolAttempt } from './enrol-limit.ts';

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
 * Whoever brings the secret with which the code was used may ask again while the code lives: an answer gets lost.
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
