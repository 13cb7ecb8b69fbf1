import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { CloudEnv } from '../../platform/http/cloud-env.ts';

/**
 * Browsers accept a cookie with the prefix only from the host itself, by TLS or from localhost, and for every
 * path.
 */
const NAME = 'hlid';
const OPTIONS = { path: '/', secure: true, httpOnly: true, sameSite: 'Strict', prefix: 'host' } as const;

/** The secret of a browser's session; undefined: it has none. */
export function sessionCookie(c: Context<CloudEnv>): string | undefined {
  return getCookie(c, NAME, 'host');
}

/** Gives the browser its session, which ends there when the session does. */
export function setSessionCookie(c: Context<CloudEnv>, secret: string, lifeMs: number): void {
  setCookie(c, NAME, secret, { ...OPTIONS, maxAge: Math.ceil(lifeMs / 1000) });
}

const BROWSER = 'hlid-browser';

/** The cookie of a known browser (trusted-browser.ts); it outlives its sessions. */
export function browserCookie(c: Context<CloudEnv>): string | undefined {
  return getCookie(c, BROWSER, 'host');
}

export function setBrowserCookie(c: Context<CloudEnv>, sealed: string, lifeMs: number): void {
  setCookie(c, BROWSER, sealed, { ...OPTIONS, maxAge: Math.ceil(lifeMs / 1000) });
}

export function clearSessionCookie(c: Context<CloudEnv>): void {
  deleteCookie(c, NAME, OPTIONS);
}
