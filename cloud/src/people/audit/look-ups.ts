import { nowUtc } from '@hlid/node/clock';
import { TypedTextSchema } from '@hlid/protocol/base/card-number';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import type { Context, MiddlewareHandler } from 'hono';
import { callerName } from '../../platform/http/caller.ts';
import { actorOf, type CloudEnv, type CoreContext } from '../../platform/http/cloud-env.ts';
import { inputError } from '../../platform/http/errors.ts';
import { routeOf } from '../../platform/http/router.ts';
import { audit } from './audit.ts';
import { hasLookedUp } from './audit-store.ts';

/**
 * The purpose for which a person looks up a plate; percent-encoded if it has other letters than English ones.
 */
const HEADER = 'X-Purpose';
const PurposeSchema = TypedTextSchema.trim().min(1).max(200);

/** The parameters that may name a plate: `q` of `GET /search`, the others of any list. */
const PARAMETERS = ['plate', 'near', 'prefix', 'q'];
const MIN_LENGTH = 2;
/** Longer texts are no plates. */
const MAX_LENGTH = 12;
/** A repeated look-up within this time is not a second one: pages of a list, a list that is read again. */
const ONCE_IN_MS = 10 * MINUTE_MS;

/** Notes in the audit log which plates operators look up, and what for. */
export function noteLookUps({ db, clock }: CoreContext): MiddlewareHandler<CloudEnv> {
  return async (c, next) => {
    const caller = c.get('caller');
    const plates = platesIn(c);
    if (plates.length === 0 || caller?.kind !== 'account' || caller.role !== 'operator') return await next();
    const purpose = purposeOf(c);
    if (purpose === undefined) return inputError(c, mistake('purpose-form', HEADER));
    await next();
    if (c.res.status !== 200) return;
    const actor = actorOf(c, clock);
    const since = utcTime(millis(nowUtc(clock)) - ONCE_IN_MS);
    for (const plate of plates) {
      const lookUp = { by: callerName(caller), plate, since };
      if (await db.read((q) => hasLookedUp(q, lookUp))) continue;
      await db.write((tx) =>
        audit(tx, actor, {
          action: 'plate.look-up',
          subject: 'plate',
          subjectId: plate,
          reason: purpose,
          siteId: c.req.query('siteId') ?? null,
          before: null,
          after: { route: routeOf(c)?.name ?? '' },
        }),
      );
    }
  };
}

function platesIn(c: Context<CloudEnv>): string[] {
  if (c.req.method !== 'GET') return [];
  const path = routeOf(c)?.path ?? '';
  const texts = [
    ...PARAMETERS.map((name) => c.req.query(name)),
    path.startsWith('/vehicle/:plate') ? decodeURIComponent(c.req.path.split('/')[2] ?? '') : undefined,
  ];
  const plates = texts.flatMap((text) => (text === undefined ? [] : [normalisePlate(text)]));
  return [...new Set(plates)].filter(({ length }) => length >= MIN_LENGTH && length <= MAX_LENGTH);
}

/** The purpose of a look-up; null: none is given; undefined: it is no text that may be stored. */
function purposeOf(c: Context): string | null | undefined {
  const header = c.req.header(HEADER);
  if (header === undefined) return null;
  try {
    return PurposeSchema.safeParse(decodeURIComponent(header)).data;
  } catch {
    return undefined;
  }
}
