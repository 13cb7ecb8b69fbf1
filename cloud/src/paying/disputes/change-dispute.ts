import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { auditOf } from '../../people/audit/audit.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { type Actor, ALL_ROWS, callerName, ownRows } from '../../platform/http/caller.ts';
import { isStale, STALE } from '../../platform/http/etag.ts';
import { NOT_FOUND, type Refused, type RefusedEdit, refusedInput } from '../../platform/refused.ts';
import {
  type DisputeRow,
  disputeMessageTable,
  type MESSAGE_SIDES,
  disputeTable as t,
} from '../../records/disputes/dispute-table.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { withdrawDispute } from './answer-dispute.ts';
import { DISPUTE_ACTIONS } from './dispute-actions.ts';
import type { DisputeLinks } from './dispute-links.ts';
import { messageMail, queueDisputeMail } from './dispute-mail.ts';
import type { DisputeEdit } from './dispute-view.ts';
import { seesDispute, versionOf } from './find-dispute.ts';

const auditChange = auditOf<DisputeRow>('dispute', ({ answerBy, language }) => ({ answerBy, language }));

/** The office gives a dispute another deadline, or another address for the answer. */
export async function editDispute(
  db: Db,
  actor: Actor,
  id: string,
  { answerBy, email, language, reason }: DisputeEdit,
): Promise<{ ok: true } | RefusedEdit> {
  return await db.write(async (tx) => {
    const before = await openDisputeOf(tx, actor, id);
    if (!('row' in before)) return before;
    const { row } = before;
    if (isStale(actor, versionOf(row))) return STALE;
    const isMoved = answerBy !== undefined && answerBy !== row.answerBy;
    if (isMoved && reason === undefined) return refusedInput(mistake('required', 'reason'));
    if (isMoved && answerBy <= actor.at) {
      return refusedInput(mistake('deadline-past', 'answerBy'));
    }
    const after = {
      ...row,
      answerBy: answerBy ?? row.answerBy,
      email: email === undefined ? row.email : email,
      language: language ?? row.language,
    };
    await tx.q
      .update(t)
      .set({ answerBy: after.answerBy, email: after.email, language: after.language })
      .where(eq(t.id, id));
    await auditChange(tx, actor, 'dispute.update', row, after, reason);
    await changed(tx, actor, row);
    return { ok: true };
  });
}

/** The person who contests, or the office, adds a message; that of the office is mailed. */
export async function writeMessage(
  { db, links }: { db: Db; links: Pick<DisputeLinks, 'of' | 'prepare'> },
  actor: Actor,
  id: string,
  text: string,
): Promise<{ ok: true } | Refused> {
  await links.prepare();
  return await db.write(async (tx) => {
    const before = await openDisputeOf(tx, actor, id);
    if (!('row' in before)) return before;
    const { row } = before;
    const side = ownRows(actor.caller).all ? 'office' : 'driver';
    const added = await addMessage(tx, actor, row, { side, text });
    if (!added.ok || side === 'driver') return added;
    const visit = row.visitId === null ? null : await findVisitRow(tx.q, row.visitId, ALL_ROWS);
    const link = row.source === 'customer' ? null : await links.of(id, row.language);
    const mail = await messageMail(tx.q, row, visit, link, text);
    if (mail !== null) await queueDisputeMail(tx, mail, visit, actor.at);
    return { ok: true };
  });
}

/** The most messages of one side: a person who has more to say calls. */
const MAX_OF_SIDE = 30;

export async function addMessage(
  tx: Tx,
  actor: Actor,
  row: DisputeRow,
  { side, text }: { side: (typeof MESSAGE_SIDES)[number]; text: string },
): Promise<{ ok: true } | Refused> {
  const m = disputeMessageTable;
  const before = await tx.q.select({ side: m.side }).from(m).where(eq(m.disputeId, row.id));
  if (before.filter((one) => one.side === side).length >= MAX_OF_SIDE) {
    return refusedInput(mistake('disputed-often', 'text'));
  }
  await tx.q.insert(m).values({ disputeId: row.id, side, by: callerName(actor.caller), text, at: actor.at });
  await changed(tx, actor, row);
  return { ok: true };
}

/** The person who contests gives it up, or an operator does for them. */
export async function withdraw(db: Db, actor: Actor, id: string): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const before = await openDisputeOf(tx, actor, id);
    return 'row' in before ? await withdrawDispute(tx, actor, before.row) : before;
  });
}

async function openDisputeOf(tx: Tx, actor: Actor, id: string): Promise<{ row: DisputeRow } | Refused> {
  const row = await tx.q.select().from(t).where(eq(t.id, id)).get();
  if (row === undefined || !seesDispute(row, ownRows(actor.caller))) return NOT_FOUND;
  const why = DISPUTE_ACTIONS.edit.refuse(row);
  return why === null ? { row } : refusedInput(why);
}

async function changed(tx: Tx, { at }: Actor, { id: subjectId, siteId }: DisputeRow): Promise<void> {
  await recordEvent(tx, { type: 'dispute.changed', subjectId, siteId, at });
}
