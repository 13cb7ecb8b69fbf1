import type { Queries } from '../../platform/db/db.ts';
import { inArray } from '../../platform/db/sql.ts';
import type { ApprovalLimits, LimitedAct } from '../sites/limited-acts.ts';
import { siteTable } from '../sites/site-table.ts';

/** The limits of an amount of several sites: the lowest of each. */
export type LimitsInForce = ApprovalLimits & { currency: string | null };

/** The limits of some sites together. */
export async function limitsOf(q: Queries, siteIds: readonly string[]): Promise<LimitsInForce> {
  const ids = [...new Set(siteIds)];
  const sites =
    ids.length === 0
      ? []
      : await q
          .select({ limits: siteTable.approvalLimits, currency: siteTable.currency })
          .from(siteTable)
          .where(inArray(siteTable.id, ids));
  const lowest = (act: LimitedAct) => {
    const set = sites.flatMap(({ limits }) => limits[act] ?? []);
    return set.length === 0 ? null : Math.min(...set);
  };
  const [first, ...others] = sites;
  const isOne = first !== undefined && others.every(({ currency }) => currency === first.currency);
  return {
    refund: lowest('refund'),
    waiver: lowest('waiver'),
    credit: lowest('credit'),
    close: lowest('close'),
    currency: isOne ? first.currency : null,
  };
}

/** Whether an amount needs a second person. A limit in another currency compares with nothing: it needs one then. */
export function isAboveLimit(
  { currency, ...limits }: LimitsInForce,
  act: LimitedAct,
  sum: { amountMinor: number; currency: string },
): boolean {
  const limit = limits[act];
  if (limit === null || sum.amountMinor <= 0) return false;
  return sum.currency !== currency || sum.amountMinor > limit;
}
