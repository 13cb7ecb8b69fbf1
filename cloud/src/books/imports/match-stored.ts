import { dayAfter } from '@hlid/protocol/base/calendar-day';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, gte, inArray, isNull, lte, ne, sql } from '../../platform/db/sql.ts';
import { moneyAccountTable } from '../../records/books/money-account-table.ts';
import {
  type BankEntryRow,
  settlementBatchTable as b,
  bankEntryTable as e,
  type SettlementBatchRow,
} from '../../records/books/money-file-table.ts';
import {
  type BatchToMatch,
  type EntryToMatch,
  type MatchedEntry,
  matchBank,
  PAYOUT_EARLY_DAYS,
  PAYOUT_LATE_DAYS,
} from '../match/match-bank.ts';

/** Of more entries and batches in the days of a file, the rest waits for the next file. */
const MAX_MATCHED = 5000;

export const keyOfEntry = ({ fileId, n }: Pick<BankEntryRow, 'fileId' | 'n'>) => `${fileId} ${n}`;

/**
 * Matches what is open at the bank around some days.
 *
 * @param entries of a file, not stored yet
 * @returns by the keys of entries
 */
export async function matchOpenEntries(
  q: Queries,
  entries: readonly BankEntryRow[],
  someDays: readonly string[],
): Promise<Map<string, MatchedEntry>> {
  const days = [...someDays].sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const around = PAYOUT_EARLY_DAYS + PAYOUT_LATE_DAYS;
  const [from, until] = [dayAfter(first, 0 - around), dayAfter(last, around)];
  const open = await q
    .select()
    .from(e)
    .where(and(isNull(e.batchId), gte(e.bookedOn, from), lte(e.bookedOn, until)))
    .limit(MAX_MATCHED);
  const unpaid = await q
    .select()
    .from(b)
    .where(
      and(
        gte(b.paidOn, from),
        lte(b.paidOn, until),
        inArray(b.state, ['paid', 'failed']),
        ne(b.payoutMinor, 0),
        sql`NOT EXISTS (SELECT 1 FROM ${e} WHERE ${eq(e.batchId, b.id)})`,
      ),
    )
    .limit(MAX_MATCHED);
  const accounts = await q
    .select({ id: moneyAccountTable.id, paysIntoId: moneyAccountTable.paysIntoId })
    .from(moneyAccountTable)
    .where(inArray(moneyAccountTable.id, [...new Set(unpaid.map(({ accountId }) => accountId))]));
  const banks = new Map(accounts.map(({ id, paysIntoId }) => [id, paysIntoId]));
  return matchBank(
    [...open, ...entries].map(entryToMatch),
    unpaid.flatMap((batch) => batchToMatch(batch, banks) ?? []),
  );
}

function entryToMatch(entry: BankEntryRow): EntryToMatch {
  const { accountId, amountMinor, currency, bookedOn, text, reference, endToEndId } = entry;
  const texts = [text, reference, endToEndId].flatMap((one) => one ?? []);
  return { key: keyOfEntry(entry), accountId, amountMinor, currency, bookedOn, texts };
}

function batchToMatch(
  { id, accountId, reference, currency, payoutMinor, paidOn }: SettlementBatchRow,
  banks: ReadonlyMap<string, string | null>,
): BatchToMatch | null {
  if (paidOn === null) return null;
  return { id, reference, currency, payoutMinor, paidOn, bankAccountId: banks.get(accountId) ?? null };
}

/** Stores the matches of entries that are stored. */
export async function storeMatches(q: Queries, matches: ReadonlyMap<string, MatchedEntry>): Promise<void> {
  for (const [key, { batchId, match }] of matches) {
    const [fileId = '', n = ''] = key.split(' ');
    await q
      .update(e)
      .set({ batchId, match })
      .where(and(eq(e.fileId, fileId), eq(e.n, Number(n)), ne(e.match, match)));
  }
}
