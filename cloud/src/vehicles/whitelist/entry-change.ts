import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Allowance } from '../../people/auth/allowance.ts';
import type { Queries } from '../../platform/db/db.ts';
import { type ActingCaller, type OwnRows, ownRows, seesSite, sitesOf } from '../../platform/http/caller.ts';
import { NO_SUCH_SITE } from '../../records/sites/choose-site.ts';
import { knownSiteIds } from '../../records/sites/find-sites.ts';
import { type VisitForPermit, visitsForPermits } from '../../records/visits/find-visits.ts';
import { chooseAuthor } from './entry-author.ts';
import {
  allowanceMistakes,
  beginNow,
  countHeld,
  isLive,
  numberMistake,
  startsNewAllowance,
} from './permit-allowance.ts';
import type { EntryRow } from './whitelist-entry.ts';

/** The records that entries name: one read for all of a page. */
interface References {
  /** The sites that are there. */
  siteIds: ReadonlySet<string>;
  /** The visits that the caller may see, by their ids. */
  visits: ReadonlyMap<string, VisitForPermit>;
}

/** The facts that decide about changes of entries beside these. */
export interface ChangeFacts extends References {
  own: OwnRows;
  at: UtcTime;
  /** Null: an operator's is without limits. */
  allowance: Allowance | null;
  /** How many entries of an author hold or will, for the authors of entries that do not. */
  held: ReadonlyMap<string, number>;
}

export async function readReferences(
  q: Queries,
  own: OwnRows,
  entries: readonly EntryRow[],
): Promise<References> {
  return {
    siteIds: await knownSiteIds(
      q,
      namesOf(entries, ({ siteId }) => siteId),
    ),
    visits: await visitsForPermits(
      q,
      namesOf(entries, ({ visitId }) => visitId),
      own,
    ),
  };
}

/** The facts for changes by a caller. The number of queries does not grow with that of the entries. */
export async function readChangeFacts(
  q: Queries,
  { caller, at }: { caller: ActingCaller; at: UtcTime },
  entries: readonly EntryRow[],
): Promise<ChangeFacts> {
  const own = ownRows(caller);
  const chosen = await chooseAuthor(q, caller, undefined);
  const allowance = chosen.ok ? chosen.author.allowance : null;
  const held = new Map<string, number>();
  const notLive = allowance === null ? [] : entries.filter((entry) => !isLive(entry, at));
  for (const author of namesOf(notLive, (entry) => entry.author)) {
    held.set(author, await countHeld(q, allowance, author, at));
  }
  return { own, at, allowance, held, ...(await readReferences(q, own, entries)) };
}

function namesOf(entries: readonly EntryRow[], nameOf: (entry: EntryRow) => string | null): string[] {
  return [...new Set(entries.map(nameOf).filter((name) => name !== null))];
}

/**
 * A change of an entry as the caller may make it, and all that is wrong with it.
 *
 * @param asked the entry as it is to be
 */
export function planChange(
  { own, at, allowance, held, ...references }: ChangeFacts,
  before: EntryRow,
  asked: EntryRow,
): { entry: EntryRow; mistakes: Mistake[] } {
  const isNew = allowance !== null && startsNewAllowance(before, asked, at);
  const entry = isNew ? beginNow(asked, allowance, at) : asked;
  const mistakes = entryMistakes(entry, own, references);
  if (allowance !== null && entry.status !== 'deleted') {
    mistakes.push(...allowanceMistakes(allowance, entry, at, before));
    const full = isLive(before, at) ? null : numberMistake(allowance, entry, at, held.get(entry.author) ?? 0);
    if (full !== null) mistakes.push(full);
  }
  const blocked = refuseBlock({ own }, before);
  if (blocked !== null) mistakes.push(blocked);
  return { entry, mistakes };
}

/** Why the caller changes nothing of an entry; null: it may. */
export function refuseBlock({ own }: Pick<ChangeFacts, 'own'>, { effect }: EntryRow): Mistake | null {
  return effect === 'block' && !own.all ? OPERATORS_BLOCK : null;
}

const OPERATORS_BLOCK = mistake('operators-block', 'objectType');

/** The mistakes of an entry that sites are to hold; a deleted one need not make sense. */
export function entryMistakes(entry: EntryRow, own: OwnRows, { siteIds, visits }: References): Mistake[] {
  const { type, visitId, activeFrom, expireAt, effect, siteId, plate } = entry;
  if (entry.status === 'deleted') return [];
  const mistakes: Mistake[] = [];
  const blocked = refuseBlock({ own }, entry);
  if (blocked !== null) mistakes.push(blocked);
  if (type === 'time' && expireAt === null) mistakes.push(mistake('end-needed', 'expireOn'));
  if (activeFrom !== null && expireAt !== null && expireAt <= activeFrom) {
    mistakes.push(mistake('end-before-start', 'expireOn'));
  }
  if (siteId !== null && !siteIds.has(siteId)) mistakes.push(NO_SUCH_SITE);
  else if (siteId === null ? sitesOf(own) !== null : !seesSite(own, siteId)) {
    mistakes.push(mistake('site-needed', 'siteId'));
  }
  if (type !== 'visit') {
    if (visitId !== null) mistakes.push(mistake('visit-for-type-visit', 'visitId'));
    return mistakes;
  }
  if (effect === 'block') mistakes.push(mistake('type-visit-allows', 'objectType'));
  if (visitId === null) return [...mistakes, mistake('visit-needed', 'visitId')];
  const visit = visits.get(visitId);
  if (visit === undefined) mistakes.push(mistake('not-found', 'visitId', { what: 'visit' }));
  else if (visit.plate !== plate) mistakes.push(mistake('plate-of-another-visit', 'plate'));
  else if (visit.siteId !== siteId) mistakes.push(mistake('site-of-another-visit', 'siteId'));
  return mistakes;
}
