import type { BookRole } from '@hlid/protocol/base/book-roles';
import type { VatCategory } from '@hlid/protocol/base/vat';

/** What is booked to: a role, and what of it. */
export interface AccountUse {
  role: BookRole;
  /** The most exact first. The account of the first that has one serves, else that of the role. */
  details: readonly string[];
}

export interface VatOfLeg {
  /** Null: not decided. */
  category: VatCategory | null;
  rate: number;
}

/** One side of an entry. */
export interface Leg {
  use: AccountUse;
  /** Debit above zero, credit below. */
  amountMinor: number;
  /** The category and the rate of income, or of the VAT in it; null elsewhere. */
  vat: VatOfLeg | null;
}

export const ENTRY_KINDS = ['invoice', 'credit-note', 'payment', 'claim', 'settlement', 'bank'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** What one document changes in the books of one site on one day. Its legs add up to nothing. */
export interface Entry {
  kind: EntryKind;
  /** `YYYY-MM-DD` where the site is. */
  day: string;
  /** Null: of several sites, or none. */
  siteId: string | null;
  /** The invoice, the file with its batch, or the file with its entry: with the kind and the site it names the entry. */
  id: string;
  /** The document as people name it. */
  number: string;
  /** What a credit note takes back, named the same way; null: it is none. */
  creditOf: string | null;
  /** The page of the document in the console. */
  path: string;
  currency: string;
  legs: Leg[];
}

/** What tells uses apart. */
export function useKey({ role, details }: AccountUse): string {
  return JSON.stringify([role, ...details]);
}

/** The key of a rate of VAT, by which accounts are chosen: `S24`, `E`; `none`: not decided. */
export function vatDetail({ category, rate }: VatOfLeg): string {
  if (category === null) return 'none';
  return category === 'S' ? `S${rate}` : category;
}

/** Adds legs of the same use and VAT together, and leaves out what comes to nothing. */
export function mergedLegs(legs: readonly Leg[]): Leg[] {
  const sums = new Map<string, Leg>();
  for (const leg of legs) {
    const key = `${useKey(leg.use)} ${leg.vat === null ? '' : vatDetail(leg.vat)}`;
    const known = sums.get(key);
    sums.set(key, known === undefined ? leg : { ...leg, amountMinor: known.amountMinor + leg.amountMinor });
  }
  return [...sums.values()].filter(({ amountMinor }) => amountMinor !== 0);
}

export function sumOfLegs(legs: readonly Leg[]): number {
  return legs.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** An amount that goes from one account to another. */
export interface LegPair {
  debit: Leg;
  credit: Leg;
  amountMinor: number;
}

/** The legs of an entry two by two, for formats that have both accounts in one row. */
export function pairsOf(legs: readonly Leg[]): LegPair[] {
  const debits = legs.filter(({ amountMinor }) => amountMinor > 0).map(withRest);
  const credits = legs.filter(({ amountMinor }) => amountMinor < 0).map(withRest);
  const pairs: LegPair[] = [];
  for (const debit of debits) {
    for (const credit of credits) {
      const amountMinor = Math.min(debit.restMinor, credit.restMinor);
      if (amountMinor === 0) continue;
      debit.restMinor -= amountMinor;
      credit.restMinor -= amountMinor;
      pairs.push({ debit: debit.leg, credit: credit.leg, amountMinor });
    }
  }
  return pairs;
}

function withRest(leg: Leg): { leg: Leg; restMinor: number } {
  return { leg, restMinor: Math.abs(leg.amountMinor) };
}

/** The order in which entries are exported: the same records always come the same way. */
export function compareEntries(one: Entry, other: Entry): number {
  return (
    compare(one.day, other.day) ||
    ENTRY_KINDS.indexOf(one.kind) - ENTRY_KINDS.indexOf(other.kind) ||
    compare(one.number, other.number) ||
    compare(one.id, other.id) ||
    compare(one.siteId ?? '', other.siteId ?? '')
  );
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
