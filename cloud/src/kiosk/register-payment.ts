import { foldPlate } from '@hlid/protocol/plate';
import { priceToSettle } from '@hlid/protocol/visit-settlement';
import type { Actor } from '../audit/audit.ts';
import type { Db, Tx } from '../db/db.ts';
import { invoiceSettlement } from '../invoices/invoice-settlement.ts';
import { findProduct, type ProductRow } from '../products/product-store.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../refused.ts';
import { siteVisit } from '../visits/add-visit.ts';
import { settleRow } from '../visits/change-visit.ts';
import { priceNow } from '../visits/price-now.ts';
import { recordDeed } from '../visits/record-deed.ts';
import { siteOfVisit } from '../visits/site-of-visit.ts';
import type { VisitRow } from '../visits/visit-view.ts';
import type { KioskPaymentTaken } from './kiosk.ts';
import { visitsInside } from './kiosk-store.ts';

/** Books what a kiosk has taken for a car that is inside: units of 24 hours by a product. Its site is told. */
export async function registerPayment(
  db: Db,
  actor: Actor,
  taken: KioskPaymentTaken,
): Promise<{ ok: true; invoiceId: string } | Refused> {
  return await db.write(async (tx) => {
    const product = await findProduct(tx.q, taken.product);
    if (product === null) return refusedInput('product: there is no such product');
    if (product.type === 'quota') return refusedInput('product: a quota is not sold at a kiosk');
    if (product.priceMinor === 0) return refusedInput('product: it costs nothing');
    const found = await visitsInside(tx.q, foldPlate(taken.plate));
    const there = found.filter(({ siteId }) => product.siteId === null || siteId === product.siteId);
    const equal = there.filter(({ plate }) => plate === taken.plate);
    const [visit, another] = equal.length > 0 ? equal : there;
    if (visit === undefined) return NOT_FOUND;
    if (another !== undefined) return refusedInput('plate: it is inside more than once');
    return { ok: true, invoiceId: await book(tx, actor, visit, product, taken) };
  });
}

async function book(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  product: ProductRow,
  { quantity: units, language }: KioskPaymentTaken,
): Promise<string> {
  const amountMinor = product.priceMinor * units;
  const { currency } = product;
  const met = { paymentStatus: 'kiosk' as const, amountMinor, currency, units };
  const site = await siteOfVisit(tx.q, visit);
  const due = await priceNow(tx.q, visit, site, actor.at);
  const price = priceToSettle(siteVisit(visit), () => due, actor.at);
  const { row, settlement } = await settleRow(tx, actor, visit, site, met, price);
  const { id } = settlement;
  const sold = {
    ...{ amountMinor, currency, pricedAt: actor.at },
    lines: [{ rule: 'unit' as const, units, amountMinor }],
    product: { id: product.id, version: product.version },
  };
  const payment = { id, card: null, language };
  await invoiceSettlement(tx, { ...visit, price: sold }, { cause: id, ...met, at: actor.at, payment });
  const deed = { action: 'kiosk.register-payment', why: 'settled: kiosk', reason: undefined };
  await recordDeed(tx, actor, { before: visit, after: row }, deed);
  return id;
}
