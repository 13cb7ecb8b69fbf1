import type { Queries } from '../../platform/db/db.ts';
import { inChunks } from '../../platform/db/in-chunks.ts';
import { and, asc, eq, gte, inArray, inList, lt, sql, unindexed } from '../../platform/db/sql.ts';
import { claimMovementTable as m, claimTable as t } from './claim-table.ts';

/** Money of a claim on a day of the bank: a reversal has its amounts below zero. */
export interface ClaimMovement {
  claimId: string;
  /** Its place among those of its claim. */
  n: number;
  invoiceId: string;
  /** Null: of several sites. */
  siteId: string | null;
  /** The national id of whom the claim belongs to. */
  claimantId: string;
  kind: 'payment' | 'reversal';
  /** `YYYY-MM-DD`. */
  day: string;
  currency: string;
  /** Branch, ledger and number of the claim. */
  account: string;
  principalMinor: number;
  discountMinor: number;
  interestMinor: number;
  costsMinor: number;
  /** Principal − discount + interest + costs. */
  paidMinor: number;
  /** What of it reaches the account. */
  depositedMinor: number;
}

/** The days of a search, `YYYY-MM-DD`; the last one is not included. */
export interface ClaimDays {
  from: string;
  before: string;
  /** Absent: of every site, and of several. */
  siteIds?: readonly string[];
}

const columns = {
  claimId: m.claimId,
  n: m.n,
  invoiceId: t.invoiceId,
  siteId: t.siteId,
  claimantId: t.claimantId,
  kind: m.kind,
  day: m.bookedOn,
  currency: t.currency,
  account: t.account,
  principalMinor: m.principalMinor,
  discountMinor: m.discountMinor,
  interestMinor: m.interestMinor,
  costsMinor: m.costsMinor,
  depositedMinor: m.depositedMinor,
};

function withPaid<Row extends Omit<ClaimMovement, 'paidMinor'>>(row: Row): Row & { paidMinor: number } {
  return {
    ...row,
    paidMinor: row.principalMinor - row.discountMinor + row.interestMinor + row.costsMinor,
  };
}

/** What claims were paid on some days, and what was taken back, day by day. */
export async function claimMovements(
  q: Queries,
  { from, before, siteIds }: ClaimDays,
): Promise<ClaimMovement[]> {
  const rows = await q
    .select(columns)
    .from(m)
    .innerJoin(t, eq(t.id, m.claimId))
    .where(
      and(
        gte(m.bookedOn, from),
        lt(m.bookedOn, before),
        siteIds === undefined ? undefined : inList(unindexed(t.siteId), JSON.stringify(siteIds)),
      ),
    )
    .orderBy(asc(m.bookedOn), asc(m.claimId), asc(m.n));
  return rows.map(withPaid);
}

/** What claims at banks have paid of an invoice, less what was taken back. */
export async function paidByClaims(q: Queries, invoiceId: string): Promise<number> {
  const row = await q
    .select({ paidMinor: sql`coalesce(sum(${t.paidMinor}), 0)`.mapWith(Number) })
    .from(t)
    .where(eq(t.invoiceId, invoiceId))
    .get();
  return row?.paidMinor ?? 0;
}

/** The principal of each movement of invoices, with the time since which it is known here. */
export async function principalsOf(
  q: Queries,
  invoiceIds: readonly string[],
): Promise<{ invoiceId: string; seenAt: string; principalMinor: number }[]> {
  return await inChunks(
    invoiceIds,
    async (some) =>
      await q
        .select({ invoiceId: t.invoiceId, seenAt: m.seenAt, principalMinor: m.principalMinor })
        .from(t)
        .innerJoin(m, eq(m.claimId, t.id))
        .where(inArray(t.invoiceId, some)),
  );
}

/** What claims of invoices were paid, and what was taken back, with the time since which it is known here. */
export async function movementsOfInvoices(
  q: Queries,
  invoiceIds: readonly string[],
): Promise<(ClaimMovement & { seenAt: string })[]> {
  return await inChunks(invoiceIds, async (some) => {
    const rows = await q
      .select({ ...columns, seenAt: m.seenAt })
      .from(t)
      .innerJoin(m, eq(m.claimId, t.id))
      .where(inArray(t.invoiceId, some));
    return rows.map(withPaid);
  });
}
