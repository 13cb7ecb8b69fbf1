import { nowUtc } from '@hlid/node/clock';
import { newId } from '@hlid/node/new-id';
import { CLAIM_USED_WITHIN_MS } from '@hlid/protocol/commands';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { cloudActor } from '../audit/audit.ts';
import { callerName } from '../http/caller.ts';
import { readPresence } from '../sites/find-sites.ts';
import { PART } from './online-journal.ts';
import type { OnlinePayment } from './online-payment-store.ts';
import type { OnlineContext } from './payment-steps.ts';

/**
 * What a site says before a card is charged. `claimed`: it takes no payment for the visit until `until`, and later not
 * either, since the payment is in its lists then. `away`: it is not connected, or does not answer.
 */
export type VisitClaim =
  | { kind: 'claimed'; until: UtcTime }
  | { kind: 'away' }
  | { kind: 'refused'; reason: 'payment-under-way' | 'amount-changed' };

/** Asks the site of a visit to take no payment for it: it decides between its kiosk and the phone. */
export async function claimVisit(
  { db, clock, commands }: Pick<OnlineContext, 'db' | 'clock' | 'commands'>,
  { payment, online }: OnlinePayment,
): Promise<VisitClaim> {
  const { id: paymentId, visitId, siteId } = payment;
  const presence = await db.read((q) => readPresence(q, siteId));
  if (!presence?.connected) return { kind: 'away' };
  const asked = millis(nowUtc(clock));
  const { unitsMet, paidMinor } = online;
  const by = callerName(cloudActor(PART, nowUtc(clock)).caller);
  const { outcome, reason } = await commands.send({
    ...{ id: newId(), siteId, action: 'claim-visit', visitId, paymentId, unitsMet, paidMinor, by },
  });
  if (outcome === 'done') return { kind: 'claimed', until: utcTime(asked + CLAIM_USED_WITHIN_MS) };
  if (outcome !== 'refused') return { kind: 'away' };
  return { kind: 'refused', reason: reason === 'amount-changed' ? reason : 'payment-under-way' };
}
