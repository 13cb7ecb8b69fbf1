import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Allowance } from '../../people/auth/allowance.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { type Actor, ownRows, type TokenCaller } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { visitForPermit } from '../../records/visits/find-visits.ts';
import { addEntry, type EntryResult, newRow, refuseEntry } from './change-whitelist.ts';
import { chooseAuthor, type EntryAuthor } from './entry-author.ts';
import { allowanceMistakes, latestEnd } from './permit-allowance.ts';
import type { EntryRow, VisitEntry } from './whitelist-entry.ts';

/**
 * Covers a visit by a temporary entry: the whole of it, or its time up to a moment. An account with
 * `free-parking-time` gives that many minutes from the start, and no more; without, one that is no operator's gives
 * only time that is still to come.
 */
export async function whitelistVisit(
  db: Db,
  actor: Actor,
  visitId: string,
  body: VisitEntry,
): Promise<EntryResult> {
  return await db.write(async (tx) => {
    const visit = await visitForPermit(tx.q, visitId, ownRows(actor.caller));
    if (visit === null) return NOT_FOUND;
    const planned = await planEntry(tx.q, actor, visit, body);
    return planned.ok ? await addEntry(tx, actor, planned.author, planned.entry) : planned;
  });
}

/** Why a caller cannot give a visit a permit now; null: it can. */
export async function refusePermit(
  q: Queries,
  actor: Pick<Actor, 'at'> & { caller: TokenCaller },
  visit: PermitVisit,
): Promise<Mistake | null> {
  const planned = await planEntry(q, actor, visit, { reason: '' });
  const refused = planned.ok ? await refuseEntry(q, actor, planned.author, planned.entry) : planned;
  if (refused === null) return null;
  if (refused.reason === 'already-there') return refused.mistake;
  return refused.reason === 'input' ? (refused.mistakes[0] ?? null) : null;
}

type PermitVisit = NonNullable<Awaited<ReturnType<typeof visitForPermit>>>;

async function planEntry(
  q: Queries,
  actor: Pick<Actor, 'caller' | 'at'>,
  visit: PermitVisit,
  body: VisitEntry,
): Promise<{ ok: true; author: EntryAuthor; entry: EntryRow } | Refused> {
  const { id: visitId, plate, startedAt, siteId } = visit;
  if (plate === null) return refusedInput(mistake('no-plate-yet'));
  if (visit.status === 'completed') return refusedInput(mistake('visit-is-over'));
  // The debt of an ended visit stays: a permit would hold for its next stays instead.
  if (visit.endedAt !== null) return refusedInput(mistake('visit-has-ended'));
  const chosen = await chooseAuthor(q, actor.caller, undefined);
  if (!chosen.ok) return chosen;
  const { author } = chosen;
  const terms = termsOf(author, startedAt, body, actor.at);
  if ('ok' in terms) return terms;
  const entry: EntryRow = {
    ...newRow(actor, author, { plate, reason: body.reason }),
    ...terms,
    visitId: terms.type === 'visit' ? visitId : null,
    siteId,
    effect: 'allow',
    rules: [],
    status: 'active',
    collection: null,
  };
  const mistakes = author.allowance === null ? [] : allowanceMistakes(author.allowance, entry, actor.at);
  return mistakes.length > 0 ? refusedInput(...mistakes) : { ok: true, author, entry };
}

type Terms = Pick<EntryRow, 'type' | 'activeFrom' | 'expireAt'>;

function termsOf(author: EntryAuthor, startedAt: UtcTime, body: VisitEntry, now: UtcTime): Terms | Refused {
  const minutes = author.options['free-parking-time'];
  const { allowance } = author;
  if (allowance !== null && !minutes) return comingTerms(allowance, body, now);
  const latest = minutes === undefined ? null : utcTime(millis(startedAt) + minutes * MINUTE_MS);
  if (latest === null && body.expireOn === undefined && body.type !== 'time') {
    return { type: 'visit', activeFrom: null, expireAt: null };
  }
  if (body.type === 'visit') {
    return latest === null
      ? refusedInput(mistake('no-end-of-visit', 'expireOn'))
      : refusedInput(mistake('part-of-visit', 'type', { minutes: minutes ?? 0 }));
  }
  const expireAt = body.expireOn ?? latest;
  if (expireAt === null) return refusedInput(mistake('end-needed', 'expireOn'));
  if (expireAt <= startedAt) return refusedInput(mistake('end-before-visit', 'expireOn'));
  if (latest !== null && expireAt > latest) {
    return refusedInput(mistake('visit-time-used-up', 'expireOn', { minutes: minutes ?? 0, latest }));
  }
  return { type: 'time', activeFrom: startedAt, expireAt };
}

/** The rest of the visit, for an account that may not cover the past. */
function comingTerms(allowance: Allowance, body: VisitEntry, now: UtcTime): Terms | Refused {
  if (body.type === 'visit') return refusedInput(mistake('operators-cover-visits', 'type'));
  if (!allowance.afterArrival) return refusedInput(mistake('not-after-arrival'));
  const expireAt = body.expireOn ?? latestEnd(allowance, now);
  if (expireAt === null) return refusedInput(mistake('end-needed', 'expireOn'));
  if (expireAt <= now) return refusedInput(mistake('no-past-time', 'expireOn'));
  return { type: 'time', activeFrom: now, expireAt };
}
