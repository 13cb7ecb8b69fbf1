import { newId } from '@hlid/node/new-id';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Payment } from '@hlid/protocol/records/payment';
import { ingestPayment } from '../../money/payments/ingest-payment.ts';
import { addKioskOrder, saveOrderFault } from '../../money/payments/kiosk-orders.ts';
import { pricingProduct } from '../../money/products/pricing-product.ts';
import { audit } from '../../people/audit/audit.ts';
import type { CommandAnswer, CommandSender } from '../../platform/broker/command-sender.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS, callerName } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow, openVisitOfPlate } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import type { PosOrder } from './kiosk.ts';
import { placeOfTerminal, type TerminalPlace } from './place-of-terminal.ts';

/** The result of an order: begun, refused with a reason, or unknown. */
export type BegunPayment =
  | { ok: true; payment: Payment }
  | Refused
  /** It certainly has not begun. `fault`: a fault code of kiosks. */
  | { ok: false; reason: 'not-begun'; fault: string }
  /** The site did not answer in time: it may have begun. */
  | { ok: false; reason: 'unknown'; id: string };

/**
 * Orders a card payment at a site's terminal. The order is on the disk before the site gets it. The site answers
 * within a second whether the payment has begun, and reports its outcome in its events.
 */
export async function beginPayment(
  { db, commands }: { db: Db; commands: CommandSender },
  actor: Actor,
  order: PosOrder,
): Promise<BegunPayment> {
  const { language, terminal } = order;
  const chosen = await db.read((q) => choose(q, order, terminal, actor.at));
  if (!chosen.ok) return chosen;
  const { place, visit } = chosen;
  const { siteId, terminalId } = place;
  const id = newId();
  const by = callerName(actor.caller);
  const row = { id, siteId, terminalId, visitId: visit.id, language, fault: null, by, at: actor.at };
  await db.write(async (tx) => {
    await addKioskOrder(tx.q, row);
    const after = { terminalId, visitId: visit.id };
    const change = { subject: 'payment', subjectId: id, action: 'kiosk.pos-init', before: null, after };
    await audit(tx, actor, change);
  });
  const units = 'quantity' in order ? order.quantity : null;
  const request = { id, siteId, action: 'pay', terminalId, visitId: visit.id, units, language, by } as const;
  return await conclude(db, actor, row, await commands.send(request));
}

async function conclude(
  db: Db,
  { at }: Actor,
  { id, siteId }: { id: string; siteId: string },
  { outcome, reason, payment }: CommandAnswer,
): Promise<BegunPayment> {
  if (payment !== undefined && payment.id === id) {
    const failed = await db.write((tx) => ingestPayment(tx, { siteId, at }, payment));
    return failed === null ? { ok: true, payment } : { ok: false, reason: 'unknown', id };
  }
  const fault =
    outcome === 'refused' ? (reason ?? 'failed') : outcome === 'not-connected' ? 'terminal-away' : null;
  if (fault === null) return { ok: false, reason: 'unknown', id };
  await db.write((tx) => saveOrderFault(tx.q, id, fault));
  return { ok: false, reason: 'not-begun', fault };
}

type Chosen = { ok: true; place: TerminalPlace; visit: VisitRow } | Refused;

async function choose(q: Queries, order: PosOrder, terminal: string, at: UtcTime): Promise<Chosen> {
  const place = await placeOfTerminal(q, terminal);
  if (!place.ok) return place;
  const { siteId } = place;
  const id = 'visit' in order ? order.visit : (await openVisitOfPlate(q, siteId, order.plate))?.id;
  const visit = id === undefined ? null : await findVisitRow(q, id, ALL_ROWS);
  if (visit === null || visit.siteId !== siteId) return NOT_FOUND;
  if ('visit' in order) return { ok: true, place, visit };
  const product = await pricingProduct(q, await siteOfVisit(q, visit), visit.vehicleCategory, at);
  if (product?.id !== order.product) return refusedInput(mistake('product-of-another-visit', 'product'));
  return { ok: true, place, visit };
}
