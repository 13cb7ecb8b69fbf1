import { spreadAmount } from '@hlid/protocol/records/invoice';
import type { LineOfSite } from '../../money/invoices/vat-of-sites.ts';
import type { ClaimMovement } from '../../records/books/claim-movements.ts';
import { type Entry, type Leg, mergedLegs } from './entry.ts';
import { type BookedInvoice, documentNumber, receivables } from './invoice-entries.ts';

/**
 * Money of a claim in the books: what reaches the bank, what the bank keeps and the discount against what is owed, interest and
 * costs. A reversal is the same the other way. One entry for each site of the invoice, by its share.
 *
 * @param shares what the invoice asks for at each of its sites
 */
export function entriesOfClaim(
  movement: ClaimMovement,
  invoice: BookedInvoice,
  shares: ReadonlyMap<string | null, number>,
): Entry[] {
  const sites = [...shares];
  const weights = sites.map(([, minor]) => Math.max(0, minor));
  const spread = (minor: number) => spreadAmount(minor, weights);
  const deposited = spread(movement.depositedMinor);
  const discount = spread(movement.discountMinor);
  const interest = spread(movement.interestMinor);
  const costs = spread(movement.costsMinor);
  const principal = spread(movement.principalMinor);
  return sites.flatMap(([siteId], n) => {
    const at = (parts: readonly number[]) => parts[n] ?? 0;
    const keptMinor = at(principal) - at(discount) + at(interest) + at(costs) - at(deposited);
    const legs = mergedLegs([
      leg({ role: 'received', details: ['claim'] }, at(deposited)),
      leg({ role: 'provider-fees', details: ['claim'] }, keptMinor),
      leg({ role: 'claim-discount', details: [] }, at(discount)),
      leg({ role: 'claim-extra', details: ['interest'] }, 0 - at(interest)),
      leg({ role: 'claim-extra', details: ['costs'] }, 0 - at(costs)),
      leg(receivables(invoice), 0 - at(principal)),
    ]);
    if (legs.length === 0) return [];
    return [
      {
        kind: 'claim' as const,
        day: movement.day,
        siteId,
        id: `${movement.claimId}:${movement.n}`,
        number: `${documentNumber(invoice)}K${movement.n + 1}`,
        creditOf: null,
        path: `money/claims/${movement.claimId}`,
        currency: movement.currency,
        legs,
      },
    ];
  });
}

function leg(use: Leg['use'], amountMinor: number): Leg {
  return { use, amountMinor, vat: null };
}

/** The part of an invoice that claims had paid when it was paid otherwise. @param principals those of its claims */
export function claimedBefore(
  principals: readonly { seenAt: string; principalMinor: number }[],
  { paidAt }: Pick<BookedInvoice, 'paidAt'>,
): number {
  return principals
    .filter(({ seenAt }) => seenAt < (paidAt ?? ''))
    .reduce((sum, { principalMinor }) => sum + principalMinor, 0);
}

/** What an invoice asks for at each of its sites. */
export function sharesOf(lines: readonly LineOfSite[]): Map<string | null, number> {
  const shares = new Map<string | null, number>();
  for (const { siteId, netMinor, vatMinor } of lines) {
    shares.set(siteId, (shares.get(siteId) ?? 0) + netMinor + vatMinor);
  }
  return shares;
}
