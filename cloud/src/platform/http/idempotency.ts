import { createHmac } from 'node:crypto';
import { nowUtc } from '@hlid/node/clock';
import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Context, MiddlewareHandler } from 'hono';
import type { Db } from '../db/db.ts';
import { and, eq, lt } from '../db/sql.ts';
import type { ScheduledRun } from '../jobs/scheduled-runs.ts';
import { callerName } from './caller.ts';
import type { CloudEnv, CoreContext } from './cloud-env.ts';
import { conflict, inputError } from './errors.ts';
import { idempotencyTable as t } from './idempotency-table.ts';
import { routeOf } from './router.ts';
import { ServerSecret } from './server-secret.ts';

const HEADER = 'Idempotency-Key';
const KEY = /^[\x21-\x7e]{1,255}$/;
const KEPT_MS = DAY_MS;
const WRITING = new Set(['POST', 'PUT', 'DELETE']);

/** Tokens are in what they answer, and are kept nowhere: the header does nothing there. */
const SECRETS = new Set([
  'POST /auth/login',
  'POST /auth/login/stefna/init',
  'POST /auth/login/stefna/authenticate',
  'POST /auth/login/stefna/status',
  'POST /recover',
  'POST /session',
  'POST /session/totp',
  'POST /session/step-up',
  'POST /session/step-up/options',
  'POST /session/passkey/options',
  'POST /session/passkey/verify',
  'POST /accounts/:id/passkeys/options',
  'POST /accounts/:id/passkeys',
  'POST /accounts/:id/totp',
  'POST /accounts/:id/totp/confirm',
  'POST /accounts/:id/recovery-codes',
  'POST /pay/api/driver/open',
  'POST /pay/api/driver/electronic-id/connect',
  'POST /admin/create-role-bearer-token',
  'POST /admin/create-photo-token',
  'POST /sites',
  'POST /sites/:id/credentials',
  'POST /sites/:id/enrolment',
  'POST /edge/enrol',
  'POST /webhooks',
  'POST /edge/pay-link',
  'POST /visit/:id/pay-link',
  'POST /invoice/:id/pay-link',
  'POST /accounts/:id/change-password',
]);

/** Passwords are in what they are asked: the same call with another password counts as the same. */
const WITH_PASSWORD = new Set(['POST /accounts', 'POST /accounts/:id/logins', 'POST /customers']);

/** Whether the header counts on that route, as the access table names it. */
export function takesIdempotencyKey(route: string): boolean {
  const [method = ''] = route.split(' ');
  return WRITING.has(method) && !SECRETS.has(route);
}

/**
 * A changing call with an `Idempotency-Key` is done once: a repetition within a day receives the first
 * answer. Refusals for bad input are not kept. A call whose outcome is not known (still under way, or broken
 * off by a crash) is never done again: 409.
 */
export function idempotency({ db, clock }: CoreContext): MiddlewareHandler<CloudEnv> {
  const secret = new ServerSecret({ db, clock }, 'idempotency');
  return async (c, next) => {
    const key = c.req.header(HEADER);
    const caller = c.get('caller');
    const route = routeOf(c)?.name ?? '';
    if (key === undefined || caller === null || !WRITING.has(c.req.method) || SECRETS.has(route)) {
      return await next();
    }
    if (!KEY.test(key)) return inputError(c, mistake('key-form', HEADER));
    const place = { caller: callerName(caller), key };
    const fingerprint = await fingerprintOf(c, await secret.get(), WITH_PASSWORD.has(route));
    const known = await begin(db, { ...place, fingerprint, createdAt: nowUtc(clock) });
    if (known !== null) {
      if (known.fingerprint !== fingerprint) return inputError(c, mistake('key-used-otherwise', HEADER));
      if (known.status === null) return conflict(c, mistake('outcome-unknown'));
      return replay(known, known.status);
    }
    let kept = false;
    try {
      await next();
      kept = isKept(c.res.status);
    } finally {
      if (!kept) await db.write(async ({ q }) => void (await q.delete(t).where(at(place))));
    }
    const { status, headers } = c.res;
    const body = await c.res.clone().text();
    const answer = {
      status,
      location: withoutToken(headers.get('location')),
      contentType: headers.get('content-type'),
      body,
    };
    await db.write(async ({ q }) => void (await q.update(t).set(answer).where(at(place))));
    return undefined;
  };
}

type Row = typeof t.$inferSelect;

/** Writes down that a call begins. @returns what is known of the key, where it was used before */
async function begin(
  db: Db,
  row: Pick<Row, 'caller' | 'key' | 'fingerprint' | 'createdAt'>,
): Promise<Row | null> {
  return await db.write(async ({ q }) => {
    const [known] = await q.select().from(t).where(at(row));
    if (known !== undefined) return known;
    await q.insert(t).values(row);
    return null;
  });
}

function at({ caller, key }: { caller: string; key: string }) {
  return and(eq(t.caller, caller), eq(t.key, key));
}

/** The fingerprint of a call; no password and no card can be guessed by it. */
async function fingerprintOf(c: Context<CloudEnv>, secret: string, withPassword: boolean): Promise<string> {
  const body = withPassword
    ? withoutPasswords(await c.req.text())
    : new Uint8Array(await c.req.arrayBuffer());
  const { pathname, search } = new URL(c.req.url);
  return createHmac('sha256', secret)
    .update(`${c.req.method} ${pathname}${search}\n`)
    .update(body)
    .digest('hex');
}

function withoutPasswords(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), (key, value) => (key === 'password' ? undefined : value));
  } catch {
    // It is refused anyhow, and what is refused is not kept.
    return '';
  }
}

/** A token for the address is for the one who got it first, and for minutes. */
function withoutToken(location: string | null): string | null {
  return location?.replace(/[?&]access_token=[^&]*/, '') ?? null;
}

/** The answer is kept where the call was done, or had been done before. */
function isKept(status: number): boolean {
  return status < 400 || status === 422;
}

function replay({ body, location, contentType }: Row, status: number): Response {
  const headers = new Headers({ 'Idempotency-Replayed': 'true' });
  if (location !== null) headers.set('Location', location);
  if (contentType !== null) headers.set('Content-Type', contentType);
  return new Response(status === 204 ? null : body, { status, headers });
}

/** Forgets keys a day after their call. */
export function idempotencyCleanupJob(db: Db): ScheduledRun {
  return {
    name: 'idempotency-cleaning',
    everyMs: HOUR_MS,
    async work({ now }: { now: UtcTime }) {
      const before = utcTime(millis(now) - KEPT_MS);
      await db.write(async ({ q }) => void (await q.delete(t).where(lt(t.createdAt, before))));
    },
  };
}
