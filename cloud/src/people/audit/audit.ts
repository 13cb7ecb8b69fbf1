import { newId } from '@hlid/node/new-id';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Tx } from '../../platform/db/db.ts';
import { preparedInsert } from '../../platform/db/prepared-insert.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import { auditTable } from '../../records/audit/audit-table.ts';

/** A part of the cloud that does something by itself, such as `billing`. */
export function cloudActor(part: string, at: UtcTime): Actor {
  return { caller: { kind: 'cloud', part }, at, requestId: part };
}

/** The change of a record. `before` null: made; `after` null: deleted. No secrets in either. */
export interface AuditedChange {
  subject: string;
  subjectId: string;
  action: string;
  before: unknown;
  after: unknown;
  reason?: string | null;
  /** Absent: of no site, or of several, unless the subject is one. */
  siteId?: string | null;
}

const addLine = preparedInsert(auditTable);

/** Writes a change into the audit log, in the transaction that makes it. */
export async function audit(tx: Tx, actor: Actor, change: AuditedChange): Promise<void> {
  await addLine(tx.q, {
    id: newId(),
    at: actor.at,
    by: callerName(actor.caller),
    ...change,
    reason: change.reason ?? null,
    siteId: change.siteId ?? (change.subject === 'site' ? change.subjectId : null),
    requestId: actor.requestId,
  });
}

/** Records in the audit log that a row was created, changed or removed. */
type RowAudit<Row> = (
  tx: Tx,
  actor: Actor,
  action: string,
  before: Row | null,
  after: Row | null,
  reason?: string | null,
) => Promise<void>;

/**
 * The audit of rows of one kind.
 *
 * @param shown what of a row goes into the log: no secrets
 */
export function auditOf<Row extends { id: string }>(
  subject: string,
  shown: (row: Row) => unknown,
): RowAudit<Row> {
  return auditUnder(subject, ({ id }) => id, shown);
}

/** The same as `auditOf` for rows that belong to another record and are listed under its id. */
export function auditUnder<Row>(
  subject: string,
  idOf: (row: Row) => string,
  shown: (row: Row) => unknown,
): RowAudit<Row> {
  return async (tx, actor, action, before, after, reason) => {
    const row = after ?? before;
    if (row === null) return;
    await audit(tx, actor, {
      action,
      subject,
      subjectId: idOf(row),
      siteId: siteOf(row),
      before: before && shown(before),
      after: after && shown(after),
      ...(reason !== undefined && { reason }),
    });
  };
}

/** The site of a row that has a column for it, else null. */
function siteOf(row: unknown): string | null {
  const siteId = typeof row === 'object' && row !== null && 'siteId' in row ? row.siteId : null;
  return typeof siteId === 'string' ? siteId : null;
}
