import { dayAfter } from '@hlid/protocol/base/calendar-day';
import type { Queries } from '../../platform/db/db.ts';
import { and, gte, inArray, isNull, lt } from '../../platform/db/sql.ts';
import { type ClaimMovement, claimMovements } from '../../records/books/claim-movements.ts';
import type { MoneyAccountRow } from '../../records/books/money-account-table.ts';
import {
  type BankEntryRow,
  bankEntryTable,
  bankStatementTable,
} from '../../records/books/money-file-table.ts';
import type { ClosingPlace, ComparedPlace } from './closing-place.ts';
import type { ClaimFact } from './day-facts.ts';

/** A bank books what was paid of a claim within so many of its days. */
const AT_BANK_WITHIN_DAYS = 2;
/** How far the entry of a bank is from the payment of its claim, in days of the calendar. */
const NEAR_DAYS = 5;
/** An account without statements for so long is not imported any more. */
const IMPORTED_SINCE_DAYS = 14;

type Entry = Pick<BankEntryRow, 'amountMinor' | 'currency' | 'reference' | 'endToEndId' | 'bookedOn'>;

/** The payments of claims of the day, and what was taken back. */
export async function claimsOfDay(
  q: Queries,
  place: ComparedPlace,
  own: readonly MoneyAccountRow[],
): Promise<ClaimFact[]> {
  const movements = await movementsOf(q, place, place.day, dayAfter(place.day, 1));
  if (movements.length === 0) return [];
  const entries = await entriesNear(q, own, place.day, dayAfter(place.day, NEAR_DAYS));
  const isImported = await hasStatements(q, own, place.day);
  return movements.map((movement) => {
    const isThere = entries.some((entry) => isEntryOf(entry, movement));
    const dueOn = isImported && !isThere ? place.workDays.after(place.day, AT_BANK_WITHIN_DAYS) : null;
    return factOf(movement, dueOn);
  });
}

/** Whether an entry of a bank on the day pays a claim, or takes a payment back. */
export async function claimEntriesOfDay(q: Queries, place: ClosingPlace): Promise<(entry: Entry) => boolean> {
  const from = dayAfter(place.day, 1 - NEAR_DAYS);
  const movements = await movementsOf(q, place, from, dayAfter(place.day, 1));
  return (entry) => movements.some((movement) => isEntryOf(entry, movement));
}

async function movementsOf(
  q: Queries,
  { siteId }: ClosingPlace,
  from: string,
  before: string,
): Promise<ClaimMovement[]> {
  if (siteId !== null) return await claimMovements(q, { from, before, siteIds: [siteId] });
  return (await claimMovements(q, { from, before })).filter((movement) => movement.siteId === null);
}

function factOf(movement: ClaimMovement, atBankBy: string | null): ClaimFact {
  const { claimId, n, invoiceId, currency, kind, paidMinor, interestMinor, costsMinor } = movement;
  const id = `${claimId} ${n}`;
  if (kind === 'reversal') {
    const takenMinor = 0 - paidMinor;
    return {
      id,
      invoiceId,
      currency,
      principalMinor: takenMinor,
      extraMinor: 0,
      isReversed: true,
      atBankBy: null,
    };
  }
  const extraMinor = interestMinor + costsMinor;
  return {
    id,
    invoiceId,
    currency,
    principalMinor: paidMinor - extraMinor,
    extraMinor,
    isReversed: false,
    atBankBy,
  };
}

/**
 * A bank names a claim by branch, ledger and number, or by the number alone, and books what reaches the account.
 */
function isEntryOf(entry: Entry, { account, depositedMinor, currency, day }: ClaimMovement): boolean {
  if (entry.amountMinor !== depositedMinor || entry.currency !== currency) return false;
  if (entry.bookedOn < day || entry.bookedOn >= dayAfter(day, NEAR_DAYS)) return false;
  return [entry.reference, entry.endToEndId].some((text) => {
    const digits = text?.replaceAll(/\D/g, '') ?? '';
    return digits.includes(account) || digits === account.slice(-6);
  });
}

async function entriesNear(
  q: Queries,
  own: readonly MoneyAccountRow[],
  from: string,
  before: string,
): Promise<Entry[]> {
  const e = bankEntryTable;
  const ids = banksIn(own);
  const rows = await q
    .select()
    .from(e)
    .where(and(isNull(e.batchId), gte(e.bookedOn, from), lt(e.bookedOn, before)));
  return rows.filter(({ accountId }) => ids.includes(accountId));
}

async function hasStatements(q: Queries, own: readonly MoneyAccountRow[], day: string): Promise<boolean> {
  const b = bankStatementTable;
  const found = await q
    .select({ id: b.accountId })
    .from(b)
    .where(and(inArray(b.accountId, banksIn(own)), gte(b.untilDay, dayAfter(day, 0 - IMPORTED_SINCE_DAYS))))
    .limit(1);
  return found.length > 0;
}

function banksIn(own: readonly MoneyAccountRow[]): string[] {
  return own.filter(({ kind }) => kind === 'bank').map(({ id }) => id);
}
