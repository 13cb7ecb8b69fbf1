import { nowUtc } from '@hlid/node/clock';
import { newId } from '@hlid/node/new-id';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { CLAIM_USED_WITHIN_MS } from '@hlid/protocol/site-link/commands';
import { cloudActor } from '../../people/audit/audit.ts';
import { callerName } from '../../platform/http/caller.ts';
import { readPresence } from '../../records/sites/find-sites.ts';
import { PART } from './online-journal.ts';
import type { OnlinePayment } from './online-payment-store.ts';
import type { OnlineContext } from './payment-steps.ts';

/**
 * A site's answer before a card is charged. `claimed`: it takes no payment for the visit until `until`, and
 * later not either, since the payment is in its lists then. `away`: it is not connected, or does not answer.
 */
export type VisitClaim =
  | { kind: 'claimed'; until: UtcTime }
  /** It pays no visit, so no site takes money for the same. */
  | { kind: 'not-needed' }
  | { kind: 'away' }
  | { kind: 'refused'; reason: 'payment-under-way' | 'amount-changed' };

/** A line that was cut just now looks connected for as long as the broker waits. */
const UNANSWERED_MS = MINUTE_MS;

/** Asks sites to take no payment for a visit while a phone pays, and knows which of them are away. */
export class SiteClaims {
  readonly #context: Pick<OnlineContext, 'db' | 'clock' | 'commands'>;
  /** The time until which a site counts as away, because it did not answer. */
  readonly #unanswered = new Map<string, number>();

  constructor(context: Pick<OnlineContext, 'db' | 'clock' | 'commands'>) {
    this.#context = context;
  }

  /**
   * Whether a site cannot be informed of a payment now. A site that was never
   * connected is not away: it has no daemon to inform.
   */
  async isAway(siteId: string): Promise<boolean> {
    const presence = await this.#context.db.read((q) => readPresence(q, siteId));
    if (presence === null) return false;
    const until = this.#unanswered.get(siteId) ?? 0;
    return !presence.connected || until > millis(nowUtc(this.#context.clock));
  }

  /** The site decides between its kiosk and the phone. */
  async claim({ payment, online }: OnlinePayment): Promise<VisitClaim> {
    const { id: paymentId, visitId, siteId } = payment;
    if (visitId === null) return { kind: 'not-needed' };
    const { db, clock, commands } = this.#context;
    const presence = await db.read((q) => readPresence(q, siteId));
    if (!presence?.connected) return { kind: 'away' };
    const at = nowUtc(clock);
    const { unitsMet, paidMinor } = online;
    const by = callerName(cloudActor(PART, at).caller);
    const { outcome, reason } = await commands.send({
      id: newId(),
      siteId,
      action: 'claim-visit',
      visitId,
      paymentId,
      unitsMet,
      paidMinor,
      by,
    });
    const isAnswered = outcome === 'done' || outcome === 'refused';
    if (isAnswered) this.#unanswered.delete(siteId);
    else this.#unanswered.set(siteId, millis(at) + UNANSWERED_MS);
    if (outcome === 'done') return { kind: 'claimed', until: utcTime(millis(at) + CLAIM_USED_WITHIN_MS) };
    if (outcome !== 'refused') return { kind: 'away' };
    return { kind: 'refused', reason: reason === 'amount-changed' ? reason : 'payment-under-way' };
  }
}
