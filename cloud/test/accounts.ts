import { z } from 'zod';
import { API_KEY, type Json, type TestApi } from './api.ts';

/** The password of every account that tests register here. */
export const PASSWORD = 'þrjár gular kýr';

export const account = (fields: Json = {}): Json => ({
  role: 'customer',
  status: 'active',
  name: 'Anna',
  ...fields,
});

/** An account of a new customer (null: of none), and what it logs in with. Anna has a national id. */
export async function register(
  api: TestApi,
  email: string,
  fields: Json = {},
  customer: Json | null = { language: 'is' },
) {
  const ssn = email.startsWith('anna@') ? '120160-3389' : null;
  const authentication = { email, password: PASSWORD, ssn };
  const body = { account: account(fields), authentication, ...(customer === null ? {} : { customer }) };
  return await api.made('/accounts', body);
}

/** @returns the token */
export async function logIn(api: TestApi, email: string): Promise<string> {
  const body = { device_uuid: 'd1', provider: 'password', id: email, password: PASSWORD };
  const answer = await api.call('POST', '/auth/login', {
    token: null,
    body,
    headers: { 'x-api-key': API_KEY },
  });
  return z.string().parse(answer.body['access_token']);
}

/** The ids of a list's answer. */
export async function idsIn(api: TestApi, path: string, token = api.operator): Promise<string[]> {
  const { body } = await api.call('GET', path, { token });
  return z
    .array(z.looseObject({ id: z.string() }))
    .parse(body['data'])
    .map(({ id }) => id);
}
