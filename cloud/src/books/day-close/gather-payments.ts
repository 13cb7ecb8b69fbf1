import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { wallClock } from '@hlid/protocol/base/site-time';
import type { Queries } from '../../platform/db/db.ts';
import { inChunks } from '../../platform/db/in-chunks.ts';
import { and, eq, gt, gte, inArray, isNull, lt, ne } from '../../platform/db/sql.ts';
import { groupBy } from '../../platform/group-by.ts';
import { ofSite } from '../../platform/http/list-rows.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { onlinePaymentTable, onlineRefundTable } from '../../records/online-payments/online-payment-table.ts';
import { chargebackTable } from '../../records/payments/chargeback-table.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';
import { visitTable } from '../../records/visits/visit-table.ts';
import { type ClosingPlace, type ComparedPlace, spanOf } from './closing-place.ts';
import type { ChargebackFact, InvoiceFact, PaymentFact, ProviderFact, RefundFact } from './day-facts.ts';
import { rowsOfPayments, type SettlingAccounts } from './gather-providers.ts';

/** A provider settles a sale within so many days of banks. */
const SETTLED_WITHIN_DAYS = 4;
/** What became of a payment is found out within a day, or never. */
const UNKNOWN_FOR_DAYS = 1;

export interface MoneyOfDay {
  invoices: InvoiceFact[];
  payments: PaymentFact[];
  refunds: RefundFact[];
  chargebacks: ChargebackFact[];
  /** When a card was used last at each terminal. */
  lastAtTerminal: Map<string, string>;
}

type InvoiceOfDay = Pick<
  typeof invoiceTable.$inferSelect,
  'id' | 'number' | 'creditOf' | 'visitId' | 'paymentType' | 'amountMinor' | 'tipMinor' | 'currency'
>;
type PaymentRow = typeof paymentTable.$inferSelect;

/**
 * Invoices that were issued on the day, and the payments by card that go with it: those that made an invoice, on its day,
 * and all others on their own. What was given or taken back of a payment is of the payment's day.
 */
export async function moneyOfDay(
  q: Queries,
  place: ComparedPlace,
  accounts: SettlingAccounts,
): Promise<MoneyOfDay> {
  const issued = await issuedOn(q, place);
  const byCard = issued.filter(isByCard);
  const rows = await paymentsOf(q, place, byCard);
  const invoices = new Map(byCard.map((invoice) => [invoice.id, invoice]));
  const context = await contextOf(q, rows);
  const kept = rows.filter(
    ({ id, state }) =>
      state === 'settled' || state === 'unknown' || invoices.has(id) || context.refunds.has(id),
  );
  const ids = kept.map(({ id }) => id);
  const providerRows = await rowsOfPayments(q, ids);
  const facts = kept.map((row) => {
    const theirs = providerRows.get(row.id) ?? [];
    return factsOf(row, { place, accounts, context, invoice: invoices.get(row.id) ?? null, theirs });
  });
  const paid = new Set(ids);
  return {
    invoices: issued.map(({ id, number, visitId, amountMinor, currency, ...invoice }) => ({
      id,
      number,
      amountMinor,
      currency,
      visitId,
      needsPayment: isByCard(invoice),
      hasPayment: paid.has(id),
      siteCurrency: place.currency,
    })),
    payments: facts.map(({ payment }) => payment),
    refunds: facts.flatMap(({ refunds }) => refunds),
    chargebacks: facts.flatMap(({ chargebacks }) => chargebacks),
    lastAtTerminal: lastAtTerminal(kept),
  };
}

function isByCard({ creditOf, paymentType }: Pick<InvoiceOfDay, 'creditOf' | 'paymentType'>): boolean {
  return creditOf === null && (paymentType === 'kiosk' || paymentType === 'online');
}

async function issuedOn(q: Queries, place: ClosingPlace): Promise<InvoiceOfDay[]> {
  const i = invoiceTable;
  const { from, before } = spanOf(place);
  return await q
    .select({
      id: i.id,
      number: i.number,
      creditOf: i.creditOf,
      visitId: i.visitId,
      paymentType: i.paymentType,
      amountMinor: i.amountMinor,
      tipMinor: i.tipMinor,
      currency: i.currency,
    })
    .from(i)
    .where(
      and(
        place.siteId === null ? isNull(i.siteId) : eq(i.siteId, place.siteId),
        gte(i.issuedAt, from),
        lt(i.issuedAt, before),
      ),
    );
}

async function paymentsOf(
  q: Queries,
  place: ClosingPlace,
  byCard: readonly InvoiceOfDay[],
): Promise<PaymentRow[]> {
  const p = paymentTable;
  const made = await inChunks(
    byCard.map(({ id }) => id),
    (some) => q.select().from(p).where(inArray(p.id, some)),
  );
  if (place.siteId === null) return made;
  const { from, before } = spanOf(place);
  const created = await q
    .select()
    .from(p)
    .where(
      and(
        gte(p.createdAt, from),
        lt(p.createdAt, before),
        ofSite(p.siteId, place.siteId),
        inArray(p.state, ['settled', 'reversed', 'unknown']),
        gt(p.amountMinor, 0),
      ),
    );
  // One that made an invoice is of the invoice's day.
  const others = await inChunks(
    created.map(({ id }) => id),
    (some) => q.select({ id: invoiceTable.id }).from(invoiceTable).where(inArray(invoiceTable.id, some)),
  );
  const invoiced = new Set([...others, ...made].map(({ id }) => id));
  return [...made, ...created.filter(({ id }) => !invoiced.has(id))];
}

interface Context {
  visits: ReadonlySet<string>;
  paidInvoices: ReadonlyMap<string, { amountMinor: number }>;
  gateways: ReadonlyMap<string, { gatewayId: string; bookedMinor: number | null }>;
  refunds: ReadonlyMap<string, (typeof onlineRefundTable.$inferSelect)[]>;
  chargebacks: ReadonlyMap<string, (typeof chargebackTable.$inferSelect)[]>;
}

async function contextOf(q: Queries, rows: readonly PaymentRow[]): Promise<Context> {
  const [v, i, o, r, c] = [visitTable, invoiceTable, onlinePaymentTable, onlineRefundTable, chargebackTable];
  const ids = rows.map(({ id }) => id);
  const visits = await inChunks(
    rows.flatMap(({ visitId }) => visitId ?? []),
    (some) => q.select({ id: v.id }).from(v).where(inArray(v.id, some)),
  );
  const invoices = await inChunks(
    rows.flatMap(({ invoiceId }) => invoiceId ?? []),
    (some) => q.select({ id: i.id, amountMinor: i.amountMinor }).from(i).where(inArray(i.id, some)),
  );
  const online = await inChunks(ids, (some) =>
    q.select({ id: o.id, gatewayId: o.gatewayId, booking: o.booking }).from(o).where(inArray(o.id, some)),
  );
  const refunds = await inChunks(ids, (some) =>
    q
      .select()
      .from(r)
      .where(and(inArray(r.paymentId, some), ne(r.state, 'not-possible'), gt(r.amountMinor, 0))),
  );
  const chargebacks = await inChunks(ids, (some) =>
    q
      .select()
      .from(c)
      .where(and(inArray(c.paymentId, some), ne(c.state, 'prevented'))),
  );
  return {
    visits: new Set(visits.map(({ id }) => id)),
    paidInvoices: new Map(invoices.map(({ id, amountMinor }) => [id, { amountMinor }])),
    gateways: new Map(
      online.map(({ id, gatewayId, booking }) => [
        id,
        { gatewayId, bookedMinor: booking?.amountMinor ?? null },
      ]),
    ),
    refunds: groupBy(refunds, ({ paymentId }) => paymentId),
    chargebacks: groupBy(chargebacks, ({ paymentId }) => paymentId),
  };
}

interface Beside {
  place: ComparedPlace;
  accounts: SettlingAccounts;
  context: Context;
  invoice: InvoiceOfDay | null;
  theirs: readonly ProviderFact[];
}

function factsOf(
  row: PaymentRow,
  { place, accounts, context, invoice, theirs }: Beside,
): { payment: PaymentFact; refunds: RefundFact[]; chargebacks: ChargebackFact[] } {
  const gateway = context.gateways.get(row.id) ?? null;
  const isSettled = accounts.has(gateway?.gatewayId ?? null);
  const dueFrom = (day: string) => (isSettled ? place.workDays.after(day, SETTLED_WITHIN_DAYS) : null);
  const dayOf = (at: string) => wallClock(at, place.timeZone).date;
  const left = [...theirs];
  const take = (fits: (one: ProviderFact) => boolean): ProviderFact[] => {
    const found = left.findIndex(fits);
    return found === -1 ? [] : left.splice(found, 1);
  };
  const { id: paymentId, currency } = row;
  const chargebacks = (context.chargebacks.get(row.id) ?? []).map(
    ({ reference, amountMinor, openedAt, state }): ChargebackFact => {
      const taken = take((one) => one.kind === 'chargeback');
      const back = state === 'won' ? take((one) => one.kind === 'chargeback-reversed') : [];
      const fees = taken.length === 0 ? [] : take((one) => one.kind === 'fee');
      return {
        id: `${paymentId} ${reference}`,
        paymentId,
        reference,
        amountMinor,
        currency,
        settledBy: dueFrom(dayOf(openedAt)),
        rows: [...taken, ...back, ...fees],
      };
    },
  );
  const given = context.refunds.get(row.id) ?? [];
  const refunds = [...given]
    .sort((one, other) => (one.id < other.id ? -1 : 1))
    .map(({ id, amountMinor, createdAt }): RefundFact => {
      const exact = take((one) => one.kind === 'refund' && 0 - one.grossMinor === amountMinor);
      const rows = exact.length > 0 ? exact : take((one) => one.kind === 'refund');
      return { id, paymentId, amountMinor, currency, settledBy: dueFrom(dayOf(createdAt)), rows };
    });
  // A reversal at a terminal is a void there: an acquirer may never see it.
  if (row.state === 'reversed' && given.length === 0) {
    const rows = take((one) => one.kind === 'refund');
    refunds.push({ id: paymentId, paymentId, amountMinor: moved(row), currency, settledBy: null, rows });
  }
  const isUnknown = row.state === 'unknown';
  const payment: PaymentFact = {
    id: row.id,
    state: isUnknown ? 'unknown' : 'settled',
    amountMinor: gateway?.bookedMinor ?? moved(row),
    currency,
    settledBy: isUnknown
      ? dayAfter(place.day, UNKNOWN_FOR_DAYS)
      : row.state === 'reversed' && given.length === 0 && theirs.length === 0
        ? null
        : dueFrom(place.day),
    rows: left,
    hasSubject: row.visitId === null || context.visits.has(row.visitId),
    invoicedMinor: invoicedFor(row, invoice, context),
    invoiceId: row.invoiceId ?? invoice?.id ?? null,
    isTwice: row.settledTwice && row.state === 'settled',
    visitId: row.visitId,
  };
  return { payment, refunds, chargebacks };
}

/** The amount with the tip. */
function moved({ amountMinor, transaction }: PaymentRow): number {
  return amountMinor + (transaction?.tipMinor ?? 0);
}

function invoicedFor(row: PaymentRow, invoice: InvoiceOfDay | null, context: Context): number | null {
  if (invoice !== null) return invoice.amountMinor + invoice.tipMinor;
  if (row.invoiceId !== null) return context.paidInvoices.get(row.invoiceId)?.amountMinor ?? null;
  // All of it went back before anything was sold.
  return row.state === 'reversed' ? moved(row) : null;
}

function lastAtTerminal(rows: readonly PaymentRow[]): Map<string, string> {
  const last = new Map<string, string>();
  for (const { terminalId, createdAt } of rows) {
    if (terminalId === null) continue;
    const before = last.get(terminalId);
    if (before === undefined || before < createdAt) last.set(terminalId, createdAt);
  }
  return last;
}
