import type { VisitRow } from '../list/visit-view.ts';

type Settled = Pick<VisitRow, 'paymentStatus' | 'unitsMet' | 'paidMinor' | 'quota'>;

/** Whether something of a visit was paid, invoiced or taken from a quota: that cannot go to another visit. */
export function isPaidFor({ paymentStatus, unitsMet, paidMinor, quota }: Settled): boolean {
  if (unitsMet > 0 || paidMinor > 0 || (quota?.units ?? 0) > 0) return true;
  return (
    paymentStatus === 'kiosk' || paymentStatus === 'company-invoice' || paymentStatus === 'owner-invoice'
  );
}
