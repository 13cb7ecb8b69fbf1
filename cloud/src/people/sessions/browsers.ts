import { nowUtc } from '@hlid/node/clock';
import type { Context } from 'hono';
import { addressOf, agentOf } from '../../platform/http/address-of.ts';
import type { CloudEnv, CoreContext } from '../../platform/http/cloud-env.ts';
import { ServerSecret } from '../../platform/http/server-secret.ts';
import { browserCookie, sessionCookie, setBrowserCookie } from '../auth/session-cookie.ts';
import { tokenLogin } from '../auth/tokens.ts';
import { readTrustedBrowser, TRUSTED_MS, trustBrowser } from '../auth/trusted-browser.ts';
import type { Browser } from './open-session.ts';

/** The browsers that call: their sessions, and the logins that were used in them before. */
export class Browsers {
  readonly #context: CoreContext;
  readonly #secret: ServerSecret;

  constructor(context: CoreContext) {
    this.#context = context;
    this.#secret = new ServerSecret(context, 'trusted-browsers');
  }

  async of(c: Context<CloudEnv>): Promise<Browser> {
    const trusted = readTrustedBrowser(
      await this.#secret.get(),
      browserCookie(c),
      nowUtc(this.#context.clock),
    );
    return { address: addressOf(c), agent: agentOf(c), cookie: sessionCookie(c), trusted };
  }

  /** Trusts the browser after a login in it. */
  async trust(c: Context<CloudEnv>, tokenId: string): Promise<void> {
    const { db, clock } = this.#context;
    const loginId = await db.read((q) => tokenLogin(q, tokenId));
    if (loginId === null) return;
    const { trusted } = await this.of(c);
    const sealed = trustBrowser(await this.#secret.get(), trusted, loginId, nowUtc(clock));
    setBrowserCookie(c, sealed, TRUSTED_MS);
  }
}
