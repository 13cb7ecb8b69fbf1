import type { Clock } from '@hlid/node/clock';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { KioskFault } from '@hlid/protocol/pages/kiosk-api';
import type { ClaimVisitCommand } from '@hlid/protocol/site-link/commands';
import type { GroupCommit } from '../db/group-commit.ts';
import type { SiteStays } from '../site/site-stays.ts';
import type { PaymentStore } from './payment-store.ts';

/**
 * A phone is about to pay for a visit: the kiosk takes nothing for it from now on. It runs between the orders of the kiosk, so
 * one of the two is first.
 *
 * @returns why the phone must not pay; null: it may
 */
export async function claimVisit(
  parts: {
    stays: Pick<SiteStays, 'visits' | 'onlinePayments'>;
    store: Pick<PaymentStore, 'ofVisit'>;
    commit: Pick<GroupCommit, 'run'>;
    clock: Clock;
  },
  {
    visitId,
    paymentId,
    unitsMet,
    paidMinor,
  }: Pick<ClaimVisitCommand, 'visitId' | 'paymentId' | 'unitsMet' | 'paidMinor'>,
): Promise<KioskFault | null> {
  const { stays, store, commit, clock } = parts;
  return await commit.run((): KioskFault | null => {
    if (store.ofVisit(visitId) !== undefined) return 'payment-under-way';
    const visit = stays.visits.get(visitId);
    // The visit was paid here a moment ago, and the cloud has not received that yet.
    if (visit && (visit.unitsMet > unitsMet || visit.paidMinor > paidMinor)) return 'amount-changed';
    stays.onlinePayments.claim(visitId, paymentId, utcTime(clock.now()));
    return null;
  });
}
