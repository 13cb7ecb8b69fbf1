import { randomInt } from 'node:crypto';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq } from '../../platform/db/sql.ts';
import { hashSecret } from '../../platform/token-secret.ts';
import { recoveryCodeTable as t } from '../../records/second-factors/second-factor-table.ts';

const CODES = 10;
const GROUPS = 4;
const GROUP_LETTERS = 4;
/** Letters that are not mistaken for one another. Four groups are 80 bits: one round of SHA-256 is enough. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Makes ten codes in place of those that are left. They are shown once, and stored nowhere. */
export async function renewRecoveryCodes(q: Queries, loginId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await q.delete(t).where(eq(t.loginId, loginId));
  await q.insert(t).values(codes.map((code) => ({ hash: hashOf(loginId, code), loginId })));
  return codes;
}

/** Whether this is a code that is left. It is used up by that. */
export async function useRecoveryCode(q: Queries, loginId: string, typed: string): Promise<boolean> {
  const used = await q
    .delete(t)
    .where(and(eq(t.hash, hashOf(loginId, typed)), eq(t.loginId, loginId)))
    .returning({ hash: t.hash });
  return used.length > 0;
}

export async function deleteRecoveryCodes(q: Queries, loginId: string): Promise<void> {
  await q.delete(t).where(eq(t.loginId, loginId));
}

function newCode(): string {
  const group = () =>
    Array.from({ length: GROUP_LETTERS }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return Array.from({ length: GROUPS }, group).join('-');
}

function hashOf(loginId: string, code: string): string {
  return hashSecret(`${loginId} ${code.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')}`);
}
