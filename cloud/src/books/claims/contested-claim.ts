import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { cloudActor } from '../../people/audit/audit.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { ClaimRow, StoredTerms } from '../../records/books/claim-table.ts';
import { hasOpenDispute, lastAnswerAbout } from '../../records/disputes/find-disputes.ts';
import { orderTerms } from './change-claims.ts';

/**
 * A dispute stops what a claim adds: the bank is asked to take interest and charge off it. The answer begins the time
 * again: the claim has as many days to its final due date as at first, and the interest counts from then.
 *
 * @returns the claim as it is now
 */
export async function followDispute(tx: Tx, claim: ClaimRow, at: UtcTime): Promise<ClaimRow> {
  const { invoiceId, state, order, terms, stopped } = claim;
  if (state !== 'unpaid' || order !== null) return claim;
  const isContested = await hasOpenDispute(tx.q, { invoiceId });
  const actor = cloudActor('claims', at);
  if (isContested && stopped === null && (terms.hasInterest || terms.defaultCharge !== null)) {
    const { hasInterest, defaultCharge } = terms;
    const wanted: StoredTerms = { ...terms, hasInterest: false, defaultCharge: null };
    return await orderTerms(tx, actor, claim, { wanted, stopped: { hasInterest, defaultCharge } });
  }
  if (isContested || stopped === null) return claim;
  const answeredAt = (await lastAnswerAbout(tx.q, { invoiceId })) ?? at;
  return await orderTerms(tx, actor, claim, { wanted: resumed(claim, answeredAt, stopped), stopped: null });
}

type Stopped = NonNullable<ClaimRow['stopped']>;

function resumed({ terms, dueOn }: ClaimRow, answeredAt: UtcTime, stopped: Stopped): StoredTerms {
  const graceDays = Math.max(0, Math.round((Date.parse(terms.finalDueOn) - Date.parse(dueOn)) / DAY_MS));
  const answeredOn = wallClock(answeredAt, 'Atlantic/Reykjavik').date;
  const again = dayAfter(answeredOn, Math.max(1, graceDays));
  return {
    ...terms,
    ...stopped,
    finalDueOn: again > terms.finalDueOn ? again : terms.finalDueOn,
    interestFrom: 'final-due',
  };
}
