import { afterEach, beforeEach } from 'vitest';
import { z } from 'zod';
import { mailJob } from '../src/people/mail/send-mail.ts';
import { mailTable } from '../src/records/mail/mail-table.ts';
import { API_KEY, createTestApi, type Json, type TestApi } from './api.ts';

export const OLD = 'þrjár gular kýr';
export const NEW = 'ein blá hæna';
export const EMAIL = 'anna@example.is';

/** A customer's account with one login, new for each test of the file that calls this. */
export function useLogins() {
  const logins = {
    api: undefined as unknown as TestApi,
    /** The account's id. */
    id: '',

    async register(email: string, fields: Json = {}, customer: Json | null = { language: 'en' }) {
      const made = await logins.api.made('/accounts', {
        account: { role: 'customer', status: 'active', name: 'Anna', ...fields },
        ...(customer === null ? {} : { customer }),
        authentication: { email, password: OLD, ssn: email === EMAIL ? '120160-3389' : null },
      });
      return made.id;
    },

    logIn(fields: Json = {}) {
      const body = { device_uuid: 'd1', provider: 'password', id: EMAIL, password: OLD, ...fields };
      return logins.api.call('POST', '/auth/login', { token: null, body, headers: { 'x-api-key': API_KEY } });
    },

    async tokenOf(fields: Json = {}): Promise<string> {
      return z.string().parse((await logins.logIn(fields)).body['access_token']);
    },

    async loginId(account?: string): Promise<string> {
      const { body } = await logins.api.call('GET', `/accounts/${account ?? logins.id}/logins`);
      const [login] = z.array(z.looseObject({ tokenId: z.string() })).parse(body['data']);
      return login?.tokenId ?? '';
    },

    recover(email = EMAIL) {
      const headers = { 'x-api-key': API_KEY };
      return logins.api.call('POST', '/accounts/recover-password', { token: null, headers, body: { email } });
    },

    mails: () => logins.api.db.read(async (q) => await q.select().from(mailTable)),

    /** Sends what waits. @returns the token of the newest link */
    async linkToken(): Promise<string> {
      const sent: string[] = [];
      const mailer = {
        async send({ text }: { text: string }) {
          sent.push(text);
          return { ok: true } as const;
        },
        close: () => undefined,
      };
      const { db, clock, context } = logins.api;
      const run = mailJob({ db, clock, log: context.log, mailer });
      await run.work({ now: logins.api.now(), signal: new AbortController().signal });
      return /https:\/\/hlid\.example\/recover\?token=([\w-]+)/.exec(sent.at(-1) ?? '')?.[1] ?? '';
    },
    works: async (token: string) => (await logins.api.call('GET', '/ping/token', { token })).status === 200,
  };

  beforeEach(async () => {
    logins.api = await createTestApi();
    logins.id = await logins.register(EMAIL);
  });
  afterEach(() => logins.api.close());
  return logins;
}
