import { CLAIM_MS } from '@hlid/protocol/commands';
import { millis, type UtcTime } from '@hlid/protocol/utc-time';
import type { SiteLists } from '../site-lists/site-lists.ts';

interface Claim {
  visitId: string;
  endsAt: number;
}

/**
 * The visits for which a phone is paying just now: by the list of the cloud, and by its claims, which are here before the
 * list is. Nothing else is taken for them.
 */
export class OnlinePayments {
  readonly #lists: Pick<SiteLists, 'onlinePayments'>;
  /** By the id of the payment. */
  readonly #claims = new Map<string, Claim>();

  constructor(lists: Pick<SiteLists, 'onlinePayments'>) {
    this.#lists = lists;
  }

  /** Since when an online payment of that visit is under way; null: none is. */
  isUnderWay(visitId: string, at: UtcTime): boolean {
    if (this.#lists.onlinePayments().some((payment) => payment.visitId === visitId)) return true;
    return [...this.#claims.values()].some((claim) => claim.visitId === visitId && claim.endsAt > millis(at));
  }

  /** Takes no payment for a visit for a while: the cloud is about to charge a card for it. */
  claim(visitId: string, paymentId: string, at: UtcTime): void {
    for (const [id, { endsAt }] of this.#claims) if (endsAt <= millis(at)) this.#claims.delete(id);
    this.#claims.set(paymentId, { visitId, endsAt: millis(at) + CLAIM_MS });
  }

  /** The cloud's list has or had the payment: from now on the list counts. */
  listed(paymentId: string): void {
    this.#claims.delete(paymentId);
  }
}
