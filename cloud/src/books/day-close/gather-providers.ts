import type { Queries } from '../../platform/db/db.ts';
import { inChunks } from '../../platform/db/in-chunks.ts';
import { and, eq, inArray, isNotNull, isNull, or } from '../../platform/db/sql.ts';
import { groupBy } from '../../platform/group-by.ts';
import { type MoneyAccountRow, moneyAccountTable } from '../../records/books/money-account-table.ts';
import {
  bankEntryTable,
  type SettlementRowRow,
  settlementBatchTable,
  settlementRowTable,
} from '../../records/books/money-file-table.ts';
import { SETTLEMENT_ROW_KINDS } from '../files/file-content.ts';
import type { ClosingPlace, ComparedPlace } from './closing-place.ts';
import type { BatchFact, FeeContract, ProviderFact } from './day-facts.ts';

/** A bank books a payout within so many of its days. */
const PAID_OUT_WITHIN_DAYS = 3;

/** The gateways whose settlement files come here; null: card terminals. */
export type SettlingAccounts = ReadonlySet<string | null>;

export async function accountsOf(q: Queries, { siteId }: ClosingPlace): Promise<MoneyAccountRow[]> {
  const t = moneyAccountTable;
  const own = siteId === null ? isNull(t.siteId) : or(isNull(t.siteId), eq(t.siteId, siteId));
  return await q.select().from(t).where(own);
}

export function settlingAccounts(accounts: readonly MoneyAccountRow[]): SettlingAccounts {
  return new Set(accounts.filter(({ kind }) => kind === 'settlement').map(({ gatewayId }) => gatewayId));
}

/** The rows of settlement files that belong to payments, each with the contract of its account. */
export async function rowsOfPayments(
  q: Queries,
  paymentIds: readonly string[],
): Promise<Map<string, ProviderFact[]>> {
  const s = settlementRowTable;
  const rows = await inChunks(paymentIds, (some) =>
    q
      .select()
      .from(s)
      .where(and(isNotNull(s.paymentId), inArray(s.paymentId, some))),
  );
  const contracts = await contractsOf(q, rows);
  return new Map(
    [...groupBy(rows, ({ paymentId }) => paymentId)].map(([id, its]) => [
      id,
      its.sort(byPlace).map((row) => providerFact(row, contracts.get(row.batchId) ?? null)),
    ]),
  );
}

function byPlace(one: SettlementRowRow, other: SettlementRowRow): number {
  return one.fileId === other.fileId ? one.n - other.n : one.fileId < other.fileId ? -1 : 1;
}

async function contractsOf(
  q: Queries,
  rows: readonly SettlementRowRow[],
): Promise<Map<string, FeeContract | null>> {
  const [b, a] = [settlementBatchTable, moneyAccountTable];
  const batches = await inChunks(
    rows.map(({ batchId }) => batchId),
    (some) =>
      q
        .select({ id: b.id, contract: a.feeContract })
        .from(b)
        .innerJoin(a, eq(a.id, b.accountId))
        .where(inArray(b.id, some)),
  );
  return new Map(
    batches.map(({ id, contract }) => [
      id,
      contract && { basisPoints: contract.basisPoints, fixedMinor: contract.fixed },
    ]),
  );
}

function providerFact(row: SettlementRowRow, contract: FeeContract | null): ProviderFact {
  const { fileId, n, match, reference, ownReference, currency, grossMinor, feeMinor } = row;
  return {
    id: `${fileId} ${n}`,
    kind: SETTLEMENT_ROW_KINDS.find((one) => one === row.kind) ?? 'adjustment',
    match,
    reference: ownReference ?? reference,
    currency,
    grossMinor,
    feeMinor,
    contract,
  };
}

/** Whether an account belongs to the place: one of several sites belongs to the close of several sites. */
const isOf =
  ({ siteId }: ClosingPlace) =>
  (account: Pick<MoneyAccountRow, 'siteId'>): boolean =>
    account.siteId === siteId;

/** Rows of the day that belong to no payment of ours. */
export async function straysOfDay(
  q: Queries,
  place: ClosingPlace,
  accounts: readonly MoneyAccountRow[],
): Promise<ProviderFact[]> {
  const [s, b] = [settlementRowTable, settlementBatchTable];
  const own = accounts.filter(isOf(place)).map(({ id }) => id);
  if (own.length === 0) return [];
  const rows = await q
    .select({ row: s, accountId: b.accountId })
    .from(s)
    .innerJoin(b, eq(b.id, s.batchId))
    .where(and(isNull(s.paymentId), eq(s.bookedOn, place.day)));
  const mine = rows.filter(({ accountId }) => own.includes(accountId)).map(({ row }) => row);
  const contracts = await contractsOf(q, mine);
  return mine.map((row) => providerFact(row, contracts.get(row.batchId) ?? null));
}

/** What providers have paid out on the day, and what the bank has of it. */
export async function batchesOfDay(
  q: Queries,
  place: ComparedPlace,
  accounts: readonly MoneyAccountRow[],
): Promise<BatchFact[]> {
  const [b, e] = [settlementBatchTable, bankEntryTable];
  const own = new Map(accounts.filter(isOf(place)).map((account) => [account.id, account]));
  if (own.size === 0) return [];
  const found = await q
    .select()
    .from(b)
    .where(and(isNotNull(b.paidOn), eq(b.paidOn, place.day)));
  const batches = found.filter(({ accountId }) => own.has(accountId));
  const entries = await inChunks(
    batches.map(({ id }) => id),
    (some) =>
      q
        .select()
        .from(e)
        .where(and(isNotNull(e.batchId), inArray(e.batchId, some))),
  );
  const byBatch = groupBy(entries, ({ batchId }) => batchId);
  const hasBank = accounts.some(({ kind }) => kind === 'bank');
  return batches.map(({ id, accountId, reference, state, currency, payoutMinor, roundingMinor }) => {
    const isAtBank = hasBank || own.get(accountId)?.paysIntoId != null;
    return {
      id,
      reference,
      state,
      currency,
      payoutMinor,
      roundingMinor,
      atBankBy: isAtBank ? place.workDays.after(place.day, PAID_OUT_WITHIN_DAYS) : null,
      entries: (byBatch.get(id) ?? []).map(({ fileId, n, amountMinor, match }) => ({
        id: `${fileId} ${n}`,
        amountMinor,
        match,
      })),
    };
  });
}

/** The accounts of the place itself. */
export function ownAccounts(accounts: readonly MoneyAccountRow[], place: ClosingPlace): MoneyAccountRow[] {
  return accounts.filter(isOf(place));
}

/** The files of which rows were compared, so that they are kept. */
export async function filesOfDay(
  q: Queries,
  place: ClosingPlace,
  rowIds: readonly string[],
): Promise<string[]> {
  const b = settlementBatchTable;
  const named = rowIds.flatMap((id) => id.split(' ')[0] ?? []);
  const accounts = (await accountsOf(q, place)).filter(isOf(place)).map(({ id }) => id);
  const batches = await q
    .select({ fileId: b.fileId, accountId: b.accountId })
    .from(b)
    .where(and(isNotNull(b.paidOn), eq(b.paidOn, place.day)));
  const paid = batches.filter(({ accountId }) => accounts.includes(accountId)).map(({ fileId }) => fileId);
  return [...new Set([...named, ...paid])];
}
