import { DAY_MS } from '@hlid/protocol/base/durations';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import type { GatewayTransaction } from '../../../platform/card-gateways/gateway.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { and, eq, gte, isNotNull, lt, ne } from '../../../platform/db/sql.ts';
import {
  onlinePaymentTable,
  onlineRefundTable,
} from '../../../records/online-payments/online-payment-table.ts';
import { chargebackTable } from '../../../records/payments/chargeback-table.ts';
import { paymentTable } from '../../../records/payments/payment-table.ts';
import type { SettledKind, SettledLine } from './settlement-file.ts';

/** A provider may settle a movement this number of days before or after the day that we have for it. */
const SLACK_DAYS = 7;
const DAY = 'YYYY-MM-DD';

/** A sum of money of one kind. */
export interface SettledSum {
  kind: SettledKind;
  currency: string;
  count: number;
  amountMinor: number;
}

export interface SettlementDifference {
  /** `missing-here`: only the report has it; `missing-there`: only our books have it. */
  problem: 'missing-here' | 'missing-there' | 'other-amount';
  kind: SettledKind;
  transactionId: string;
  /** Null: the cloud has no such payment. */
  paymentId: string | null;
  currency: string;
  /** The amount in our books; the other is that of the report. */
  hereMinor: number | null;
  thereMinor: number | null;
}

export interface SettlementComparison {
  from: string;
  to: string;
  agrees: SettledSum[];
  /** The provider's fees: our books do not have them. */
  fees: SettledSum[];
  differences: SettlementDifference[];
}

type Movement = SettledLine & {
  paymentId: string | null;
  /** The provider's own name of the refund or the chargeback. */
  reference: string | null;
};

/** Compares a provider's settlement report with our books of its gateway. Nothing is changed. */
export async function compareSettlement(
  q: Queries,
  gatewayId: string,
  lines: readonly SettledLine[],
): Promise<SettlementComparison> {
  const days = lines.map(({ date }) => date).sort();
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const booked = await bookedMovements(q, gatewayId, { from, to });
  const ours = sumUp(booked);
  const own = ownReferences(booked);
  const fees = lines.filter(({ kind }) => kind === 'fee');
  const theirs = sumUp(
    lines
      .filter(({ kind }) => kind !== 'fee')
      .map((line) => ({
        ...line,
        transactionId: own.get(referenceKey(line.kind, line.transactionId)) ?? line.transactionId,
        paymentId: null,
        reference: null,
      })),
  );
  const agreed: Movement[] = [];
  const differences: SettlementDifference[] = [];
  const strangers = [...theirs].filter(([key]) => !ours.has(key)).map(([, there]) => there);
  const missing = [...ours].filter(([key]) => !theirs.has(key)).map(([, here]) => here);
  const paired = pairsOf(strangers, missing);
  for (const [key, there] of theirs) {
    const here = ours.get(key) ?? paired.get(there);
    if (here?.amountMinor === there.amountMinor) agreed.push(here);
    else differences.push(differenceOf(there, { here, there }));
  }
  const found = new Set(paired.values());
  for (const here of missing) {
    if (!found.has(here) && here.date >= from && here.date <= to) {
      differences.push(differenceOf(here, { here }));
    }
  }
  return { from, to, agrees: totals(agreed), fees: totals(fees), differences };
}

/** The amounts booked, refunded and charged back by our books around these days; of chargebacks, all. */
async function bookedMovements(
  q: Queries,
  gatewayId: string,
  { from, to }: { from: string; to: string },
): Promise<Movement[]> {
  const first = utcTime(millis(`${from}T00:00:00.000Z`) - SLACK_DAYS * DAY_MS);
  const end = utcTime(millis(`${to}T00:00:00.000Z`) + (SLACK_DAYS + 1) * DAY_MS);
  const [o, r, c] = [onlinePaymentTable, onlineRefundTable, chargebackTable];
  const ofGateway = and(eq(o.gatewayId, gatewayId), isNotNull(o.booking));
  const sales = await q
    .select({ id: o.id, booking: o.booking, at: paymentTable.createdAt })
    .from(o)
    .innerJoin(paymentTable, eq(paymentTable.id, o.id))
    .where(and(ofGateway, gte(paymentTable.createdAt, first), lt(paymentTable.createdAt, end)));
  const refunds = await q
    .select({
      id: o.id,
      booking: o.booking,
      at: r.doneAt,
      amountMinor: r.amountMinor,
      reference: r.reference,
    })
    .from(r)
    .innerJoin(o, eq(o.id, r.paymentId))
    .where(and(ofGateway, eq(r.state, 'refunded'), gte(r.doneAt, first), lt(r.doneAt, end)));
  const chargebacks = await q
    .select({ id: o.id, booking: o.booking, chargeback: c })
    .from(c)
    .innerJoin(o, eq(o.id, c.paymentId))
    .where(and(ofGateway, ne(c.state, 'prevented')));
  return [
    ...sales.map((row) => ({
      ...row,
      kind: 'sale' as const,
      amountMinor: row.booking?.amountMinor ?? 0,
      reference: null,
    })),
    ...refunds.map((row) => ({ ...row, kind: 'refund' as const })),
    ...chargebacks.flatMap(({ id, booking, chargeback }) => {
      const { amountMinor, reference, openedAt, decidedAt, state } = chargeback;
      const taken = { id, booking, amountMinor, reference, kind: 'chargeback' as const, at: openedAt };
      return state === 'won'
        ? [taken, { ...taken, kind: 'chargeback-won' as const, at: decidedAt }]
        : [taken];
    }),
  ].flatMap(({ id, booking, at, kind, amountMinor, reference }) =>
    // A whole refund may have had nothing left to give back.
    booking === null || at === null || amountMinor === 0
      ? []
      : [movementOf(booking, { paymentId: id, kind, amountMinor, reference, date: at.slice(0, DAY.length) })],
  );
}

function movementOf(
  { transactionId, currency }: Pick<GatewayTransaction, 'transactionId' | 'currency'>,
  rest: Omit<Movement, 'transactionId' | 'currency'>,
): Movement {
  return { transactionId, currency, ...rest };
}

/**
 * Pairs movements under names that we have never got with the one movement of that kind and amount that the
 * report lacks: one take-back is never two differences. Where several may be meant, a person looks.
 */
function pairsOf(strangers: readonly Movement[], missing: readonly Movement[]): Map<Movement, Movement> {
  const isLike = (one: Movement) => (other: Movement) =>
    one.kind === other.kind && one.currency === other.currency && one.amountMinor === other.amountMinor;
  return new Map(
    strangers.flatMap((there) => {
      const [here, another] = missing.filter(isLike(there));
      const isOnly = strangers.filter(isLike(there)).length === 1;
      const isPair = there.kind !== 'sale' && isOnly && another === undefined;
      return here !== undefined && isPair ? [[there, here] as const] : [];
    }),
  );
}

const referenceKey = (kind: SettledKind, reference: string) => JSON.stringify([kind, reference]);

/** Providers name a refund or a chargeback by its sale, or by itself: the sale by what they call the other. */
function ownReferences(booked: readonly Movement[]): ReadonlyMap<string, string> {
  return new Map(
    booked.flatMap(({ kind, reference, transactionId }) =>
      reference === null ? [] : [[referenceKey(kind, reference), transactionId] as const],
    ),
  );
}

/** Movements of one kind of one transaction count as one: parts may be refunded together or apart. */
function sumUp(movements: readonly Movement[]): Map<string, Movement> {
  const sums = new Map<string, Movement>();
  for (const movement of movements) {
    const key = JSON.stringify([movement.kind, movement.transactionId, movement.currency]);
    const known = sums.get(key);
    const amountMinor = (known?.amountMinor ?? 0) + movement.amountMinor;
    sums.set(key, { ...(known ?? movement), amountMinor });
  }
  return sums;
}

function differenceOf(
  { kind, transactionId, currency }: Movement,
  { here, there }: { here?: Movement | undefined; there?: Movement | undefined },
): SettlementDifference {
  const isBoth = here !== undefined && there !== undefined;
  return {
    problem: isBoth ? 'other-amount' : here === undefined ? 'missing-here' : 'missing-there',
    kind,
    transactionId,
    currency,
    paymentId: here?.paymentId ?? null,
    hereMinor: here?.amountMinor ?? null,
    thereMinor: there?.amountMinor ?? null,
  };
}

function totals(movements: readonly Omit<SettledLine, 'date'>[]): SettledSum[] {
  const sums = new Map<string, SettledSum>();
  for (const { kind, currency, amountMinor } of movements) {
    const key = `${kind} ${currency}`;
    const known = sums.get(key) ?? { kind, currency, count: 0, amountMinor: 0 };
    sums.set(key, { ...known, count: known.count + 1, amountMinor: known.amountMinor + amountMinor });
  }
  return [...sums.values()];
}
