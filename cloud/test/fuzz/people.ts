import { randomInt, randomUUID } from 'node:crypto';
import { hashPassword } from '../../src/people/auth/password-hash.ts';
import { insertRecovery, LINK_LIFE_MS } from '../../src/people/auth/recovery-links.ts';
import { issueToken } from '../../src/people/auth/tokens.ts';
import { initSession, prepareIdentification } from '../../src/people/electronic-id/start-identification.ts';
import { makeSecret } from '../../src/platform/token-secret.ts';
import { insertLogin } from '../../src/records/accounts/login-store.ts';
import type { Json, TestApi } from '../api.ts';

/** The row of a call: the one that its path names, and fitting values for the query and the body. */
export interface FuzzRow {
  path?: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  /** The headers of a browser, in place of those of the drawn caller. */
  headers?: Readonly<Record<string, string>>;
  /** Bytes are sent as they are. */
  body?: Json | string | Uint8Array<ArrayBuffer>;
}

/** @param n counts the rows: every few of them are of another kind */
export type MakeRow = (api: TestApi, n: number) => Promise<FuzzRow>;

/** The customer for whom the callers act: about half of the rows are its own. */
export const OWN_CUSTOMER = 'own-customer';
export const OTHER_CUSTOMER = 'other-customer';
export const PASSWORD = 'þrjár gular kýr';
let passwordHash: Promise<string> | undefined;

/** The customer of the nth row. */
export function customerOf(n: number): string {
  return n % 2 === 0 ? OWN_CUSTOMER : OTHER_CUSTOMER;
}

/** An account of that row's customer, with a login and a token. */
export async function account(api: TestApi, n: number) {
  const body = { account: { role: 'partner', status: 'active', customerId: customerOf(n) } };
  const { id } = await api.made('/accounts', body);
  const email = `${id}@example.is`;
  passwordHash ??= hashPassword(PASSWORD);
  const login = {
    id: randomUUID(),
    accountId: id,
    name: email,
    ssn: null,
    passwordHash: await passwordHash,
    expiresAt: null,
    createdAt: api.now(),
  };
  const token = await api.db.write(async ({ q }) => {
    await insertLogin(q, login);
    return await issueToken(q, { accountId: id, deviceUuid: 'phone' }, { from: api.now(), until: null });
  });
  return { id, email, loginId: login.id, tokenId: token.id };
}

/** The link of a mail, and the body that its page sends. */
export const recovery: MakeRow = async (api, n) => {
  const { loginId } = await account(api, n);
  const token = makeSecret();
  await api.db.write(({ q }) => insertRecovery(q, token, loginId, api.now(), LINK_LIFE_MS));
  const form = new URLSearchParams({ token, password: 'ein blá hæna' });
  return { query: { token }, body: new TextEncoder().encode(form.toString()) };
};

export const passwordChange: MakeRow = async (api, n) => {
  const { id, loginId } = await account(api, n);
  return { path: { id }, body: { tokenId: loginId, password: 'ein blá hæna' } };
};

export const loginMove: MakeRow = async (api, n) => {
  const { id, email } = await account(api, n);
  const body = { email, newAccountId: (await account(api, n)).id };
  return { path: { id }, body, query: { email } };
};

/** Every other time with the example's customer, who is there from the first time on. */
export const registration: MakeRow = async (_api, n) => {
  const authentication = { email: `${randomUUID()}@example.is`, password: PASSWORD };
  return { body: { authentication, ...(n % 2 === 0 ? { customer: undefined } : {}) } };
};

export const newCustomer: MakeRow = async (api, n) => {
  if (n % 2 === 0) return { body: { customer: { name: 'Anna', language: 'is' } } };
  return { body: { account: (await account(api, n)).id, customer: { language: 'en' } } };
};

export const login: MakeRow = async (api, n) => {
  const { email } = await account(api, n);
  return { body: { device_uuid: randomUUID(), provider: 'password', id: email, password: PASSWORD } };
};

/** Makes the start of a login by electronic identity. */
export const electronicIdStart: MakeRow = async (api, n) => {
  const { session } = await initSession(api.context, { purpose: 'account' });
  const phone = String(6_000_000 + (n % 1_000_000));
  return { body: { session, method: 'sim', phone, message: n % 2 === 0 ? 'Login' : undefined } };
};

export const electronicIdPoll: MakeRow = async (api) => {
  const { session } = await initSession(api.context, { purpose: 'account' });
  const phone = String(randomInt(6_000_000, 9_000_000));
  const question = { session, method: 'sim', phone, message: 'Login', language: 'is' } as const;
  const prepared = await prepareIdentification(api.context, { ...question, address: randomUUID() });
  if (!prepared.ok) throw new Error(prepared.reason);
  return { body: { session, bearerToken: prepared.pollToken } };
};

export const kioskToken: MakeRow = async (api) => {
  const life = { from: api.now(), until: null };
  const holder = { role: 'kiosk', name: 'A kiosk' } as const;
  return { path: { id: (await api.db.write(async ({ q }) => await issueToken(q, holder, life))).id } };
};
