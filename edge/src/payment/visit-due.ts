import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Visit } from '@hlid/protocol/records/visit';
import { type LeavingTimes, NO_LEAVING_TIMES } from '@hlid/protocol/rules/leave-by';
import { isStillDue, type PayableVisit } from '@hlid/protocol/rules/payment-order';
import { visitStanding } from '@hlid/protocol/rules/visit-due';
import { decideForVisit, leavingTimesOf } from '../decision/decide-at-lane.ts';
import type { SiteStays } from '../site/site-stays.ts';
import { NO_FEE, type ServiceFee } from '../visit/service-fee.ts';
import type { Bill, PaymentStore } from './payment-store.ts';

/** How a visit stands, with what it owes. */
export interface VisitDue extends PayableVisit {
  /** The payment that is under way or needs a person. */
  paymentId: string | null;
}

/**
 * The amounts that visits owe now, by the rules of the exit: the kiosk demands what the gate would demand.
 */
export class VisitDues {
  readonly #stays: Pick<SiteStays, 'visits' | 'facts' | 'prices' | 'onlinePayments'>;
  readonly #payments: Pick<PaymentStore, 'ofVisit'>;

  constructor(
    stays: Pick<SiteStays, 'visits' | 'facts' | 'prices' | 'onlinePayments'>,
    payments: Pick<PaymentStore, 'ofVisit'>,
  ) {
    this.#stays = stays;
    this.#payments = payments;
  }

  /** Undefined: there is no such visit. */
  of(visitId: string, at: UtcTime): VisitDue | undefined {
    const { visits, facts, prices, onlinePayments } = this.#stays;
    const visit = visits.get(visitId);
    if (!visit) return undefined;
    const payment = this.#payments.ofVisit(visitId)?.payment ?? null;
    const product = prices.product(visit, visit.endedAt ?? at);
    const paymentId = payment?.id ?? null;
    const stands = visitStanding(visit, (plate) => decideForVisit(plate, facts, at));
    const isPaying = stands.standing === 'due' && onlinePayments.isUnderWay(visitId, at);
    const isChecking = payment?.state === 'unknown' || isPaying;
    const standing = isChecking ? ('checking' as const) : stands.standing;
    const priceOf = (other: Visit) => prices.price(other, at);
    return { visit, ...stands, standing, product, priceOf, paymentId };
  }

  /** The times until which a car that is inside may leave without paying more. */
  leavingTimes({ plate, endedAt }: Visit, at: UtcTime): LeavingTimes {
    if (plate === null || endedAt !== null) return NO_LEAVING_TIMES;
    return leavingTimesOf(plate, this.#stays.facts, at);
  }

  /** The site's fee for paying at the kiosk what is due. */
  serviceFee({ product }: VisitDue, at: UtcTime): ServiceFee {
    return product === null ? NO_FEE : this.#stays.prices.kioskFee(product, at);
  }

  /**
   * Whether a payment is still due: nothing was paid, waived or ended since it was ordered.
   *
   * @param amountMinor of the payment without its fees
   */
  isWanted(visitId: string, amountMinor: number, bill: Bill, at: UtcTime): boolean {
    const { visits, prices } = this.#stays;
    const visit = visits.get(visitId);
    const owed = () => (visit && prices.price(visit, visit.endedAt ?? at)?.amountMinor) ?? 0;
    return isStillDue(visit, { amountMinor, ordered: bill }, owed);
  }
}
