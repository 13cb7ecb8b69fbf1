import { DAY_MS } from '@hlid/protocol/base/durations';
import { linesOfSites } from '../../money/invoices/vat-of-sites.ts';
import type { ClaimMovement } from '../../records/books/claim-movements.ts';
import { claimedBefore, entriesOfClaim, sharesOf } from './claim-entries.ts';
import {
  type BookedInvoice,
  chainOf,
  type DayOf,
  entriesOfInvoice,
  entriesOfPayment,
} from './invoice-entries.ts';

/** How long an amount has been due. `credit`: the seller owes it, such as after a credit note for what was paid. */
export const AGES = ['not-due', '1-30', '31-60', '61-90', 'over-90', 'credit'] as const;
export type Age = (typeof AGES)[number];

/** All that has happened to an invoice that was issued unpaid. */
export interface ReceivableHistory {
  invoice: BookedInvoice;
  /** Its credit notes, and what takes them back. */
  notes: readonly BookedInvoice[];
  /** What its claims were paid. */
  movements: readonly (ClaimMovement & { seenAt: string })[];
}

/**
 * What is owed for an invoice at the end of a day, by site: what its documents, its payment and its claims have booked to
 * the account of receivables by then. Below zero: the seller owes it. A site that owes nothing is left out.
 *
 * @param asOf `YYYY-MM-DD`, by the clock of each site
 */
export function owedBySite(
  { invoice, notes, movements }: ReceivableHistory,
  asOf: string,
  dayOf: DayOf,
): Map<string | null, number> {
  const documents = new Map([invoice, ...notes].map((one) => [one.id, one]));
  const own = notes.filter(({ creditOf }) => creditOf === invoice.id);
  const shares = sharesOf(linesOfSites(invoice));
  const entries = [
    ...[...documents.values()].flatMap((one) =>
      entriesOfInvoice(chainOf(one, documents), unknownGateway, dayOf),
    ),
    ...entriesOfPayment(
      invoice,
      { notes: own, claimedMinor: claimedBefore(movements, invoice) },
      unknownGateway,
      dayOf,
    ),
    ...movements.flatMap((movement) => entriesOfClaim(movement, invoice, shares)),
  ];
  const owed = new Map<string | null, number>();
  for (const { siteId, day, legs } of entries) {
    if (day > asOf) continue;
    for (const { use, amountMinor } of legs) {
      if (use.role === 'receivables') owed.set(siteId, (owed.get(siteId) ?? 0) + amountMinor);
    }
  }
  return new Map([...owed].filter(([, amountMinor]) => amountMinor !== 0));
}

/** Which gateway has the money changes no receivable. */
const unknownGateway = () => undefined;

/** @param dueOn the last day to pay, `YYYY-MM-DD` */
export function ageOf(openMinor: number, dueOn: string, asOf: string): Age {
  if (openMinor < 0) return 'credit';
  const days = daysLate(dueOn, asOf);
  if (days <= 0) return 'not-due';
  if (days <= 30) return '1-30';
  if (days <= 60) return '31-60';
  return days <= 90 ? '61-90' : 'over-90';
}

/** The days since the last day to pay; 0 or less: it is not due yet. */
export function daysLate(dueOn: string, asOf: string): number {
  return Math.round((Date.parse(asOf) - Date.parse(dueOn)) / DAY_MS);
}
