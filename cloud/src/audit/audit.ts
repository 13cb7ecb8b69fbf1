import { randomUUID } from 'node:crypto';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { type ActingCaller, callerName } from '../auth/caller.ts';
import type { Tx } from '../db/db.ts';
import { preparedInsert } from '../db/prepared-insert.ts';
import { auditTable } from './audit-table.ts';

/** Who does something, and when: what a use case needs to know of the request behind it. */
export interface Actor {
  caller: ActingCaller;
  at: UtcTime;
  requestId: string;
}

/** A part of the cloud that does something by itself, such as `billing`. */
export function cloudActor(part: string, at: UtcTime): Actor {
  return { caller: { kind: 'cloud', part }, at, requestId: part };
}

/** What was done to what. `before` null: made; `after` null: taken away. No secrets in either. */
export interface AuditedChange {
  subject: string;
  subjectId: string;
  action: string;
  before: unknown;
  after: unknown;
  reason?: string | null;
}

const addLine = preparedInsert(auditTable);

/** Writes a change into the audit log, in the transaction that makes it. */
export async function audit(tx: Tx, actor: Actor, change: AuditedChange): Promise<void> {
  await addLine(tx.q, {
    id: randomUUID(),
    at: actor.at,
    by: callerName(actor.caller),
    ...change,
    reason: change.reason ?? null,
    requestId: actor.requestId,
  });
}
