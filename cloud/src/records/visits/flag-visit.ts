import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { ReviewFlag } from '@hlid/protocol/records/visit';
import type { Tx } from '../../platform/db/db.ts';
import { recordEvent } from '../integration-events/record-event.ts';
import { updateVisitRow } from './visit-store.ts';
import type { VisitRow } from './visit-table.ts';

/** Flags a visit for a person to review, and records the event for integrators. */
export async function flagVisit(tx: Tx, visit: VisitRow, flag: ReviewFlag, at: UtcTime): Promise<void> {
  const flags = [...new Set([...visit.flags, flag])];
  await updateVisitRow(tx.q, { ...visit, flags, modifiedAt: at });
  await recordEvent(tx, { type: 'visit.review', subjectId: visit.id, siteId: visit.siteId, at });
}

/** Removes a flag after its cause is gone. */
export async function clearFlag(tx: Tx, visit: VisitRow, flag: ReviewFlag, at: UtcTime): Promise<void> {
  const flags = visit.flags.filter((other) => other !== flag);
  await updateVisitRow(tx.q, { ...visit, flags, modifiedAt: at });
}
