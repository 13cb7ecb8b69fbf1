import { newId } from '@hlid/node/new-id';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { foldPlate } from '@hlid/protocol/plate/plate';
import { audit } from '../../people/audit/audit.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { type Actor, ownRows } from '../../platform/http/caller.ts';
import { isStale, STALE } from '../../platform/http/etag.ts';
import { omitUndefined } from '../../platform/omit-undefined.ts';
import { NOT_FOUND, type Refused, type RefusedEdit, refusedInput } from '../../platform/refused.ts';
import { publishChange } from '../../records/feed/publish-change.ts';
import { publishItem } from '../../records/feed/publish-item.ts';
import { visitForPermit } from '../../records/visits/find-visits.ts';
import { chooseAuthor, type EntryAuthor, usualExpiry } from './entry-author.ts';
import { entryMistakes, planChange, readChangeFacts, readReferences } from './entry-change.ts';
import { allowanceMistakes, beginNow, countHeld, numberMistake, onlySite } from './permit-allowance.ts';
import { type EntryEdit, type EntryRow, entryFrom, type NewEntry, permitOf } from './whitelist-entry.ts';
import {
  type EntryWithAuthor,
  entriesOfVisit,
  findEntry,
  findSameEntry,
  insertEntry,
  updateEntryRow,
} from './whitelist-store.ts';

export type EntryResult = { ok: true; found: EntryWithAuthor } | Refused;

/** Adds an entry; the sites where it holds know it at once. */
export async function createEntry(db: Db, actor: Actor, body: NewEntry): Promise<EntryResult> {
  return await db.write(async (tx) => {
    const chosen = await chooseAuthor(tx.q, actor.caller, body.authorId);
    if (!chosen.ok) return chosen;
    const { entry, mistakes } = await draftEntry(tx.q, actor, chosen.author, body);
    if (mistakes.length > 0) return refusedInput(...mistakes);
    return await addEntry(tx, actor, chosen.author, entry);
  });
}

/** The entry that a caller requests, and all that is wrong with it. */
export async function draftEntry(
  q: Queries,
  actor: Actor,
  author: EntryAuthor,
  body: NewEntry,
): Promise<{ entry: EntryRow; mistakes: Mistake[] }> {
  const { allowance } = author;
  const { activeFrom = null } = body;
  const begin = activeFrom !== null && activeFrom > actor.at ? activeFrom : actor.at;
  const asked: EntryRow = {
    ...newRow(actor, author, body),
    type: body.type ?? (body.visitId === undefined ? 'permanent' : 'visit'),
    visitId: body.visitId ?? null,
    siteId: body.siteId ?? (await siteOfVisit(q, body.visitId, actor)),
    effect: body.objectType ?? 'allow',
    activeFrom,
    expireAt: body.expireOn === undefined ? usualExpiry(author, begin) : body.expireOn,
    rules: body.rules ?? [],
    status: body.status ?? 'active',
    collection: body.collection ?? null,
  };
  const own = ownRows(actor.caller);
  const mistakesOf = async (entry: EntryRow) =>
    entryMistakes(entry, own, await readReferences(q, own, [entry]));
  if (allowance === null) return { entry: asked, mistakes: await mistakesOf(asked) };
  const siteId = body.siteId === undefined ? (asked.siteId ?? onlySite(allowance)) : asked.siteId;
  const entry = beginNow({ ...asked, siteId }, allowance, actor.at);
  const wrong = await mistakesOf(entry);
  return { entry, mistakes: [...wrong, ...allowanceMistakes(allowance, entry, actor.at)] };
}

/** Adds an entry that is known to be good, unless the same was made before. */
export async function addEntry(
  tx: Tx,
  actor: Actor,
  author: EntryAuthor,
  entry: EntryRow,
): Promise<EntryResult> {
  const refused = await refuseEntry(tx.q, actor, author, entry);
  if (refused !== null) return refused;
  await insertEntry(tx.q, entry);
  await publishEntry(tx, undefined, entry);
  await auditEntry(tx, actor, 'whitelist.create', null, entry);
  return { ok: true, found: { entry, accountName: author.name, tokenName: null, rank: 0 } };
}

/** Why an entry that is good is not added: the same was made before, or it is one too many. */
export async function refuseEntry(
  q: Queries,
  { caller, at }: Pick<Actor, 'caller' | 'at'>,
  { allowance }: EntryAuthor,
  entry: EntryRow,
): Promise<Refused | null> {
  const same = await findSameEntry(q, entry, ownRows(caller));
  if (same !== null) {
    const why = mistake('entry-taken', [], { plate: entry.plate });
    return { ok: false, reason: 'already-there', id: same.id, mistake: why };
  }
  const full = numberMistake(allowance, entry, at, await countHeld(q, allowance, entry.author, at));
  return full === null ? null : refusedInput(full);
}

/** The fields of every new entry. */
export function newRow(
  actor: Pick<Actor, 'at'>,
  { author, authorId, customerId }: EntryAuthor,
  body: { plate: string; reason: string },
) {
  const { plate, reason } = body;
  return {
    id: newId(),
    plate,
    plateFolded: foldPlate(plate),
    reason,
    author,
    authorId,
    customerId,
    arrivalsOnly: false,
    parkedMinutes: 0,
    createdAt: actor.at,
    modifiedAt: actor.at,
  };
}

/** Changes what is given. An entry that was deleted comes back with another status. */
export async function updateEntry(
  db: Db,
  actor: Actor,
  id: string,
  { objectType, expireOn, authorId, ...edit }: EntryEdit,
): Promise<{ ok: true; found: EntryWithAuthor } | RefusedEdit> {
  return await db.write(async (tx) => {
    const found = await findEntry(tx.q, id, ownRows(actor.caller));
    if (found === null) return NOT_FOUND;
    const before = found.entry;
    if (isStale(actor, before)) return STALE;
    const chosen = authorId === undefined ? null : await chooseAuthor(tx.q, actor.caller, authorId);
    if (chosen?.ok === false) return chosen;
    const { author } = chosen ?? {};
    const asked: EntryRow = {
      ...before,
      ...omitUndefined(edit),
      plateFolded: foldPlate(edit.plate ?? before.plate),
      effect: objectType ?? before.effect,
      expireAt: expireOn === undefined ? before.expireAt : expireOn,
      ...(author && { author: author.author, authorId: author.authorId, customerId: author.customerId }),
    };
    if (canonicalJson(asked) === canonicalJson(before)) return { ok: true, found };
    const facts = await readChangeFacts(tx.q, actor, [before, asked]);
    const { entry: edited, mistakes } = planChange(facts, before, asked);
    if (mistakes.length > 0) return refusedInput(...mistakes);
    const entry = { ...edited, modifiedAt: actor.at };
    await saveEntry(tx, actor, before, entry);
    return { ok: true, found: { ...found, entry, accountName: author?.name ?? found.accountName } };
  });
}

/** Stores a changed entry and notifies the sites. */
export async function saveEntry(tx: Tx, actor: Actor, before: EntryRow, after: EntryRow): Promise<void> {
  await updateEntryRow(tx.q, after);
  await publishEntry(tx, before, after);
  await auditEntry(tx, actor, 'whitelist.update', before, after);
}

/** Takes an entry from the sites; it is kept, as deleted. */
export async function deleteEntry(db: Db, actor: Actor, id: string): Promise<{ ok: true } | RefusedEdit> {
  const deleted = await updateEntry(db, actor, id, { status: 'deleted' });
  return deleted.ok ? { ok: true } : deleted;
}

/** An entry for a visit holds where the visit is. */
async function siteOfVisit(
  q: Queries,
  visitId: string | undefined,
  { caller }: Actor,
): Promise<string | null> {
  if (visitId === undefined) return null;
  return (await visitForPermit(q, visitId, ownRows(caller)))?.siteId ?? null;
}

async function publishEntry(tx: Tx, before: EntryRow | undefined, now: EntryRow): Promise<void> {
  const permit = permitOf(now);
  const heldAt = before && before.status !== 'deleted' ? { before: before.siteId } : {};
  if (permit !== null) {
    const change = { kind: 'permit', op: 'put', id: now.id, item: permit } as const;
    await publishItem(tx, { ...heldAt, now: now.siteId }, change);
  } else if (heldAt.before !== undefined) {
    await publishChange(tx, heldAt.before ?? 'all', { kind: 'permit', op: 'remove', id: now.id });
  }
}

async function auditEntry(
  tx: Tx,
  actor: Actor,
  action: string,
  before: EntryRow | null,
  after: EntryRow,
): Promise<void> {
  await audit(tx, actor, {
    action: after.status === 'deleted' ? 'whitelist.delete' : action,
    subject: 'whitelist',
    subjectId: after.id,
    before: before && entryFrom(before, null),
    after: entryFrom(after, null),
    reason: after.reason,
  });
}

/** A visit's plate was corrected: what covers the visit goes with it. */
export async function followPlate(tx: Tx, actor: Actor, visitId: string, plate: string): Promise<void> {
  for (const before of await entriesOfVisit(tx.q, visitId)) {
    const after = { ...before, plate, plateFolded: foldPlate(plate), modifiedAt: actor.at };
    await saveEntry(tx, actor, before, after);
  }
}
