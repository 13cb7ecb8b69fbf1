import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { formatMoney } from '@hlid/protocol/base/money';
import { billDays, type OrderRefusal, type PayableVisit } from '@hlid/protocol/rules/payment-order';
import { priceToSettle } from '@hlid/protocol/rules/visit-settlement';
import { pricedBy } from '@hlid/protocol/tariff/product';
import { productAt } from '@hlid/protocol/tariff/product-at';
import { invoiceSettlement } from '../../money/invoices/invoice-settlement.ts';
import { findProduct } from '../../money/products/find-products.ts';
import { siteProduct } from '../../money/products/product.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import type { ProductRow } from '../../records/products/product-table.ts';
import type { ChosenSite } from '../../records/sites/choose-site.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { settleRow } from '../../stays/visits/change/change-visit.ts';
import { recordChange } from '../../stays/visits/change/record-change.ts';
import { payableVisit } from '../../stays/visits/price/decide-now.ts';
import type { KioskPaymentTaken } from './kiosk.ts';
import { visitsInside } from './kiosk-store.ts';

/** Books what a kiosk has taken for a car that is inside: units of 24 hours by a product. Its site is notified. */
export async function registerPayment(
  db: Db,
  actor: Actor,
  taken: KioskPaymentTaken,
): Promise<{ ok: true; invoiceId: string } | Refused> {
  return await db.write(async (tx) => {
    const product = await findProduct(tx.q, taken.product);
    if (product === null) return refusedInput(mistake('not-found', 'product', { what: 'product' }));
    if (product.type === 'quota') return refusedInput(mistake('quota-product', 'product'));
    if (product.priceMinor === 0) return refusedInput(mistake('costs-nothing', 'product'));
    const found = await visitsInside(tx.q, taken.plate);
    const there = found.filter(({ siteId }) => product.siteId === null || siteId === product.siteId);
    const equal = there.filter(({ plate }) => plate === taken.plate);
    const [visit, another] = equal.length > 0 ? equal : there;
    if (visit === undefined) return NOT_FOUND;
    if (another !== undefined) return refusedInput(mistake('inside-twice', 'plate'));
    const site = await siteOfVisit(tx.q, visit);
    if (product.currency !== site.currency) {
      return refusedInput(mistake('site-currency', 'product', { currency: site.currency }));
    }
    const due = await payableVisit(tx.q, visit, site, actor.at);
    const bill = billDays(due, taken.quantity, product, visit.vehicleCategory);
    if (typeof bill === 'string') return refusedInput(mistakeOf(bill, due, product, taken));
    return { ok: true, invoiceId: await book(tx, actor, { visit, site, due }, product, taken) };
  });
}

/** The reason why it is not booked. The kiosk has the money all the same: a person refunds it. */
function mistakeOf(
  refusal: OrderRefusal,
  { demand, product: pricing }: PayableVisit,
  { priceMinor, currency }: ProductRow,
  { quantity }: KioskPaymentTaken,
): Mistake {
  if (refusal === 'not-for-sale') {
    return mistake('priced-by-another', 'product', { product: pricing?.id ?? '' });
  }
  if (refusal !== 'too-little' || demand === null) return mistake(refusal, 'visit');
  const paid = formatMoney({ amountMinor: quantity * priceMinor, currency }, 'en');
  return mistake('less-than-due', 'quantity', { paid, due: formatMoney(demand.price, 'en') });
}

async function book(
  tx: Tx,
  actor: Actor,
  { visit, site, due }: { visit: VisitRow; site: ChosenSite; due: PayableVisit },
  product: ProductRow,
  { quantity: units, language }: KioskPaymentTaken,
): Promise<string> {
  const amountMinor = product.priceMinor * units;
  const { currency } = product;
  const met = { paymentStatus: 'kiosk' as const, amountMinor, currency, units };
  const price = priceToSettle(due.visit, () => due.priceOf(due.visit), actor.at);
  const { row, settlement } = await settleRow(tx, actor, visit, site, met, price);
  const { id } = settlement;
  const sold = {
    amountMinor,
    currency,
    pricedAt: actor.at,
    lines: [{ rule: 'unit' as const, units, unitMinor: product.priceMinor, amountMinor }],
    product: pricedBy(productAt(siteProduct(product), actor.at, site.timeZone, site.settings.vat)),
  };
  const payment = { id, card: null, language };
  await invoiceSettlement(tx, { ...visit, price: sold }, { cause: id, ...met, at: actor.at, payment });
  const action = { action: 'kiosk.register-payment', historyText: 'settled-at-kiosk', reason: undefined };
  await recordChange(tx, actor, { before: visit, after: row }, action);
  return id;
}
