import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@hlid/protocol/command-line/program';
import { expect, test } from 'vitest';
import { seedOperator } from '../../people/accounts/seed-operator.ts';
import { issueToken, isTokenLive } from '../../people/auth/tokens.ts';
import { factorsOf, hasSecondFactor } from '../../people/second-factors/factors.ts';
import { addPasskey } from '../../people/second-factors/passkeys.ts';
import { renewRecoveryCodes } from '../../people/second-factors/recovery-codes.ts';
import { beginTotp } from '../../people/second-factors/totp.ts';
import { openDb } from '../../platform/db/libsql-db.ts';
import { findLogin } from '../../records/accounts/login-store.ts';
import { auditTable } from '../../records/audit/audit-table.ts';
import { CLOUD_PROGRAM } from './cloud-program.ts';

test('a lone operator who has lost all factors comes in by the password again, and the audit log has it', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hlid-factors-'));
  const now = new Date().toISOString();
  // The cloud runs beside the command.
  const db = await openDb(join(dataDir, 'cloud.db'));
  const run = async (...words: string[]) => {
    const [printed, complaints]: [string[], string[]] = [[], []];
    const code = await runProgram(CLOUD_PROGRAM, words, {
      print: (text) => void printed.push(text),
      complain: (text) => void complaints.push(text),
      environment: { HLID_DATA_DIR: dataDir },
      isTerminal: false,
    });
    return { code, printed: printed.join('\n'), complaint: complaints.join('\n') };
  };
  try {
    await seedOperator(db, { id: 'chief', password: 'a long password' }, { now: () => new Date() });
    const { loginId, accountId, tokenId } = await db.write(async ({ q }) => {
      const found = await findLogin(q, 'chief');
      if (found === null) throw new Error('no login');
      const { login, account } = found;
      await beginTotp(q, login.id, 'chief', now);
      await addPasskey(q, {
        id: 'key',
        loginId: login.id,
        name: 'Telephone',
        publicKey: 'AA',
        counter: 0,
        transports: [],
        createdAt: now,
        usedAt: null,
      });
      await renewRecoveryCodes(q, login.id);
      const holder = { accountId: account.id, deviceUuid: 'd', loginId: login.id };
      const { id } = await issueToken(q, holder, { from: now, until: null });
      return { loginId: login.id, accountId: account.id, tokenId: id };
    });
    expect(await db.read((q) => hasSecondFactor(q, loginId))).toBe(true);

    expect(await run('factors', 'remove', 'nobody')).toMatchObject({
      code: 1,
      complaint: 'there is no login "nobody"',
    });
    const { code, printed } = await run('factors', 'remove', 'Chief', '--reason', 'lost telephone');
    expect(code).toBe(0);
    expect(JSON.parse(printed)).toEqual({
      ok: true,
      accountId,
      totp: true,
      passkeys: 1,
      recoveryCodes: 10,
      sessions: 1,
    });
    expect(await db.read((q) => factorsOf(q, loginId))).toEqual({
      totpSince: null,
      passkeys: [],
      recoveryCodes: 0,
    });
    expect(await db.read((q) => isTokenLive(q, tokenId, new Date().toISOString()))).toBe(false);
    const lines = await db.read(async (q) => await q.select().from(auditTable));
    expect(lines).toMatchObject([
      { action: 'second-factors.remove', subjectId: accountId, reason: 'lost telephone' },
    ]);
    expect(lines[0]?.by).toContain('command-line');
  } finally {
    await db.close();
    rmSync(dataDir, { recursive: true });
  }
});
