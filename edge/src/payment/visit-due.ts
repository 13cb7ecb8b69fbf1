import type { Product } from '@hlid/protocol/product';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import { type VisitStanding, visitStanding } from '@hlid/protocol/visit-due';
import { decideForVisit } from '../decision/decide-at-lane.ts';
import type { SiteStays } from '../site-core.ts';
import type { Bill, PaymentStore } from './payment-store.ts';

/** How a visit stands with what it owes. */
export interface VisitDue extends VisitStanding {
  visit: Visit;
  /** By which it is priced; null: there is no price. */
  product: Product | null;
  /** Of a payment under way, or waiting for a person. */
  paymentId: string | null;
}

/** What visits owe now, by the rules of the exit: the kiosk asks for what the gate would ask for. */
export interface VisitDues {
  /** Undefined: there is no such visit. */
  of(visitId: string, at: UtcTime): VisitDue | undefined;
  /** Days in advance; null: they cannot be bought for it. */
  daysInAdvance(due: VisitDue, days: number, at: UtcTime): { amountMinor: number; units: number } | null;
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
      return { visit, ...stands, standing, product, paymentId };
    },

    daysInAdvance({ visit, product }, days, at) {
      if (product === null || product.priceMinor === 0 || visit.endedAt !== null) return null;
      const rest = prices.price({ ...visit, unitsMet: visit.unitsMet + days }, at);
      // With less than what is due already nobody may leave.
      if (rest === null || rest.amountMinor > 0) return null;
      return { amountMinor: days * product.priceMinor, units: days };
    },

    isWanted(visitId, amountMinor, bill, at) {
      const visit = visits.get(visitId);
      if (!visit || visit.status === 'completed') return false;
      if (visit.unitsMet !== bill.unitsMet || visit.paidMinor !== bill.paidMinor) return false;
      if (bill.inAdvance) return visit.endedAt === null;
      return (prices.price(visit, visit.endedAt ?? at)?.amountMinor ?? 0) >= amountMinor;
    },
  };
}
