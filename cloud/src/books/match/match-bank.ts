import { DAY_MS } from '@hlid/protocol/base/durations';
import type { EntryMatch } from '../../records/books/money-file-table.ts';

/** A batch that has no entry at the bank yet. */
export interface BatchToMatch {
  id: string;
  reference: string;
  currency: string;
  payoutMinor: number;
  paidOn: string;
  /** The bank account that gets the payouts; null: any. */
  bankAccountId: string | null;
}

/** An entry of a bank that is matched to no batch yet. */
export interface EntryToMatch {
  key: string;
  accountId: string;
  amountMinor: number;
  currency: string;
  bookedOn: string;
  /** All that the bank wrote beside the amount. */
  texts: readonly string[];
}

export interface MatchedEntry {
  batchId: string | null;
  match: EntryMatch;
}

/** A bank books a payout from the day before the provider’s until this many days later: there are long holidays. */
export const PAYOUT_EARLY_DAYS = 1;
export const PAYOUT_LATE_DAYS = 10;
/** A shorter reference, such as 41, stands in many texts. */
const MIN_REFERENCE = 4;

/**
 * Matches entries of banks to what providers have paid out: by the reference in the bank's text, and else by amount and
 * day. The order does not count, nothing is matched twice, and between equal candidates none is chosen.
 *
 * @returns by the key of the entry; an entry that may be no batch at all is `none`
 */
export function matchBank(
  entries: readonly EntryToMatch[],
  batches: readonly BatchToMatch[],
): Map<string, MatchedEntry> {
  const matches = new Map<string, MatchedEntry>(
    entries.map(({ key }) => [key, { batchId: null, match: 'none' }]),
  );
  const usedBatches = new Set<string>();
  const isOpen = ({ key }: EntryToMatch) => matches.get(key)?.match === 'none';
  const pair = (fits: (entry: EntryToMatch, batch: BatchToMatch) => boolean, match: EntryMatch) => {
    const open = entries.filter(isOpen);
    const free = batches.filter(({ id }) => !usedBatches.has(id));
    for (const found of pairsOf(open, free, fits)) {
      if (found.batch !== null) usedBatches.add(found.batch.id);
      matches.set(found.entry.key, {
        batchId: found.batch?.id ?? null,
        match: found.batch === null ? 'ambiguous' : match,
      });
    }
  };
  pair(
    (entry, batch) => isPossible(entry, batch) && isNamed(entry, batch) && isSameAmount(entry, batch),
    'matched',
  );
  pair((entry, batch) => isPossible(entry, batch) && isNamed(entry, batch), 'other-amount');
  pair((entry, batch) => isPossible(entry, batch) && isSameAmount(entry, batch), 'matched');
  return matches;
}

interface Pair {
  entry: EntryToMatch;
  /** Null: several fit, or several entries fit the only one. */
  batch: BatchToMatch | null;
}

/** The entries that a batch fits, each with that batch where each is the only one for the other. */
function pairsOf(
  entries: readonly EntryToMatch[],
  batches: readonly BatchToMatch[],
  fits: (entry: EntryToMatch, batch: BatchToMatch) => boolean,
): Pair[] {
  const fitting = entries.map((entry) => ({ entry, found: batches.filter((batch) => fits(entry, batch)) }));
  const wanted = new Map<string, number>();
  for (const { found } of fitting) {
    for (const { id } of found) wanted.set(id, (wanted.get(id) ?? 0) + 1);
  }
  return fitting.flatMap(({ entry, found }) => {
    const [only] = found;
    if (only === undefined) return [];
    return [{ entry, batch: found.length === 1 && wanted.get(only.id) === 1 ? only : null }];
  });
}

function isPossible(entry: EntryToMatch, batch: BatchToMatch): boolean {
  const days = (Date.parse(entry.bookedOn) - Date.parse(batch.paidOn)) / DAY_MS;
  const isSameSign = Math.sign(entry.amountMinor) === Math.sign(batch.payoutMinor);
  const isItsAccount = batch.bankAccountId === null || batch.bankAccountId === entry.accountId;
  return (
    entry.currency === batch.currency &&
    isSameSign &&
    isItsAccount &&
    days >= 0 - PAYOUT_EARLY_DAYS &&
    days <= PAYOUT_LATE_DAYS
  );
}

function isSameAmount(entry: EntryToMatch, batch: BatchToMatch): boolean {
  return entry.amountMinor === batch.payoutMinor;
}

/** Whether the bank's text has the reference as a word. */
function isNamed({ texts }: EntryToMatch, { reference }: BatchToMatch): boolean {
  const name = reference.replace(/:failed$/, '').toLowerCase();
  if (name.length < MIN_REFERENCE) return false;
  return texts.some((text) => {
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(name); at !== -1; at = lower.indexOf(name, at + 1)) {
      const [before = ' ', after = ' '] = [lower[at - 1], lower[at + name.length]];
      if (!isWordSign(before) && !isWordSign(after)) return true;
    }
    return false;
  });
}

function isWordSign(sign: string): boolean {
  return /[\p{L}\p{N}]/u.test(sign);
}
