import { z } from 'zod';
import type { Queries } from '../../platform/db/db.ts';
import { isAboveLimit, type LimitsInForce, limitsOf } from '../../records/approvals/approval-limits.ts';
import type { LimitedAct } from '../../records/sites/limited-acts.ts';

/** `needsApproval` of a record, as the API describes it. */
export function needsApprovalSchema<Action extends string>(names: readonly [Action, ...Action[]]) {
  return z
    .array(z.enum(names))
    .describe(
      'Those of `actions` that would wait for a second person if they were done in full now, by the limits of the site.',
    );
}

/** Those of the actions of a record that are above a limit. @param given what each gives up, in all */
export async function needingApproval<Action extends string>(
  q: Queries,
  siteIds: readonly string[],
  actions: readonly string[],
  given: Readonly<Record<Action, { limit: LimitedAct; sum(): Promise<Sum> }>>,
): Promise<Action[]> {
  const asked = Object.keys(given).filter((name): name is Action => actions.includes(name));
  if (asked.length === 0) return [];
  const limits = await limitsOf(q, siteIds);
  const needing: Action[] = [];
  for (const name of asked) if (await isAbove(limits, given[name])) needing.push(name);
  return needing;
}

interface Sum {
  amountMinor: number;
  currency: string;
}

async function isAbove(
  limits: LimitsInForce,
  { limit, sum }: { limit: LimitedAct; sum(): Promise<Sum> },
): Promise<boolean> {
  return limits[limit] !== null && isAboveLimit(limits, limit, await sum());
}
