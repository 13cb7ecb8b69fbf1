import { newId } from '@hlid/node/new-id';
import type { GateReason } from '@hlid/protocol/records/gate-reason';
import type { CommandAction } from '@hlid/protocol/site-link/commands';
import { audit } from '../../people/audit/audit.ts';
import type { CommandAnswer, CommandSender } from '../../platform/broker/command-sender.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { type ActingCaller, type Actor, callerName } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused } from '../../platform/refused.ts';
import { findAccount } from '../../records/accounts/find-account.ts';
import type { OpeningSettlement } from '../../records/gates/opening-settlement.ts';
import type { OpeningRow } from '../../records/gates/opening-table.ts';
import { findSite } from '../../records/sites/find-sites.ts';
import type { SettledAs } from './gate-call.ts';
import { checkOpening, dropOpening, noteOpening, settleOpening } from './settle-opening.ts';

/** A command of an operator to a site's gates, and its reason. */
export interface GateRequest {
  siteId: string;
  /** Null: every lane. */
  laneId: string | null;
  action: CommandAction;
  reasonCode: GateReason | null;
  note: string;
  /** The car that is meant; null: whichever stands there. */
  passageId: string | null;
  lapseMinutes: number | null;
  /** How the car's visit is settled; null: only as the gate's opening does it. */
  money: { visitId: string; settlement: OpeningSettlement } | null;
}

/** @property settled how the visit was settled; null: it was not */
export type GateAnswer = CommandAnswer & { ok: true; id: string; settled: SettledAs | null };

/**
 * Sends an operator's command for a gate to its site. The command is in the audit log before the site gets it, and its
 * outcome after. What is to be settled is stored with the command, and settled unless the gate certainly did not move.
 */
export async function commandGate(
  db: Db,
  sender: CommandSender,
  actor: Actor,
  request: GateRequest,
): Promise<GateAnswer | Refused> {
  const { siteId, laneId, action, reasonCode, note: reason, passageId, lapseMinutes, money } = request;
  const id = newId();
  const opening = money && laneId !== null ? openingOf(actor, id, { ...request, laneId, money }) : null;
  const change = { subject: 'site', subjectId: siteId, action: `gate.${action}`, reason };
  const wanted = await db.write(async (tx) => {
    if ((await findSite(tx.q, siteId)) === null) return NOT_FOUND;
    if (opening) {
      const checked = await checkOpening(tx.q, actor, opening);
      if (!checked.ok) return checked;
      await noteOpening(tx, actor, id, opening);
    }
    const after = { id, laneId, reasonCode, passageId, lapseMinutes, ...money };
    await audit(tx, actor, { ...change, before: null, after });
    return { ok: true, name: await nameOf(tx.q, actor.caller) } as const;
  });
  if (!wanted.ok) return wanted;
  const by = callerName(actor.caller);
  const why = { by, name: wanted.name, reasonCode, reason };
  const answer = await sender.send({ id, siteId, action, laneId, ...why, passageId, lapseMinutes });
  const settled = await db.write(async (tx) => {
    const after = { id, laneId, ...answer };
    await audit(tx, actor, { ...change, action: `${change.action}.answer`, before: null, after });
    if (opening === null) return null;
    if (mayHaveMoved(answer)) return await settleOpening(tx, actor, opening);
    await dropOpening(tx, id);
    return null;
  });
  return { ok: true, id, ...answer, settled };
}

/** Whether the car may have left: the gate opened, or that is uncertain. */
function mayHaveMoved({ outcome }: CommandAnswer): boolean {
  return outcome === 'done' || outcome === 'unknown' || outcome === 'no-answer';
}

function openingOf(
  { caller, requestId, at }: Actor,
  id: string,
  request: GateRequest & { laneId: string; money: NonNullable<GateRequest['money']> },
): OpeningRow {
  const { siteId, laneId, money, note, reasonCode } = request;
  return { id, siteId, laneId, ...money, reasonCode: reasonCode ?? 'other', note, caller, requestId, at };
}

/** The operator's name, for people at the site. */
async function nameOf(q: Queries, caller: ActingCaller): Promise<string | null> {
  return caller.kind === 'account' ? ((await findAccount(q, caller.accountId))?.name ?? null) : null;
}
