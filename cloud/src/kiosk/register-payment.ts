import { foldPlate } from '@hlid/protocol/plate';
import { MINUTE_MS, millis, utcTime } from '@hlid/protocol/utc-time';
import { moveVisit } from '@hlid/protocol/visit-state';
import type { Actor } from '../audit/audit.ts';
import type { Db, Tx } from '../db/db.ts';
import { invoiceSettlement } from '../invoices/invoice-settlement.ts';
import { findProduct, type ProductRow } from '../products/product-store.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../refused.ts';
import { makeSettlement } from '../visits/make-settlement.ts';
import { recordDeed } from '../visits/record-deed.ts';
import { siteOfVisit } from '../visits/site-of-visit.ts';
import { settingsFor } from '../visits/tariff-settings.ts';
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
  const paymentStatus = 'kiosk' as const;
  const made = { paymentStatus, amountMinor, currency, units };
  const { settlement, n } = await makeSettlement(tx, actor, visit, made);
  const { id } = settlement;
  const price = {
    ...{ amountMinor, currency, pricedAt: actor.at },
    lines: [{ rule: 'unit' as const, units, amountMinor }],
    product: { id: product.id, version: product.version },
  };
  const payment = { id, card: null, language };
  await invoiceSettlement(tx, { ...visit, price }, { cause: id, ...made, at: actor.at, payment });
  const site = await siteOfVisit(tx.q, visit);
  const graceMs = (await settingsFor(tx.q, site, visit.price)).exitGraceMinutes * MINUTE_MS;
  const moved = moveVisit(visit.status, 'paid');
  const left = Math.max(0, (visit.amountMinor ?? 0) - amountMinor);
  const after: VisitRow = {
    ...visit,
    status: moved.ok ? moved.status : visit.status,
    statusEditedAt: n,
    paymentStatus,
    unitsMet: visit.unitsMet + units,
    paidUntil: utcTime(millis(actor.at) + graceMs),
    amountMinor: visit.amountMinor === null ? null : left,
    price: visit.price && { ...visit.price, amountMinor: left },
    paymentEditedAt: n,
  };
  const deed = { action: 'kiosk.register-payment', why: 'settled: kiosk', reason: undefined };
  await recordDeed(tx, actor, { before: visit, after }, deed);
  return id;
}
