import { randomUUID } from 'node:crypto';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { callerName, type TokenCaller } from '../auth/caller.ts';
import type { Tx } from '../db/db.ts';
import { auditTable } from './audit-table.ts';

/** Who does something, and when: what a use case needs to know of the request behind it. */
export interface Actor {
  caller: TokenCaller;
  at: UtcTime;
  requestId: string;
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

/** Writes a change into the audit log, in the transaction that makes it. */
export async function audit(tx: Tx, actor: Actor, change: AuditedChange): Promise<void> {
  await tx.q.insert(auditTable).values({
    id: randomUUID(),
    at: actor.at,
    by: callerName(actor.caller),
    ...change,
    requestId: actor.requestId,
  });
}
