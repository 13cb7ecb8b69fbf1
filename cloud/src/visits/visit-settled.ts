import type { VisitRow } from './visit-view.ts';

type Settled = Pick<VisitRow, 'paymentStatus' | 'unitsMet' | 'quota'>;

/** Whether something of a visit was paid, invoiced or taken from a quota: that cannot go to another visit. */
export function isPaidFor({ paymentStatus, unitsMet, quota }: Settled): boolean {
  if (unitsMet > 0 || (quota?.units ?? 0) > 0) return true;
  return (
    paymentStatus === 'kiosk' || paymentStatus === 'company-invoice' || paymentStatus === 'owner-invoice'
  );
}
