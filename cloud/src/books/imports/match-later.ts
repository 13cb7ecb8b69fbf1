import { DAY_MS, HOUR_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Db, Queries } from '../../platform/db/db.ts';
import { and, desc, eq, gte, inArray } from '../../platform/db/sql.ts';
import { groupBy } from '../../platform/group-by.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { type MoneyAccountRow, moneyAccountTable } from '../../records/books/money-account-table.ts';
import {
  OPEN_ROW,
  type SettlementRowRow,
  settlementBatchTable,
  settlementRowTable as t,
} from '../../records/books/money-file-table.ts';
import { bookedFor } from '../match/booked-movements.ts';
import { type MatchedRow, matchSettlement } from '../match/match-settlement.ts';
import { toMatchOf } from './settlement-rows.ts';

/** A payment may come long after its file: a gateway that was unreachable, a site whose line was cut. */
const OPEN_DAYS = 60;
const MAX_OPEN = 2000;
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** Matches rows of stored settlement files to what was booked after their import. */
export function laterMatchRun(db: Db): ScheduledRun {
  return {
    name: 'settlement-matches',
    everyMs: HOUR_MS,
    async work({ now }) {
      await matchLater(db, now);
    },
  };
}

/** @returns the number of rows that are matched otherwise now */
export async function matchLater(db: Db, now: UtcTime): Promise<number> {
  // Most hours bring nothing: other writes wait only where something does.
  if ((await db.read((q) => laterMatches(q, now))).length === 0) return 0;
  return await db.write(async ({ q }) => {
    const changed = await laterMatches(q, now);
    for (const { row, match } of changed) {
      await q
        .update(t)
        .set(match)
        .where(and(eq(t.fileId, row.fileId), eq(t.n, row.n)));
    }
    return changed.length;
  });
}

interface LaterMatch {
  row: SettlementRowRow;
  match: MatchedRow;
}

async function laterMatches(q: Queries, now: UtcTime): Promise<LaterMatch[]> {
  const changed: LaterMatch[] = [];
  for (const [account, rows] of await openRows(q, now)) {
    const toMatch = rows.map((row) => toMatchOf(row, `${row.fileId} ${String(row.n).padStart(8, '0')}`));
    const { booked, taken } = await bookedFor(q, account, toMatch);
    const matches = matchSettlement(toMatch, booked, taken);
    for (const [place, row] of rows.entries()) {
      const match = matches.get(toMatch[place]?.key ?? '');
      if (match !== undefined && match.match !== row.match) changed.push({ row, match });
    }
  }
  return changed;
}

/** The newest rows that are not matched, by their accounts. */
async function openRows(q: Queries, now: UtcTime): Promise<Map<MoneyAccountRow, SettlementRowRow[]>> {
  const from = utcTime(millis(now) - OPEN_DAYS * DAY_MS).slice(0, DAY_LENGTH);
  const found = await q
    .select({ row: t, accountId: settlementBatchTable.accountId })
    .from(t)
    .innerJoin(settlementBatchTable, eq(settlementBatchTable.id, t.batchId))
    .where(and(OPEN_ROW, gte(t.bookedOn, from)))
    .orderBy(desc(t.bookedOn))
    .limit(MAX_OPEN);
  const byAccount = groupBy(found, ({ accountId }) => accountId);
  const ids = [...byAccount.keys()];
  const accounts = await q.select().from(moneyAccountTable).where(inArray(moneyAccountTable.id, ids));
  return new Map(
    accounts.map((account) => [account, (byAccount.get(account.id) ?? []).map(({ row }) => row)]),
  );
}
