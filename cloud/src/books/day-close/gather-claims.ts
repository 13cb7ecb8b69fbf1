import { dayAfter } from '@hlid/protocol/base/calendar-day';
import type { Queries } from '../../platform/db/db.ts';
import { and, gte, inArray, isNull, lt } from '../../platform/db/sql.ts';
import { type ClaimMovement, claimMovements } from '../../records/books/claim-movements.ts';
import type { MoneyAccountRow } from '../../records/books/money-account-table.ts';
import { bankEntryTable, bankStatementTable } from '../../records/books/money-file-table.ts';
import { keyOfEntry } from '../imports/match-stored.ts';
import { matchClaims } from '../match/match-claims.ts';
import type { ClosingPlace, ComparedPlace } from './closing-place.ts';
import type { ClaimFact } from './day-facts.ts';

/** A bank books what was paid of a claim within so many of its days. */
const AT_BANK_WITHIN_DAYS = 2;
/**
 * The days around a day whose movements and entries are matched with its own: a payment may be taken back and made again
 * in the same amount.
 */
const AROUND_DAYS = 14;
/** An account without statements for so long is not imported any more. */
const IMPORTED_SINCE_DAYS = 14;

/** The movements of claims and the entries of banks around a day that belong to each other, by their keys. */
export interface ClaimMatches {
  movements: ReadonlySet<string>;
  entries: ReadonlySet<string>;
}

/**
 * Matches what claims were paid to the entries of banks around a day. The site does not count: a bank account may be that
 * of several.
 */
export async function claimMatches(q: Queries, day: string): Promise<ClaimMatches> {
  const [from, before] = [dayAfter(day, 0 - AROUND_DAYS), dayAfter(day, AROUND_DAYS + 1)];
  const movements = await claimMovements(q, { from, before });
  if (movements.length === 0) return { movements: new Set(), entries: new Set() };
  const e = bankEntryTable;
  const entries = await q
    .select()
    .from(e)
    .where(and(isNull(e.batchId), gte(e.bookedOn, from), lt(e.bookedOn, before)));
  const found = matchClaims(
    entries.map((entry) => ({ ...entry, key: keyOfEntry(entry) })),
    movements.map((movement) => ({ ...movement, key: keyOfMovement(movement) })),
  );
  return { movements: new Set([...found.values()].flat()), entries: new Set(found.keys()) };
}

/** The payments of claims of the day, and what was taken back. */
export async function claimsOfDay(
  q: Queries,
  place: ComparedPlace,
  accounts: readonly MoneyAccountRow[],
  matches: ClaimMatches,
): Promise<ClaimFact[]> {
  const movements = await movementsOf(q, place, place.day, dayAfter(place.day, 1));
  if (movements.length === 0) return [];
  const isImported = await hasStatements(q, accounts, place.day);
  return movements.map((movement) => {
    const isThere = matches.movements.has(keyOfMovement(movement));
    const dueOn = isImported && !isThere ? place.workDays.after(place.day, AT_BANK_WITHIN_DAYS) : null;
    return factOf(movement, dueOn);
  });
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

function keyOfMovement({ claimId, n }: ClaimMovement): string {
  return `${claimId} ${n}`;
}

function factOf(movement: ClaimMovement, atBankBy: string | null): ClaimFact {
  const { invoiceId, currency, kind, paidMinor, interestMinor, costsMinor } = movement;
  const id = keyOfMovement(movement);
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

async function hasStatements(
  q: Queries,
  accounts: readonly MoneyAccountRow[],
  day: string,
): Promise<boolean> {
  const b = bankStatementTable;
  const found = await q
    .select({ id: b.accountId })
    .from(b)
    .where(
      and(inArray(b.accountId, banksIn(accounts)), gte(b.untilDay, dayAfter(day, 0 - IMPORTED_SINCE_DAYS))),
    )
    .limit(1);
  return found.length > 0;
}

function banksIn(accounts: readonly MoneyAccountRow[]): string[] {
  return accounts.filter(({ kind }) => kind === 'bank').map(({ id }) => id);
}
