import type { PayableVisit } from '@hlid/protocol/payment-order';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import { visitStanding } from '@hlid/protocol/visit-due';
import { decideForVisit } from '../decision/decide-at-lane.ts';
import type { SiteStays } from '../site-core.ts';
import type { Bill, PaymentStore } from './payment-store.ts';

/** How a visit stands with what it owes. */
export interface VisitDue extends PayableVisit {
  /** Of a payment under way, or waiting for a person. */
  paymentId: string | null;
}

/** What visits owe now, by the rules of the exit: the kiosk asks for what the gate would ask for. */
export interface VisitDues {
  /** Undefined: there is no such visit. */
  of(visitId: string, at: UtcTime): VisitDue | undefined;
  /** The site's fee for paying at the kiosk what is due; 0: none. */
  serviceFee(due: VisitDue): number;
  /** Whether what a payment is for is still to be paid: nothing was paid, waived or ended meanwhile. */
  isWanted(visitId: string, amountMinor: number, bill: Bill, at: UtcTime): boolean;
}

export function createVisitDues(
  { visits, facts, prices }: Pick<SiteStays, 'visits' | 'facts' | 'prices'>,
  payments: Pick<PaymentStore, 'ofVisit'>,
): VisitDues {
  return {
    of(visitId, at) {
      const visit = visits.get(visitId);
      if (!visit) return undefined;
      const payment = payments.ofVisit(visitId)?.payment ?? null;
      const product = prices.product(visit, visit.endedAt ?? at);
      const paymentId = payment?.id ?? null;
      const stands = visitStanding(visit, (plate) => decideForVisit(plate, facts, at));
      const standing = payment?.state === 'unknown' ? ('checking' as const) : stands.standing;
      const priceOf = (other: Visit) => prices.price(other, at);
      return { visit, ...stands, standing, product, priceOf, paymentId };
    },

    serviceFee: ({ product }) => (product === null ? 0 : prices.kioskFee(product)),

    isWanted(visitId, amountMinor, bill, at) {
      const visit = visits.get(visitId);
      if (!visit || visit.status === 'completed') return false;
      if (visit.unitsMet !== bill.unitsMet || visit.paidMinor !== bill.paidMinor) return false;
      if (bill.inAdvance) return visit.endedAt === null;
      return (prices.price(visit, visit.endedAt ?? at)?.amountMinor ?? 0) >= amountMinor;
    },
  };
}
