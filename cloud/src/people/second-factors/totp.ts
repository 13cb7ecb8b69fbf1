import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { Secret, TOTP } from 'otpauth';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, isNotNull } from '../../platform/db/sql.ts';
import { totpTable as t } from '../../records/second-factors/second-factor-table.ts';

const ISSUER = 'Hlið';
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** A clock may be off by this number of steps, either way. */
const WINDOW = 1;

export interface BegunTotp {
  /** Base32, to be typed. */
  secret: string;
  /** The same as an address, to be shown as a QR code. */
  uri: string;
}

/** Begins with codes by time; one that was begun before and never confirmed is replaced. @returns null: there are some */
export async function beginTotp(
  q: Queries,
  loginId: string,
  label: string,
  now: UtcTime,
): Promise<BegunTotp | null> {
  const known = await q.select().from(t).where(eq(t.loginId, loginId)).get();
  if (known !== undefined && known.confirmedAt !== null) return null;
  const totp = new TOTP({ issuer: ISSUER, label, secret: new Secret({ size: SECRET_BYTES }) });
  const row = { secret: totp.secret.base32, confirmedAt: null, lastStep: null, createdAt: now };
  await q
    .insert(t)
    .values({ loginId, ...row })
    .onConflictDoUpdate({ target: t.loginId, set: row });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** Takes the first code, which shows that the app has the secret. */
export async function confirmTotp(
  q: Queries,
  loginId: string,
  code: string,
  now: UtcTime,
): Promise<'confirmed' | 'wrong' | 'not-begun'> {
  const row = await q.select().from(t).where(eq(t.loginId, loginId)).get();
  if (row === undefined || row.confirmedAt !== null) return 'not-begun';
  const step = stepOf(row, code, now);
  if (step === null) return 'wrong';
  await q.update(t).set({ confirmedAt: now, lastStep: step }).where(eq(t.loginId, loginId));
  return 'confirmed';
}

/** Whether this is a code of now that was not used yet. It is used by that. */
export async function useTotp(q: Queries, loginId: string, code: string, now: UtcTime): Promise<boolean> {
  const row = await q
    .select()
    .from(t)
    .where(and(eq(t.loginId, loginId), isNotNull(t.confirmedAt)))
    .get();
  const step = row === undefined ? null : stepOf(row, code, now);
  if (step === null) return false;
  await q.update(t).set({ lastStep: step }).where(eq(t.loginId, loginId));
  return true;
}

/** The time step of a code; null: it is none of now, or not later than the newest that was used. */
function stepOf({ secret, lastStep }: typeof t.$inferSelect, code: string, now: UtcTime): number | null {
  const timestamp = millis(now);
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_SECONDS });
  const delta = totp.validate({ token: code.replaceAll(/\s/g, ''), timestamp, window: WINDOW });
  if (delta === null) return null;
  const step = Math.floor(timestamp / 1000 / PERIOD_SECONDS) + delta;
  return lastStep !== null && step <= lastStep ? null : step;
}

export async function deleteTotp(q: Queries, loginId: string): Promise<boolean> {
  return (await q.delete(t).where(eq(t.loginId, loginId)).returning({ loginId: t.loginId })).length > 0;
}
