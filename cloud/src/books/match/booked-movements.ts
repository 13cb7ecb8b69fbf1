import { DAY_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { inChunks } from '../../platform/db/in-chunks.ts';
import { and, eq, gte, inArray, isNotNull, lt, ne, sql } from '../../platform/db/sql.ts';
import { ofSites } from '../../platform/http/list-rows.ts';
import type { MoneyAccountRow } from '../../records/books/money-account-table.ts';
import { settlementRowTable } from '../../records/books/money-file-table.ts';
import { onlinePaymentTable, onlineRefundTable } from '../../records/online-payments/online-payment-table.ts';
import { chargebackTable } from '../../records/payments/chargeback-table.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';
import type { BookedMovement, RowToMatch, TakenMovement } from './match-settlement.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
/** An acquirer books a sale of a terminal some days later. */
const SLACK_DAYS = 4;
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** What rows of an account may be in our books, and what of it rows of other files are matched to. */
export async function bookedFor(
  q: Queries,
  account: Pick<MoneyAccountRow, 'gatewayId' | 'siteId'>,
  rows: readonly RowToMatch[],
): Promise<{ booked: BookedMovement[]; taken: TakenMovement[] }> {
  const ids = new Set<string>();
  const named = rows.flatMap((row) => [row.merchantReference, row.reference].flatMap((name) => name ?? []));
  for (const name of named) if (UUID.test(name)) ids.add(name);
  if (account.gatewayId !== null) {
    for (const id of await paymentsOfTransactions(q, account.gatewayId, named)) ids.add(id);
  }
  for (const id of await paymentsAtTerminals(q, account, rows)) ids.add(id);
  const all = [...ids];
  const booked = [
    ...(await inChunks(all, (some) => salesOf(q, some))),
    ...(await inChunks(all, (some) => refundsOf(q, some))),
    ...(await inChunks(all, (some) => chargebacksOf(q, some))),
  ];
  const taken = await inChunks(all, (some) => takenOf(q, some));
  return { booked, taken };
}

async function paymentsOfTransactions(
  q: Queries,
  gatewayId: string,
  names: readonly string[],
): Promise<string[]> {
  const o = onlinePaymentTable;
  const found = await inChunks(names, (some) =>
    q
      .select({ id: o.id })
      .from(o)
      .where(and(eq(o.gatewayId, gatewayId), inArray(sql`(booking ->> '$.transactionId')`, some))),
  );
  return found.map(({ id }) => id);
}

/** The payments at terminals with an authorisation of the file, around its days. */
async function paymentsAtTerminals(
  q: Queries,
  { siteId }: Pick<MoneyAccountRow, 'siteId'>,
  rows: readonly RowToMatch[],
): Promise<string[]> {
  const asked = rows.filter(({ authorisation }) => authorisation !== null);
  const days = asked.map(({ bookedOn }) => bookedOn).sort();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return [];
  const authorisations = new Set(asked.map(({ authorisation }) => authorisation));
  const p = paymentTable;
  const found = await q
    .select({ id: p.id, transaction: p.transaction })
    .from(p)
    .where(
      and(
        gte(p.createdAt, dayBefore(first, SLACK_DAYS)),
        lt(p.createdAt, dayBefore(last, 0 - SLACK_DAYS - 1)),
        isNotNull(p.terminalId),
        ofSites(p.siteId, siteId === null ? null : [siteId]),
      ),
    );
  return found.flatMap(({ id, transaction }) =>
    authorisations.has(transaction?.authorisation ?? null) && transaction?.authorisation != null ? [id] : [],
  );
}

function dayBefore(day: string, days: number): string {
  return utcTime(Date.parse(`${day}T00:00:00.000Z`) - days * DAY_MS);
}

/** What was booked, also what was taken back since. */
async function salesOf(q: Queries, ids: readonly string[]): Promise<BookedMovement[]> {
  const [p, o] = [paymentTable, onlinePaymentTable];
  const found = await q
    .select({
      id: p.id,
      state: p.state,
      currency: p.currency,
      amountMinor: p.amountMinor,
      transaction: p.transaction,
      createdAt: p.createdAt,
      booking: o.booking,
    })
    .from(p)
    .leftJoin(o, eq(o.id, p.id))
    .where(inArray(p.id, [...ids]));
  return found.flatMap(({ id, state, currency, amountMinor, transaction, createdAt, booking }) =>
    state === 'settled' || state === 'reversed' || booking !== null
      ? [
          {
            paymentId: id,
            kind: 'sale' as const,
            currency,
            amountMinor: booking?.amountMinor ?? amountMinor + (transaction?.tipMinor ?? 0),
            day: createdAt.slice(0, DAY_LENGTH),
            references: [id, ...(booking === null ? [] : [booking.transactionId])],
            ownReferences: [],
            authorisation: booking === null ? (transaction?.authorisation ?? null) : null,
            lastFour: transaction?.card.lastFour ?? null,
          },
        ]
      : [],
  );
}

async function refundsOf(q: Queries, ids: readonly string[]): Promise<BookedMovement[]> {
  const [r, p] = [onlineRefundTable, paymentTable];
  const found = await q
    .select({
      id: r.id,
      paymentId: r.paymentId,
      amountMinor: r.amountMinor,
      reference: r.reference,
      createdAt: r.createdAt,
      currency: p.currency,
    })
    .from(r)
    .innerJoin(p, eq(p.id, r.paymentId))
    .where(and(inArray(r.paymentId, [...ids]), ne(r.state, 'not-possible')));
  return found
    .filter(({ amountMinor }) => amountMinor > 0)
    .map(({ id, paymentId, amountMinor, reference, createdAt, currency }) => ({
      paymentId,
      kind: 'refund' as const,
      currency,
      amountMinor,
      day: createdAt.slice(0, DAY_LENGTH),
      references: [paymentId],
      ownReferences: [id, ...(reference === null ? [] : [reference])],
      authorisation: null,
      lastFour: null,
    }));
}

async function chargebacksOf(q: Queries, ids: readonly string[]): Promise<BookedMovement[]> {
  const [c, p] = [chargebackTable, paymentTable];
  const found = await q
    .select({ chargeback: c, currency: p.currency })
    .from(c)
    .innerJoin(p, eq(p.id, c.paymentId))
    .where(and(inArray(c.paymentId, [...ids]), ne(c.state, 'prevented')));
  return found.flatMap(({ chargeback, currency }) => {
    const { paymentId, amountMinor, reference, openedAt, decidedAt, state } = chargeback;
    const taken: BookedMovement = {
      paymentId,
      kind: 'chargeback',
      currency,
      amountMinor,
      day: openedAt.slice(0, DAY_LENGTH),
      references: [paymentId],
      ownReferences: [reference],
      authorisation: null,
      lastFour: null,
    };
    const back = (decidedAt ?? openedAt).slice(0, DAY_LENGTH);
    return state === 'won' ? [taken, { ...taken, kind: 'chargeback-reversed' as const, day: back }] : [taken];
  });
}

async function takenOf(q: Queries, ids: readonly string[]): Promise<TakenMovement[]> {
  const t = settlementRowTable;
  const found = await q
    .select({ paymentId: t.paymentId, kind: t.kind, grossMinor: t.grossMinor })
    .from(t)
    .where(and(inArray(t.paymentId, [...ids]), inArray(t.match, ['matched', 'other-amount'])));
  return found.flatMap(({ paymentId, kind, grossMinor }) =>
    paymentId !== null && isMovement(kind) ? [{ paymentId, kind, amountMinor: Math.abs(grossMinor) }] : [],
  );
}

function isMovement(kind: string): kind is BookedMovement['kind'] {
  return kind === 'sale' || kind === 'refund' || kind === 'chargeback' || kind === 'chargeback-reversed';
}
