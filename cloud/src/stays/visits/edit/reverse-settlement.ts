import { formatMoney } from '@hlid/protocol/base/money';
import {
  standingInvoices,
  type WithdrawnSettlement,
  withdrawSettlements,
} from '../../../money/invoices/withdraw-settlements.ts';
import type { Tx } from '../../../platform/db/db.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import type { ChosenSite } from '../../../records/sites/choose-site.ts';
import { settlementIds } from '../../../records/visits/settlements.ts';
import type { VisitRow } from '../../../records/visits/visit-table.ts';
import { settleRow } from '../change/change-visit.ts';
import { creditInvoiced } from './credit-invoiced.ts';

/** A visit with its books as they must be before it goes on, and the text for its history. */
interface RolledBack {
  visit: VisitRow;
  note: string;
}

/**
 * Prepares to open a settled visit again. An amount that has not been invoiced is due again, perhaps from
 * another payer. What has been invoiced or paid stays met.
 */
export async function takeBackToReopen(
  tx: Tx,
  actor: Actor,
  before: VisitRow,
  site: ChosenSite,
  credited: readonly WithdrawnSettlement[] = [],
): Promise<RolledBack> {
  const withdrawn = [...(await withdrawSettlements(tx, actor, before.id)), ...credited];
  const made = await settlementIds(tx.q, before.id);
  // The site's own invoice counts as met only from the moment in which the visit goes on.
  const uncounted = withdrawn.filter(({ cause, at }) => at === before.endedAt && !made.has(cause));
  const counted = withdrawn.filter((settlement) => !uncounted.includes(settlement));
  const given = await giveBack(tx, actor, before, site, counted);
  const visit = uncounted.length > 0 ? given : await creditInvoiced(tx, actor, given, site);
  const flags = visit.flags.filter((flag) => flag !== 'invoice-stands');
  return { visit: { ...visit, flags }, note: noteOf(withdrawn) };
}

/**
 * Prepares to void a visit: an amount that has not been invoiced never will be. An issued invoice stands, and
 * a person must review it.
 */
export async function takeBackToVoid(
  tx: Tx,
  actor: Actor,
  before: VisitRow,
  site: ChosenSite,
): Promise<RolledBack> {
  const withdrawn = await withdrawSettlements(tx, actor, before.id);
  const visit = await giveBack(tx, actor, before, site, withdrawn);
  const standing = await standingInvoices(tx.q, before.id);
  if (standing.length === 0) return { visit, note: noteOf(withdrawn) };
  const stands = ` (invoice no. ${standing.join(', ')} stands)`;
  return {
    visit: { ...visit, flags: [...new Set([...visit.flags, 'invoice-stands' as const])] },
    note: `${noteOf(withdrawn)}${stands}`,
  };
}

/** Takes off, here and at the site, the units and the money that were counted as met by what is withdrawn. */
async function giveBack(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  site: ChosenSite,
  withdrawn: readonly WithdrawnSettlement[],
): Promise<VisitRow> {
  const [first] = withdrawn;
  if (first === undefined) return visit;
  const { paymentStatus, currency } = first;
  const units = Math.min(
    visit.unitsMet,
    sumOf(withdrawn, ({ units: met }) => met),
  );
  const paidMinor = Math.min(
    visit.paidMinor,
    sumOf(withdrawn, ({ units: met, amountMinor }) => (met === 0 ? amountMinor : 0)),
  );
  let given = visit;
  for (const back of [
    { units: -units, amountMinor: 0 },
    { units: 0, amountMinor: -paidMinor },
  ]) {
    if (back.units === 0 && back.amountMinor === 0) continue;
    given = (await settleRow(tx, actor, given, site, { paymentStatus, currency, ...back }, null)).row;
  }
  return given;
}

function sumOf<Item>(items: readonly Item[], amountOf: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + amountOf(item), 0);
}

function noteOf(withdrawn: readonly WithdrawnSettlement[]): string {
  const amounts = withdrawn.map((amount) => formatMoney(amount, 'en'));
  return amounts.length === 0 ? '' : ` (not invoiced: ${amounts.join(', ')})`;
}
