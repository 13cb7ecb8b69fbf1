import { MailAddressSchema } from '@hlid/protocol/base/card-number';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { LanguageSchema } from '@hlid/protocol/base/language';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { tariffMark } from '../../money/products/tariff-hash.ts';
import { audit } from '../../people/audit/audit.ts';
import { tokenSite } from '../../people/auth/tokens.ts';
import { type Mail, queueMail } from '../../people/mail/queue-mail.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { type ActingCaller, type Actor, ALL_ROWS, callerName, ownRows } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import type { EInvoiceBuyer } from '../../records/invoices/e-invoice-table.ts';
import { onlySite } from '../../records/sites/choose-site.ts';
import { siteName } from '../../records/sites/find-sites.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { VISIT_ACTIONS } from '../../stays/visits/visit-actions.ts';
import { paidUntilOf } from './paid-until.ts';
import { receiptMail } from './receipt-mail.ts';
import { hasPaidAt, insertReceipt, type PaidInvoice, paidInvoices, receiptsSince } from './receipt-store.ts';

export const ReceiptRequestSchema = z
  .strictObject({
    email: MailAddressSchema,
    language: LanguageSchema,
  })
  .meta({ id: 'ReceiptRequest', example: { email: 'jon@example.is', language: 'is' } });
export type ReceiptRequest = z.infer<typeof ReceiptRequestSchema>;

/** The most mails of one visit in 24 hours: enough for typing errors, too few to annoy anybody with. */
const A_DAY = 5;

type Mailed = { ok: true; mailId: string };
type TooMany = { ok: false; reason: 'too-many'; retryAfterSeconds: number };

/** Mails the receipt of what was paid for a visit. A kiosk may do so for those who have just been there. */
export async function mailReceipt(
  db: Db,
  actor: Actor,
  id: string,
  request: ReceiptRequest,
): Promise<Mailed | Refused | TooMany> {
  return await db.write(async (tx) => {
    const { caller } = actor;
    const isKiosk = caller.kind === 'role';
    const visit = await findVisitRow(tx.q, id, isKiosk ? ALL_ROWS : ownRows(actor.caller));
    if (visit === null) return NOT_FOUND;
    const invoices = await paidInvoices(tx.q, id);
    const dayAgo = utcTime(millis(actor.at) - DAY_MS);
    if (isKiosk && !wasThereSince(visit, invoices, dayAgo)) return NOT_FOUND;
    if (isKiosk && !(await isAtKiosk(tx.q, caller, visit))) return NOT_FOUND;
    return await queueReceipt(tx, actor, visit, invoices, request);
  });
}

/** Mails the receipt of what was paid for a visit, as its driver asks for. */
export async function queueVisitReceipt(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  request: ReceiptRequest,
): Promise<Mailed | Refused | TooMany> {
  return await queueReceipt(tx, actor, visit, await paidInvoices(tx.q, visit.id), request);
}

/**
 * Mails the receipt of a card payment to a company, with the file for its books. Whoever has the address of the receipt sees
 * this one, so other payments of the stay are not in the mail.
 */
export async function queueCompanyReceipt(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  { invoiceId, company, ...request }: ReceiptRequest & { invoiceId: string; company: EInvoiceBuyer },
): Promise<Mailed | Refused | TooMany> {
  const invoices = (await paidInvoices(tx.q, visit.id)).filter(({ id }) => id === invoiceId);
  return await queueReceipt(tx, actor, visit, invoices, request, { invoiceId, company });
}

/** Mails the receipt of a visit, unless enough of them went out in the last 24 hours. */
async function queueReceipt(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  invoices: readonly PaidInvoice[],
  request: ReceiptRequest,
  files: Pick<Mail, 'invoiceId' | 'company'> = {},
): Promise<Mailed | Refused | TooMany> {
  const { id, plate, startedAt, endedAt, siteId } = visit;
  const why = VISIT_ACTIONS.receipt.refuse({ hasPaid: invoices.length > 0 });
  if (why !== null) return refusedInput(why);
  const mailed = await receiptsSince(tx.q, id, utcTime(millis(actor.at) - DAY_MS));
  const [oldest] = mailed;
  if (oldest !== undefined && mailed.length >= A_DAY) {
    const waitMs = millis(oldest) + DAY_MS - millis(actor.at);
    return { ok: false, reason: 'too-many', retryAfterSeconds: Math.ceil(waitMs / 1000) };
  }
  const { timeZone, settings } = await siteOfVisit(tx.q, visit);
  const site = { siteName: await siteName(tx.q, siteId), timeZone, seller: settings.seller };
  const tariff = await tariffMark(tx.q, visit.price?.product);
  const paidUntil = await paidUntilOf(tx.q, visit, actor.at);
  const stay = { plate, startedAt, endedAt, paidUntil, tariff, ...site };
  const mailId = await queueMail(
    tx,
    { ...receiptMail(stay, invoices, request), ...files, visitId: id },
    actor.at,
  );
  await insertReceipt(tx.q, { id: mailId, visitId: id, at: actor.at });
  await audit(tx, actor, {
    action: 'visit.receipt',
    subject: 'visit',
    subjectId: id,
    before: null,
    after: { mailId, language: request.language },
  });
  return { ok: true, mailId };
}

/**
 * Whether a visit is one of the kiosk's site; for a kiosk without a known site, whether it has paid there.
 */
async function isAtKiosk(
  q: Queries,
  caller: Extract<ActingCaller, { kind: 'role' }>,
  { id, siteId }: VisitRow,
): Promise<boolean> {
  const site = (await tokenSite(q, caller.tokenId)) ?? (await onlySite(q))?.id ?? null;
  return site === null ? await hasPaidAt(q, id, callerName(caller)) : site === siteId;
}

function wasThereSince(visit: VisitRow, invoices: readonly PaidInvoice[], since: UtcTime): boolean {
  return (visit.endedAt ?? '') > since || invoices.some(({ issuedAt }) => issuedAt > since);
}
