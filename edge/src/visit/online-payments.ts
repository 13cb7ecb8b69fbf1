import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import { CLAIM_MS } from '@hlid/protocol/site-link/commands';
import type { SiteLists } from '../site-lists/site-lists.ts';

/** A payment counts as under way for this long while its end cannot be known: longer than a charge takes. */
const MAX_BLIND_MS = 5 * MINUTE_MS;

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
  #isConnected = true;
  /** The claims by the id of the payment. */
  readonly #claims = new Map<string, Claim>();

  constructor(lists: Pick<SiteLists, 'onlinePayments'>) {
    this.#lists = lists;
  }

  /**
   * Whether the cloud can report how a payment ends. Without it a payment blocks another one only for a short
   * time.
   */
  setConnected(connected: boolean): void {
    this.#isConnected = connected;
  }

  /** Whether an online payment of that visit is under way. */
  isUnderWay(visitId: string, at: UtcTime): boolean {
    const isListed = this.#lists
      .onlinePayments()
      .some((payment) => payment.visitId === visitId && this.#counts(payment.since, at));
    if (isListed) return true;
    return [...this.#claims.values()].some((claim) => claim.visitId === visitId && claim.endsAt > millis(at));
  }

  /** The phone shows by then how the payment has ended. What is paid twice is refunded online. */
  #counts(since: UtcTime, at: UtcTime): boolean {
    return this.#isConnected || millis(at) - millis(since) < MAX_BLIND_MS;
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
