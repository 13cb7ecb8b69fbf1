import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { SessionHolder } from '../../src/people/auth/tokens.ts';
import { passkeyTable, totpTable } from '../../src/records/second-factors/second-factor-table.ts';
import type { TestApi } from '../api.ts';
import { account, type FuzzRow, type MakeRow, PASSWORD } from './people.ts';

const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const FROM_PAGE = { 'sec-fetch-site': 'same-origin' };

/** A person who is logged in by a browser, at a row of their own account. */
async function browser(api: TestApi, n: number, fields: Partial<SessionHolder> = {}) {
  const { id, email, loginId } = await account(api, n);
  const headers = await api.session(id, { loginId, ...fields });
  return { row: { path: { id }, headers } satisfies FuzzRow, email, loginId };
}

function codeNow(api: TestApi): string {
  return new TOTP({ secret: Secret.fromBase32(SECRET) }).generate({ timestamp: Date.parse(api.now()) });
}

async function addTotp(api: TestApi, loginId: string, isConfirmed: boolean): Promise<void> {
  const confirmedAt = isConfirmed ? api.now() : null;
  await api.db.write(async ({ q }) => {
    await q.insert(totpTable).values({ loginId, secret: SECRET, confirmedAt, createdAt: api.now() });
  });
}

async function addPasskey(api: TestApi, loginId: string): Promise<string> {
  const id = randomUUID();
  const fields = { name: 'Telephone', publicKey: 'AA', counter: 0, transports: [], createdAt: api.now() };
  await api.db.write(async ({ q }) => void (await q.insert(passkeyTable).values({ id, loginId, ...fields })));
  return id;
}

/** How to make what calls of sessions and of second factors are about. */
export const SESSION_ROWS: Readonly<Record<string, MakeRow>> = {
  'POST /session': async (api, n) => {
    const { email } = await browser(api, n);
    return { headers: FROM_PAGE, body: { id: email, password: PASSWORD } };
  },
  'POST /session/passkey/options': async () => ({ headers: FROM_PAGE }),
  'POST /session/passkey/verify': async () => ({ headers: FROM_PAGE }),
  'DELETE /session': async (api, n) => (await browser(api, n)).row,
  'POST /session/totp': async (api, n) => {
    const { row, loginId } = await browser(api, n, { scope: 'second-factor' });
    await addTotp(api, loginId, true);
    return { ...row, body: { code: codeNow(api) } };
  },
  'POST /session/step-up/options': async (api, n) => (await browser(api, n)).row,
  'POST /session/step-up': async (api, n) => ({
    ...(await browser(api, n)).row,
    body: { password: PASSWORD },
  }),
  '* /accounts/{id}/passkeys': async (api, n) => (await browser(api, n)).row,
  '* /accounts/{id}/passkeys/{passkeyId}': async (api, n) => {
    const { row, loginId } = await browser(api, n);
    return { ...row, path: { ...row.path, passkeyId: await addPasskey(api, loginId) } };
  },
  '* /accounts/{id}/totp': async (api, n) => (await browser(api, n)).row,
  'DELETE /accounts/{id}/totp': async (api, n) => {
    const { row, loginId } = await browser(api, n);
    await addTotp(api, loginId, true);
    return row;
  },
  'POST /accounts/{id}/totp/confirm': async (api, n) => {
    const { row, loginId } = await browser(api, n);
    await addTotp(api, loginId, false);
    return { ...row, body: { code: codeNow(api) } };
  },
  'POST /accounts/{id}/recovery-codes': async (api, n) => {
    const { row, loginId } = await browser(api, n);
    await addTotp(api, loginId, true);
    return row;
  },
};
