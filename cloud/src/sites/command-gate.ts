import { randomUUID } from 'node:crypto';
import type { CommandAction } from '@hlid/protocol/commands';
import { audit } from '../audit/audit.ts';
import type { CommandAnswer, CommandSender } from '../broker/command-sender.ts';
import type { Db } from '../db/db.ts';
import { type Actor, callerName } from '../http/caller.ts';
import { findSite } from './find-sites.ts';

/** What is wanted of a site's gates, and why. */
export interface GateRequest {
  siteId: string;
  /** Null: every lane. */
  laneId: string | null;
  action: CommandAction;
  reason: string;
}

/**
 * Sends an operator's command for a gate to its site. The command is in the audit log before the site gets it,
 * and what came of it after.
 *
 * @returns null where there is no such site
 */
export async function commandGate(
  db: Db,
  sender: CommandSender,
  actor: Actor,
  request: GateRequest,
): Promise<(CommandAnswer & { id: string }) | null> {
  const { siteId, laneId, action, reason } = request;
  const id = randomUUID();
  const change = { subject: 'site', subjectId: siteId, action: `gate.${action}`, reason };
  const wanted = await db.write(async (tx) => {
    if ((await findSite(tx.q, siteId)) === null) return false;
    await audit(tx, actor, { ...change, before: null, after: { id, laneId } });
    return true;
  });
  if (!wanted) return null;
  const by = callerName(actor.caller);
  const answer = await sender.send({ id, siteId, action, laneId, by, reason });
  await db.write(async (tx) => {
    const after = { id, laneId, ...answer };
    await audit(tx, actor, { ...change, action: `${change.action}.answer`, before: null, after });
  });
  return { id, ...answer };
}
