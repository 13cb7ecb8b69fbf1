import { nowUtc } from '@hlid/node/clock';
import { type OfficeLanguage, OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { inputMistakes } from '@hlid/protocol/base/mistakes/input-mistakes';
import { REFUSAL_WORDS } from '@hlid/protocol/base/mistakes/refusals/refusal-words';
import { refusalLine } from '@hlid/protocol/base/mistakes/say-refusal';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { addressOf } from '../../platform/http/address-of.ts';
import { type Actor, ALL_RIGHTS } from '../../platform/http/caller.ts';
import type { CloudEnv, CoreContext } from '../../platform/http/cloud-env.ts';
import { ErrorBodySchema, REFUSALS, tooManyRequests } from '../../platform/http/errors.ts';
import { FORM_POLICY } from '../../platform/http/page-style.ts';
import { json } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { findLoginById, type LoginOfAccount } from '../../records/accounts/find-logins.ts';
import { countAttempt } from '../auth/attempt-limit.ts';
import { NewPasswordSchema } from '../auth/password-rules.ts';
import { findRecovery } from '../auth/recovery-links.ts';
import { changePassword } from './change-password.ts';
import { mayLogIn } from './recover-password.ts';
import { linkExpiredPage, passwordPage, passwordSetPage } from './recovery-page.ts';

/** The most wrong links within 15 minutes: a secret of 256 bits cannot be guessed. */
const MISSES = 300;

const tags = ['Accounts'];
const page = (description: string) => ({ description, content: { 'text/html': { schema: z.string() } } });
const TokenSchema = z.string().max(100);
const LangSchema = OfficeLanguageSchema.optional();

const formRoute = createRoute({
  method: 'get',
  path: '/recover',
  tags,
  summary: 'Show the password reset page',
  description:
    'For a person with the link; no login. It changes nothing: the link is used when the form is ' + 'sent.',
  request: { query: z.object({ token: TokenSchema.optional(), lang: LangSchema }) },
  responses: {
    200: page('A form for the new password'),
    410: page('The link is no longer valid'),
    ...REFUSALS.input,
    ...REFUSALS.tooMany,
  },
});

const setRoute = createRoute({
  method: 'post',
  path: '/recover',
  tags,
  summary: 'Set a new password from the reset page; all tokens of the account are revoked',
  request: {
    body: {
      content: {
        'application/x-www-form-urlencoded': {
          schema: z.object({ token: TokenSchema, password: z.string().max(1024), lang: LangSchema }),
          example: { token: '…', password: 'a new and long password', lang: 'is' },
        },
      },
    },
  },
  responses: {
    200: page('The password is set'),
    400: {
      description: 'The form again, because the password is too weak; or an invalid form',
      content: { 'text/html': { schema: z.string() }, ...json(ErrorBodySchema) },
    },
    410: page('The link is no longer valid'),
    ...REFUSALS.tooMany,
  },
});

const HEADERS = {
  'Content-Security-Policy': FORM_POLICY,
  'X-Robots-Tag': 'noindex, nofollow',
  'Cache-Control': 'private, no-store',
} as const;

/** The routes of the page for setting a new password in place of a forgotten one. */
export function recoveryRoutes({ db, clock }: CoreContext) {
  return createRouter()
    .openapi(formRoute, async (c) => {
      const { token = '', lang = 'is' } = c.req.valid('query');
      if ((await loginOf(token)) === null) return await expired(c, lang);
      return c.html(passwordPage(lang, token), 200, HEADERS);
    })
    .openapi(setRoute, async (c) => {
      const { token, password, lang = 'is' } = c.req.valid('form');
      const found = await loginOf(token);
      if (found === null) return await expired(c, lang);
      const good = NewPasswordSchema.safeParse(password);
      if (!good.success) {
        const mistakes = inputMistakes(good.error).map((found) => refusalLine(found, REFUSAL_WORDS[lang]));
        return c.html(passwordPage(lang, token, mistakes), 400, HEADERS);
      }
      const set = await setPassword(found, good.data, c);
      return set ? c.html(passwordSetPage(lang), 200, HEADERS) : await expired(c, lang);
    });

  async function loginOf(token: string): Promise<LoginOfAccount | null> {
    const now = nowUtc(clock);
    return await db.read(async (q) => {
      const loginId = await findRecovery(q, token, now);
      const found = loginId === null ? null : await findLoginById(q, loginId);
      return found !== null && mayLogIn(found, now) ? found : null;
    });
  }

  async function setPassword(
    { login, account }: LoginOfAccount,
    password: string,
    c: Context<CloudEnv>,
  ): Promise<boolean> {
    const { id: accountId, role, customerId } = account;
    const recovering = { loginId: login.id };
    const caller = {
      kind: 'account',
      accountId,
      role,
      customerId,
      tokenId: 'recovery',
      recovering,
      rights: ALL_RIGHTS,
    } as const;
    const actor: Actor = { caller, at: nowUtc(clock), requestId: c.get('requestId') };
    const change = { accountId, loginId: login.id, password, currentPassword: undefined };
    return (await changePassword(db, actor, { ...change, address: addressOf(c) })).ok;
  }

  async function expired(c: Context<CloudEnv>, lang: OfficeLanguage) {
    const limits = [{ key: `recovery-page ${addressOf(c)}`, limit: MISSES }];
    const wait = await db.write(({ q }) => countAttempt(q, limits, nowUtc(clock)));
    return wait === null ? c.html(linkExpiredPage(lang), 410, HEADERS) : tooManyRequests(c, wait);
  }
}
