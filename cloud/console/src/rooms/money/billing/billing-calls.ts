import type { ShownBillingPlan } from '@hlid/cloud/paying/billing/billing-plan';
import type { billingRoutes } from '@hlid/cloud/paying/billing/billing-routes';
import { apiOf, LONG_TIMEOUT_MS, read } from '../../../calls/api.ts';

/** A run may make many invoices. */
export const billingApi = apiOf<typeof billingRoutes>(LONG_TIMEOUT_MS);

/** What a run would bill now. */
export async function readPlan(): Promise<ShownBillingPlan> {
  const answer = await read(billingApi.billing.runs.$post({ json: { dryRun: true } }));
  if (!('dryRun' in answer)) throw new Error('only a dry run was asked for');
  return answer;
}

/** Bills what a dry run has shown, or nothing. */
export async function billPlan({ until, totals }: ShownBillingPlan, headers: Record<string, string>) {
  const json = { until, expected: totals };
  const answer = await read(billingApi.billing.runs.$post({ json }, { headers }));
  if ('dryRun' in answer) throw new Error('more than a dry run was asked for');
  return answer;
}
