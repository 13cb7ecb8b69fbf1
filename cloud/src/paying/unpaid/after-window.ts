import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime } from '@hlid/protocol/base/utc-time';
import type { Decision } from '@hlid/protocol/records/decision';
import type { FoundBy, ReviewFlag } from '@hlid/protocol/records/visit';
import { isChargeable } from '../../stays/charges/charge-doubts.ts';

/** A stay that has ended and is not paid. */
export interface UnpaidStay {
  plate: string | null;
  flags: readonly ReviewFlag[];
  /** How the read of the exit matched the plate; null: a person ended it. */
  exitFoundBy: FoundBy | null;
  /** Since when its days to pay run; null: they stand still, since it is contested. */
  payFrom: UtcTime | null;
  /** The days in which its driver can pay without a bill. */
  payAfterDays: number;
  /** A payment of it is under way, at a provider or with a stored card. */
  isPaying: boolean;
  /** The decision that its exit would make with what is known now: permits, customers and quotas too. */
  decision: Pick<Decision, 'reason' | 'visit'>;
}

export type AfterWindow =
  /** Its time is not over, or something is under way: asked again later. */
  | { kind: 'wait' }
  /** The plate, the time or the amount is in doubt: nothing is billed, and a person decides. */
  | { kind: 'person' }
  | { kind: 'settle'; as: 'owner-invoice' | 'company-invoice' | 'whitelisted' };

/** How it is settled, by the reason for which its exit would open now. Others are for a person. */
const SETTLED_AS: Partial<Record<Decision['reason'], 'owner-invoice' | 'company-invoice' | 'whitelisted'>> = {
  'need-payment': 'owner-invoice',
  'owner-invoice': 'owner-invoice',
  'company-invoice': 'company-invoice',
  whitelisted: 'whitelisted',
};

/** What follows when the days to pay for a stay are over: never a bill on doubt, nor before its time. */
export function afterWindow(stay: UnpaidStay, now: UtcTime): AfterWindow {
  const { plate, flags, exitFoundBy, payFrom, payAfterDays, isPaying, decision } = stay;
  if (payFrom === null || isPaying || millis(now) <= millis(payFrom) + payAfterDays * DAY_MS) {
    return { kind: 'wait' };
  }
  const isCertain =
    plate !== null && isChargeable(flags) && (exitFoundBy === null || exitFoundBy === 'equal');
  const as = SETTLED_AS[decision.reason];
  return isCertain && as !== undefined ? { kind: 'settle', as } : { kind: 'person' };
}
