import type { VatCategory } from '@hlid/protocol/base/vat';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { Queries } from '../../platform/db/db.ts';
import { inChunks } from '../../platform/db/in-chunks.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, between, desc, eq, inArray, type SQL, sql } from '../../platform/db/sql.ts';
import { ofSites } from '../../platform/http/list-rows.ts';
import {
  incomeProductTable as productTable,
  incomeTable as t,
  incomeVatTable as vatTable,
} from '../../records/invoices/income-table.ts';
import { invoiceTable } from '../../records/invoices/invoice-table.ts';
import { chargebackTable } from '../../records/payments/chargeback-table.ts';
import { paymentTable } from '../../records/payments/payment-table.ts';
import { productTable as products } from '../../records/products/product-table.ts';
import type { IncomeBy } from './income-periods.ts';

/** A sum of one kind of income. */
export interface IncomeSum
  extends Pick<
    typeof t.$inferSelect,
    'paymentType' | 'vehicleCategory' | 'currency' | 'invoices' | 'amountMinor' | 'tipsMinor'
  > {
  /** The value of the grouping: see `incomeOf`. */
  group: string;
}

const value = sql.placeholder;

/** The SQL that groups days: a week has the date of its Sunday. */
const GROUPS: Record<IncomeBy | 'whole', (day: SQL | typeof t.day) => SQL> = {
  whole: () => sql`''`,
  day: (day) => sql`${day}`,
  week: (day) => sql`date(${day}, 'weekday 0')`,
  month: (day) => sql`substr(${day}, 1, 7)`,
  site: () => sql`''`,
};

/** The days first, as the index stands, so that only their sums are sorted, not what all sites took in. */
function prepareSums(q: Queries, by: IncomeBy | 'whole', ofOneSite: boolean) {
  const days = q
    .select({
      day: t.day,
      paymentType: t.paymentType,
      vehicleCategory: t.vehicleCategory,
      currency: t.currency,
      invoices: sql<number>`sum(${t.invoices})`.as('invoices'),
      amountMinor: sql<number>`sum(${t.amountMinor})`.as('amount_minor'),
      tipsMinor: sql<number>`sum(${t.tipsMinor})`.as('tips_minor'),
    })
    .from(t)
    .where(
      and(ofOneSite ? eq(t.siteId, value('siteId')) : undefined, between(t.day, value('from'), value('to'))),
    )
    .groupBy(t.day, t.paymentType, t.vehicleCategory, t.currency)
    .as('days');
  const group = GROUPS[by](sql`${days.day}`);
  return q
    .select({
      group: group.mapWith(String),
      paymentType: days.paymentType,
      vehicleCategory: days.vehicleCategory,
      currency: days.currency,
      invoices: sql`sum(${days.invoices})`.mapWith(Number),
      amountMinor: sql`sum(${days.amountMinor})`.mapWith(Number),
      tipsMinor: sql`sum(${days.tipsMinor})`.mapWith(Number),
    })
    .from(days)
    .groupBy(sql`1`, days.paymentType, days.vehicleCategory, days.currency)
    .prepare();
}

const queries = new Map<string, (q: Queries) => ReturnType<typeof prepareSums>>();

/**
 * Sums of the days from one to another, both included, of one site (empty: of no site) or of all. `group` is the day,
 * the Sunday that ends its week, or the month (`2026-11`), by what was asked for; else it is empty.
 */
export async function incomeOf(
  q: Queries,
  { from, to }: { from: string; to: string },
  by: IncomeBy | 'whole',
  siteId: string | undefined,
): Promise<IncomeSum[]> {
  const shape = `${by} ${siteId !== undefined}`;
  const query = queries.get(shape) ?? prepared((on) => prepareSums(on, by, siteId !== undefined));
  queries.set(shape, query);
  return await query(q).all({ from, to, siteId });
}

/** The income of a product. */
export interface ProductSum {
  /** Null: of no product. */
  productId: string | null;
  /** By language; null: the product is gone, or it is none. */
  name: Readonly<Record<string, string>> | null;
  currency: string;
  invoices: number;
  amountMinor: number;
}

/** Sums of the days from one to another, as in `vatOfIncome`, the largest first. */
export async function productsOfIncome(
  q: Queries,
  { from, to }: { from: string; to: string },
  siteIds: readonly string[] | null,
): Promise<ProductSum[]> {
  const { currency, productId, day, siteId } = productTable;
  const rows = await q
    .select({
      productId,
      currency,
      invoices: sql`sum(${productTable.invoices})`.mapWith(Number),
      amountMinor: sql`sum(${productTable.amountMinor})`.mapWith(Number),
    })
    .from(productTable)
    .where(and(between(day, from, to), ofSites(siteId, siteIds)))
    .groupBy(currency, productId)
    .orderBy(currency, desc(sql`4`), productId);
  const names = await namesOf(
    q,
    rows.map((row) => row.productId),
  );
  return rows.map((row) => ({
    ...row,
    productId: row.productId === '' ? null : row.productId,
    name: names.get(row.productId) ?? null,
  }));
}

async function namesOf(
  q: Queries,
  ids: readonly string[],
): Promise<Map<string, Readonly<Record<string, string>>>> {
  const { id, name } = products;
  const found = await inChunks(
    ids,
    async (some) => await q.select({ id, name }).from(products).where(inArray(id, some)),
  );
  return new Map(found.map((one) => [one.id, one.name]));
}

/** The VAT in the income of a period. */
export interface VatSum {
  currency: string;
  category: VatCategory | null;
  rate: number;
  netMinor: number;
  vatMinor: number;
}

/** Sums of the days from one to another, both included, at these sites (empty: of no site); null: at all. */
export async function vatOfIncome(
  q: Queries,
  { from, to }: { from: string; to: string },
  siteIds: readonly string[] | null,
): Promise<VatSum[]> {
  const { currency, category, rate } = vatTable;
  const rows = await q
    .select({
      currency,
      category,
      rate,
      netMinor: sql`sum(${vatTable.netMinor})`.mapWith(Number),
      vatMinor: sql`sum(${vatTable.vatMinor})`.mapWith(Number),
    })
    .from(vatTable)
    .where(and(between(vatTable.day, from, to), ofSites(vatTable.siteId, siteIds)))
    .groupBy(currency, category, rate)
    .orderBy(currency, desc(rate), category);
  return rows.map((row) => ({ ...row, category: row.category === '' ? null : row.category }));
}

/** Money that may have gone back, or that banks of cards' holders hold, of which the end is not known: now, whatever the period. */
export interface UndecidedSum {
  currency: string;
  amountMinor: number;
  payments: number;
}

/** Sums of the refunds that are open at these sites; null: at all sites. */
export async function openRefunds(q: Queries, siteIds: readonly string[] | null): Promise<UndecidedSum[]> {
  const { currency, openRefundMinor: amount } = invoiceTable;
  return await q
    .select({ currency, ...undecided(amount) })
    .from(invoiceTable)
    .where(and(sql`open_refund_minor > 0`, ofSites(invoiceTable.siteId, siteIds)))
    .groupBy(currency)
    .orderBy(currency);
}

export async function openChargebacks(
  q: Queries,
  siteIds: readonly string[] | null,
): Promise<UndecidedSum[]> {
  const { currency } = paymentTable;
  return await q
    .select({ currency, ...undecided(chargebackTable.amountMinor) })
    .from(chargebackTable)
    .innerJoin(paymentTable, eq(paymentTable.id, chargebackTable.paymentId))
    .where(and(sql`${chargebackTable.state} = 'open'`, ofSites(paymentTable.siteId, siteIds)))
    .groupBy(currency)
    .orderBy(currency);
}

function undecided(amount: SQLiteColumn) {
  return {
    amountMinor: sql`sum(${amount})`.mapWith(Number),
    payments: sql`count(*)`.mapWith(Number),
  };
}
