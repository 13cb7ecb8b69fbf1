import type { Queries } from '../../platform/db/db.ts';
import type { ComparedPlace } from './closing-place.ts';
import type { DayFacts } from './day-facts.ts';
import { bankOfDay, filesWithProblems, openTerminals, terminalsOfDay } from './gather-bank.ts';
import { claimMatches, claimsOfDay } from './gather-claims.ts';
import { moneyOfDay } from './gather-payments.ts';
import { accountsOf, batchesOfDay, ownAccounts, settlingAccounts, straysOfDay } from './gather-providers.ts';
import { visitsOfDay } from './gather-visits.ts';

/** All that is known of a day. */
export async function gatherDay(q: Queries, place: ComparedPlace): Promise<DayFacts> {
  const accounts = await accountsOf(q, place);
  const own = ownAccounts(accounts, place);
  const money = await moneyOfDay(q, place, settlingAccounts(accounts));
  const claims = await claimMatches(q, place.day);
  const { invoices, payments, refunds, chargebacks, lastAtTerminal } = money;
  return {
    visits: await visitsOfDay(q, place),
    invoices,
    payments,
    refunds,
    chargebacks,
    terminals: await terminalsOfDay(q, place),
    strays: await straysOfDay(q, place, accounts),
    batches: await batchesOfDay(q, place, accounts),
    bank: await bankOfDay(q, place, own, claims),
    claims: await claimsOfDay(q, place, accounts, claims),
    files: [...(await openTerminals(q, place, lastAtTerminal)), ...(await filesWithProblems(q, place, own))],
  };
}
