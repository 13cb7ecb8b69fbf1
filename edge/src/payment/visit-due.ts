import type { KioskDue } from '@hlid/protocol/kiosk-api';
import type { Price } from '@hlid/protocol/price-visit';
import type { Product } from '@hlid/protocol/product';
import type { UtcTime } from '@hlid/protocol/utc-time';
import type { Visit } from '@hlid/protocol/visit';
import type { Demand } from '@hlid/protocol/visit-course';
import { decideForVisit } from '../decision/decide-at-lane.ts';
import type { SiteStays } from '../site-core.ts';
import type { Bill, PaymentStore } from './payment-store.ts';

/** How a visit stands with what it owes. */
export interface VisitDue {
  visit: Visit;
  standing: KioskDue['standing'];
  /** What is to be paid now; null: nothing. */
  demand: (Demand & { price: Price }) | null;
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
  function standingOf(visit: Visit, at: UtcTime): Pick<VisitDue, 'standing' | 'demand'> {
    if (visit.endedAt !== null) return { standing: 'ended', demand: null };
    if (visit.plate === null) return { standing: 'need-plate', demand: null };
    const { decision, price, quota } = decideForVisit(visit.plate, facts, at);
    if (price === null) return { standing: 'no-price', demand: null };
    switch (decision.reason) {
      case 'need-payment':
      // Nobody is sent a bill who would rather pay.
      case 'owner-invoice':
        return { standing: 'due', demand: { price, quota, flags: [] } };
      case 'paid':
        return { standing: 'paid', demand: null };
      case 'whitelisted':
        return { standing: 'whitelisted', demand: null };
      case 'company-invoice':
      case 'quota':
        return { standing: 'invoiced', demand: null };
      default:
        return { standing: 'nothing-due', demand: null };
    }
  }

  return {
    of(visitId, at) {
      const visit = visits.get(visitId);
      if (!visit) return undefined;
      const payment = payments.ofVisit(visitId)?.payment ?? null;
      const product = prices.product(visit, visit.endedAt ?? at);
      const paymentId = payment?.id ?? null;
      const stands = standingOf(visit, at);
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
