import type { Queries } from '../../platform/db/db.ts';
import { claimsOfInvoice, movementsOf } from './claim-store.ts';

/** What the claims of an invoice mean for its reminders. Days are `YYYY-MM-DD`. */
export interface ClaimedInvoice {
  /** The last days to pay in time, by the claims that stand. */
  finalDueOn: string[];
  /** One is unpaid at the bank, or on its way there. */
  isAtBank: boolean;
  /** The bank has handed one to a collector, or is about to. */
  isCollectedElsewhere: boolean;
  /** One adds a charge of its own for a late payment. */
  hasCharge: boolean;
  /** The days on which payments were taken back. */
  reversedOn: string[];
}

export async function claimedInvoice(q: Queries, invoiceId: string): Promise<ClaimedInvoice> {
  const claims = await claimsOfInvoice(q, invoiceId);
  const asked = claims.filter(({ state }) => state === 'new' || state === 'unpaid');
  const ids = claims.map(({ id }) => id);
  const movements = ids.length === 0 ? [] : await movementsOf(q, ids);
  return {
    finalDueOn: asked.map(({ terms }) => terms.finalDueOn),
    isAtBank: asked.length > 0,
    isCollectedElsewhere: asked.some(({ collection }) => collection !== null && collection !== 'primary'),
    hasCharge: asked.some(({ terms }) => terms.defaultCharge !== null),
    reversedOn: movements.filter(({ kind }) => kind === 'reversal').map(({ bookedOn }) => bookedOn),
  };
}
