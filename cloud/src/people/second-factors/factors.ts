import { DAY_MS } from '@hlid/protocol/base/durations';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { and, asc, count, eq, inArray, isNotNull } from '../../platform/db/sql.ts';
import {
  passkeyTable,
  recoveryCodeTable,
  totpTable,
} from '../../records/second-factors/second-factor-table.ts';
import { countAttempt, forgetAttempts } from '../auth/attempt-limit.ts';
import { deleteRecoveryCodes, useRecoveryCode } from './recovery-codes.ts';
import { useTotp } from './totp.ts';

export type PasskeyRow = typeof passkeyTable.$inferSelect;

/** The factors of a login beside its password. */
export interface Factors {
  /** The time since which there are codes by time; null: there are none. */
  totpSince: UtcTime | null;
  passkeys: PasskeyRow[];
  /** How many are left. */
  recoveryCodes: number;
}

export async function factorsOf(q: Queries, loginId: string): Promise<Factors> {
  const [totp] = await q.select().from(totpTable).where(eq(totpTable.loginId, loginId));
  const [codes] = await q
    .select({ n: count() })
    .from(recoveryCodeTable)
    .where(eq(recoveryCodeTable.loginId, loginId));
  const passkeys = await passkeysOf(q, [loginId]);
  return { totpSince: totp?.confirmedAt ?? null, passkeys, recoveryCodes: codes?.n ?? 0 };
}

export async function passkeysOf(q: Queries, loginIds: readonly string[]): Promise<PasskeyRow[]> {
  if (loginIds.length === 0) return [];
  return await q
    .select()
    .from(passkeyTable)
    .where(inArray(passkeyTable.loginId, [...loginIds]))
    .orderBy(asc(passkeyTable.createdAt), asc(passkeyTable.id));
}

export async function hasSecondFactor(q: Queries, loginId: string): Promise<boolean> {
  const totp = await q
    .select({ loginId: totpTable.loginId })
    .from(totpTable)
    .where(and(eq(totpTable.loginId, loginId), isNotNull(totpTable.confirmedAt)))
    .get();
  if (totp !== undefined) return true;
  const passkey = await q
    .select({ id: passkeyTable.id })
    .from(passkeyTable)
    .where(eq(passkeyTable.loginId, loginId))
    .limit(1)
    .get();
  return passkey !== undefined;
}

/** Recovery codes stand in for another factor: with the last one they go. */
export async function dropLoneCodes(q: Queries, loginId: string): Promise<void> {
  if (!(await hasSecondFactor(q, loginId))) await deleteRecoveryCodes(q, loginId);
}

const TOTP_CODE = /^\s*(\d\s*){6}$/;

/**
 * Wrong codes by time: five in a quarter of an hour and thirty a day leave a guess no chance worth trying. Only who has
 * the password can use them up; passkeys and recovery codes, which cannot be guessed, are not held up by it.
 */
const TOTP_LIMITS = { soon: 5, day: 30 } as const;
const RECOVERY_CODE_LIMIT = 10;

export type CodeResult =
  | { ok: true; by: 'totp' | 'recovery-code' }
  | { ok: false; reason: 'wrong' }
  | { ok: false; reason: 'too-many'; retryAfterSeconds: number };

/** Whether a code is good: one by time, or a recovery code. It is used by that; each attempt counts before it is looked at. */
export async function useCode(q: Queries, loginId: string, code: string, now: UtcTime): Promise<CodeResult> {
  const isTotp = TOTP_CODE.test(code);
  const soon = isTotp
    ? { key: `totp ${loginId}`, limit: TOTP_LIMITS.soon }
    : { key: `recovery-code ${loginId}`, limit: RECOVERY_CODE_LIMIT };
  const day = { key: `totp-day ${loginId}`, limit: TOTP_LIMITS.day, windowMs: DAY_MS };
  const wait = await countAttempt(q, isTotp ? [soon, day] : [soon], now);
  if (wait !== null) return { ok: false, reason: 'too-many', retryAfterSeconds: wait };
  const good = isTotp ? await useTotp(q, loginId, code, now) : await useRecoveryCode(q, loginId, code);
  if (!good) return { ok: false, reason: 'wrong' };
  await forgetAttempts(q, [soon.key, ...(isTotp ? [day.key] : [])]);
  return { ok: true, by: isTotp ? 'totp' : 'recovery-code' };
}
