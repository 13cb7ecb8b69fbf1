import type { Visit, VisitEdit, VisitWithHistory } from './visit-api.ts';

export type Before = Pick<Visit, 'status' | 'endedOn' | 'paymentStatus'>;
/** A visit as the cloud answers a change of it. */
export type After = Pick<VisitWithHistory, 'paymentStatus' | 'actions'>;

/** Payments and invoices that were made are taken back by a refund only. */
const FINAL: readonly (Visit['paymentStatus'] | undefined)[] = ['kiosk', 'owner-invoice', 'failed'];

/** The edit that takes the closing of a visit back; null: it cannot be taken back. */
export function undoOfClosing(before: Before, after: After, reason: string): VisitEdit | null {
  if (before.status === 'completed' || !after.actions.includes('reopen')) return null;
  if (FINAL.includes(after.paymentStatus) || before.status === 'need-plate') return null;
  return before.endedOn === null
    ? { status: 'new', endedOn: null, reason }
    : { status: 'need-payment', reason };
}

/**
 * The edit that takes the reopening of a completed visit back; null: its settlement would be booked again.
 */
export function undoOfReopening(before: Before, reason: string): VisitEdit | null {
  const { paymentStatus, endedOn } = before;
  if (paymentStatus !== null && paymentStatus !== 'void' && paymentStatus !== 'whitelisted') return null;
  return { status: 'completed', endedOn, reason, ...(paymentStatus !== null && { paymentStatus }) };
}
