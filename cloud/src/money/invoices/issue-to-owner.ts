import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Tx } from '../../platform/db/db.ts';
import { hasOpenDispute } from '../../records/disputes/find-disputes.ts';
import { payerOfPlate } from '../../records/vehicles/payer-of-plate.ts';
import { waitingOwnerInvoices } from './invoice-store.ts';
import { issueWaitingInvoice } from './issue-invoice.ts';

/**
 * Issues the owner invoices for a plate that wait for their payer, once the vehicle's owner is known. Those
 * of contested visits wait for the answer.
 *
 * @param visitId a visit that received the plate after its invoice was made
 */
export async function issueToOwner(
  tx: Tx,
  plate: string,
  at: UtcTime,
  visitId: string | null = null,
): Promise<void> {
  const waiting = await waitingOwnerInvoices(tx.q, plate, visitId);
  const payer = waiting.length === 0 ? null : await payerOfPlate(tx.q, plate);
  if (payer === null) return;
  for (const draft of waiting) {
    if (draft.visitId !== null && (await hasOpenDispute(tx.q, { visitId: draft.visitId }))) continue;
    const { ssn: payerSsn, name: payerName } = payer;
    // The visit may have had another plate when it was settled.
    const lines = draft.lines.map((line) => ({ ...line, plate }));
    const named = { ...draft, lines, payerSsn, payerName, modifiedAt: at };
    await issueWaitingInvoice(tx, { ...named, number: null, issuedAt: null }, at);
  }
}
