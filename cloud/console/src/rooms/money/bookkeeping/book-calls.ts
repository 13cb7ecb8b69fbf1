import type { BookkeepingPlanEdit, ShownPlan } from '@hlid/cloud/books/bookkeeping/bookkeeping-plan';
import type { bookkeepingRoutes } from '@hlid/cloud/books/bookkeeping/bookkeeping-routes';
import type { bookkeepingPlanRoutes } from '@hlid/cloud/books/bookkeeping/plan-routes';
import type { TrialBalance } from '@hlid/cloud/books/bookkeeping/trial-balance';
import { BOOK_ROLES_EN } from '@hlid/protocol/base/mistakes/refusals/books-en';
import { BOOK_ROLES_IS } from '@hlid/protocol/base/mistakes/refusals/books-is';
import { apiOf, LONG_TIMEOUT_MS, read, readTagged } from '../../../calls/api.ts';
import { LANGUAGE, roomWords } from '../../../words/words.ts';

export const BOOK = roomWords('money').bookkeeping;
export const ROLE_NAMES = LANGUAGE === 'is' ? BOOK_ROLES_IS : BOOK_ROLES_EN;

export type { BookkeepingPlanEdit, ShownPlan, TrialBalance };
export type PlanLine = ShownPlan['lines'][number];

const booksApi = apiOf<typeof bookkeepingRoutes>(LONG_TIMEOUT_MS);
const planApi = apiOf<typeof bookkeepingPlanRoutes>();

export async function readBalance(period: string, site: { siteId?: string }): Promise<TrialBalance> {
  const answer = await read(
    booksApi.bookkeeping[':period'].$get({ param: { period }, query: { ...site, as: 'json' } }),
  );
  // Without a form in the call, the answer might be a file.
  if (typeof answer === 'string') throw new Error('the sums were asked for');
  return answer;
}

/** @param siteId null: the accounts of every site */
export async function readPlan(siteId: string | null) {
  return siteId === null
    ? await readTagged(planApi['bookkeeping-accounts'].$get())
    : await readTagged(planApi.sites[':id']['bookkeeping-accounts'].$get({ param: { id: siteId } }));
}

export async function sendPlan(
  siteId: string | null,
  json: BookkeepingPlanEdit,
  headers: Record<string, string>,
) {
  return siteId === null
    ? await read(planApi['bookkeeping-accounts'].$put({ json }, { headers }))
    : await read(
        planApi.sites[':id']['bookkeeping-accounts'].$put({ param: { id: siteId }, json }, { headers }),
      );
}

/** What is booked, as a person names it. */
export function bookedText({
  role,
  detail,
  name = null,
}: {
  role: PlanLine['role'];
  detail: string | null;
  name?: string | null;
}): string {
  const what = name ?? detail;
  return what === null ? ROLE_NAMES[role] : `${ROLE_NAMES[role]} (${what})`;
}
