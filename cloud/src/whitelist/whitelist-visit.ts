import { MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Actor } from '../audit/audit.ts';
import type { Db } from '../db/db.ts';
import { ownRows } from '../http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../refused.ts';
import { visitForPermit } from '../visits/record/visit-for-permit.ts';
import { addEntry, type EntryResult, newRow } from './change-whitelist.ts';
import { chooseAuthor, type EntryAuthor } from './entry-author.ts';
import { type Allowance, allowanceMistakes, latestEnd } from './permit-allowance.ts';
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
    const { plate, startedAt, siteId } = visit;
    if (plate === null) return refusedInput('The visit has no plate yet.');
    if (visit.status === 'completed') return refusedInput('The visit is completed.');
    const chosen = await chooseAuthor(tx.q, actor.caller, undefined);
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
    const messages = author.allowance === null ? [] : allowanceMistakes(author.allowance, entry, actor.at);
    return messages.length > 0 ? refusedInput(...messages) : await addEntry(tx, actor, author, entry);
  });
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
      ? refusedInput('expireOn: an entry of type visit has no end')
      : refusedInput(`type: your account gives ${minutes} minutes of a visit, not the whole`);
  }
  const expireAt = body.expireOn ?? latest;
  if (expireAt === null) return refusedInput('expireOn: an entry of type time has an end');
  if (expireAt <= startedAt) return refusedInput('expireOn: the end is after the start of the visit');
  if (latest !== null && expireAt > latest) {
    return refusedInput(`expireOn: your account gives ${minutes} minutes of a visit, until ${latest}`);
  }
  return { type: 'time', activeFrom: startedAt, expireAt };
}

/** What is left of the visit, for an account that may not cover what is past. */
function comingTerms(allowance: Allowance, body: VisitEntry, now: UtcTime): Terms | Refused {
  if (body.type === 'visit') return refusedInput('type: only operators cover the whole of a visit');
  if (!allowance.afterArrival) return refusedInput('Your account covers no visit that has begun.');
  const expireAt = body.expireOn ?? latestEnd(allowance, now);
  if (expireAt === null) return refusedInput('expireOn: an entry of type time has an end');
  if (expireAt <= now) return refusedInput('expireOn: your account gives no time that is past');
  return { type: 'time', activeFrom: now, expireAt };
}
