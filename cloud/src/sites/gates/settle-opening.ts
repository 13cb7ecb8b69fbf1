import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';
import { gateReasonText } from '@hlid/protocol/words/codes/gate-reason-text';
import { audit } from '../../people/audit/audit.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { eq, lt } from '../../platform/db/sql.ts';
import { type Actor, ALL_ROWS } from '../../platform/http/caller.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { type Refused, refusedInput } from '../../platform/refused.ts';
import { billingMethodOf } from '../../records/customers/customer-billing.ts';
import { type OpeningRow, openingTable } from '../../records/gates/opening-table.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { editVisitWithin, planEdit } from '../../stays/visits/edit/edit-visit.ts';
import type { VisitEdit } from '../../stays/visits/edit/visit-commands.ts';
import type { SettledAs } from './gate-call.ts';

type Opening = Pick<OpeningRow, 'siteId' | 'visitId' | 'settlement' | 'reasonCode' | 'note'>;

/**
 * An opening counts as left behind after this time, so that none is settled while its answer may still come.
 */
const LEFT_BEHIND_MS = MINUTE_MS;

/** The edit of the visit that an opening makes; null: none, the office bills it later. */
async function editOf(
  q: Queries,
  opening: Opening,
): Promise<(VisitEdit & { paymentStatus: SettledAs }) | null> {
  const { visitId, settlement, reasonCode, note } = opening;
  if (settlement === 'bill-later') return null;
  const reason = gateReasonText({ reasonCode, note }, CODE_WORDS.en);
  if (settlement === 'paid-elsewhere') return { paymentStatus: 'kiosk', reason };
  if (settlement === 'waived') return { paymentStatus: 'void', reason };
  const visit = await findVisitRow(q, visitId, ALL_ROWS);
  const method = await billingMethodOf(q, visit?.customerId ?? null);
  const paymentStatus = method === 'daily' || method === 'monthly' ? 'company-invoice' : 'owner-invoice';
  return { paymentStatus, reason };
}

/** Whether the visit can be settled so; nothing is changed. */
export async function checkOpening(
  q: Queries,
  actor: Actor,
  opening: Opening,
): Promise<{ ok: true } | Refused> {
  const visit = await findVisitRow(q, opening.visitId, ALL_ROWS);
  if (visit?.siteId !== opening.siteId) {
    return refusedInput(mistake('visit-of-another-site', 'visitId'));
  }
  const edit = await editOf(q, opening);
  if (edit === null) return { ok: true };
  const planned = await planEdit(q, actor, opening.visitId, edit);
  return planned.ok ? { ok: true } : planned;
}

/** Stores what is to be settled, in the transaction that stores the command. */
export async function noteOpening(tx: Tx, actor: Actor, id: string, opening: OpeningRow): Promise<void> {
  await tx.q.insert(openingTable).values({ ...opening, id, caller: actor.caller });
}

/** The gate certainly did not move: nothing is settled. */
export async function dropOpening(tx: Tx, id: string): Promise<void> {
  await tx.q.delete(openingTable).where(eq(openingTable.id, id));
}

/** The car has left, or may have: settles its visit. @returns how it was settled; null: it was not */
export async function settleOpening(tx: Tx, actor: Actor, opening: OpeningRow): Promise<SettledAs | null> {
  await dropOpening(tx, opening.id);
  const edit = await editOf(tx.q, opening);
  if (edit === null) return null;
  const settled = await editVisitWithin(tx, actor, opening.visitId, edit);
  if (settled.ok) return edit.paymentStatus;
  // It was settled elsewhere meanwhile: both stand in the audit log.
  const { id, visitId, settlement, siteId } = opening;
  const after = { id, visitId, settlement, refused: settled };
  await audit(tx, actor, { ...SITE_SUBJECT, subjectId: siteId, before: null, after });
  return null;
}

const SITE_SUBJECT = { subject: 'site', action: 'gate.open.unsettled' } as const;

/** Settles what a cloud left behind that ended between a command and its answer. */
export function openingRun(db: Db): ScheduledRun {
  const before = (now: string) => lt(openingTable.at, utcTime(millis(now) - LEFT_BEHIND_MS));
  return {
    name: 'openings',
    everyMs: MINUTE_MS,
    isDue: (now) =>
      db.read(
        async (q) => (await q.select().from(openingTable).where(before(now)).limit(1).get()) !== undefined,
      ),
    async work({ now, signal }) {
      const left = await db.read(async (q) => await q.select().from(openingTable).where(before(now)).all());
      for (const opening of left) {
        if (signal.aborted) return;
        const { caller, requestId } = opening;
        await db.write(async (tx) => void (await settleOpening(tx, { caller, requestId, at: now }, opening)));
      }
    },
  };
}
