import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { standingNotes } from '../../money/invoices/credit-note.ts';
import { invoiceById } from '../../money/invoices/find-invoice.ts';
import { snapshotsOf } from '../../money/invoices/invoice-snapshot.ts';
import type { InvoiceRow } from '../../money/invoices/invoice-store.ts';
import { openInvoice } from '../../money/invoices/pay-invoice.ts';
import type { Queries } from '../../platform/db/db.ts';
import { and, desc, eq } from '../../platform/db/sql.ts';
import { auditTable } from '../../records/audit/audit-table.ts';
import type {
  CollectedCharge,
  CollectionItemRow,
  DeliveredNotice,
} from '../../records/books/collection-table.ts';
import { isCollected } from '../../records/books/find-collected.ts';
import { billingOf } from '../../records/customers/customer-billing.ts';
import { hasOpenDispute, lastAnswerAbout, openDisputes } from '../../records/disputes/find-disputes.ts';
import { claimedInvoice } from '../claims/claimed-invoice.ts';
import { type Collectable, collectable } from './collectable.ts';
import type { CollectedNow } from './collected-change.ts';
import { readReminded } from './reminder-facts.ts';
import type { FoundReminder } from './reminder-store.ts';

/** What a file for a collector says about an invoice, beside its place in the file. */
export type CollectionItem = Omit<CollectionItemRow, 'fileId' | 'n' | 'link'>;

export interface ReadCollectable {
  decision: Collectable;
  item: CollectionItem;
  /** The day at its site. */
  today: string;
}

/** Null: no reminder is ever written of it, and no collector gets it. */
export async function readCollectable(
  q: Queries,
  invoiceId: string,
  at: UtcTime,
): Promise<ReadCollectable | null> {
  const reminded = await readReminded(q, invoiceId, at);
  if (reminded === null) return null;
  const { invoice, site, terms, facts, reminders } = reminded;
  const { number, dueOn, issuedAt } = invoice;
  if (number === null || dueOn === null || issuedAt === null) return null;
  const charges = await chargesOf(q, reminders, at);
  const debtor = await debtorOf(q, invoice);
  const dayOf = (moment: UtcTime) => wallClock(moment, site.timeZone).date;
  const decision = collectable(terms, {
    openMinor: facts.openMinor,
    begun: facts.begun,
    restartedOn: facts.restartedOn,
    isContested: facts.isContested || charges.some(({ isContested }) => isContested),
    isPaymentUnderWay: facts.isPaymentUnderWay || charges.some(({ isUnderWay }) => isUnderWay),
    isCollectedElsewhere: facts.isCollectedElsewhere,
    isAtBank: await isAtBank(q, [invoiceId, ...charges.map(({ charge }) => charge.id)]),
    isHandedOver: await isCollected(q, invoiceId),
    chargesDueOn: charges.flatMap(({ charge, openMinor }) => (openMinor > 0 ? (charge.dueOn ?? []) : [])),
    debtorId: debtor.debtorId,
  });
  const answeredAt = await lastAnswerAbout(q, { invoiceId });
  const answeredOn = answeredAt && dayOf(answeredAt);
  const open = charges.filter(({ openMinor }) => openMinor > 0);
  const item: CollectionItem = {
    invoiceId,
    siteId: invoice.siteId,
    number,
    ...(await creditorOf(q, invoice)),
    ...debtor,
    currency: invoice.currency,
    openMinor: facts.openMinor,
    chargesMinor: open.reduce((sum, { openMinor }) => sum + openMinor, 0),
    charges: open.map(({ charge, openMinor }) => ({
      invoiceId: charge.id,
      number: charge.number,
      openMinor,
    })),
    creditedMinor: await creditedOf(q, [invoiceId, ...open.map(({ charge }) => charge.id)]),
    issuedOn: dayOf(issuedAt),
    dueOn,
    interestFrom: answeredOn !== null && answeredOn > dueOn ? answeredOn : dueOn,
    notices: await noticesOf(q, reminders, dayOf),
  };
  return { decision, item, today: dayOf(at) };
}

interface ReadCharge {
  charge: InvoiceRow;
  openMinor: number;
  isContested: boolean;
  isUnderWay: boolean;
}

/** The invoices for the charges of reminders. */
async function chargesOf(
  q: Queries,
  reminders: readonly FoundReminder[],
  at: UtcTime,
): Promise<ReadCharge[]> {
  const charges: ReadCharge[] = [];
  for (const { chargeInvoiceId } of reminders) {
    const charge = chargeInvoiceId === null ? null : await invoiceById(q, chargeInvoiceId);
    if (charge === null) continue;
    charges.push({
      charge,
      openMinor: await openOf(q, charge.id, at),
      isContested: await hasOpenDispute(q, { invoiceId: charge.id }),
      isUnderWay: charge.status === 'incomplete',
    });
  }
  return charges;
}

async function openOf(q: Queries, invoiceId: string, at: UtcTime): Promise<number> {
  const open = await openInvoice(q, invoiceId, at);
  return typeof open === 'string' ? 0 : open.openMinor;
}

async function creditedOf(q: Queries, invoiceIds: readonly string[]): Promise<number> {
  let creditedMinor = 0;
  for (const id of invoiceIds) {
    for (const { amountMinor } of await standingNotes(q, id)) creditedMinor -= amountMinor;
  }
  return creditedMinor;
}

async function isAtBank(q: Queries, invoiceIds: readonly string[]): Promise<boolean> {
  for (const id of invoiceIds) {
    if ((await claimedInvoice(q, id)).isAtBank) return true;
  }
  return false;
}

async function debtorOf(
  q: Queries,
  { customerId, payerSsn, payerName, soldTo }: InvoiceRow,
): Promise<Pick<CollectionItem, 'debtorName' | 'debtorId'>> {
  const billing = customerId === null ? null : await billingOf(q, customerId);
  return {
    debtorName: payerName ?? soldTo ?? billing?.name ?? null,
    debtorId: payerSsn ?? billing?.payerSsn ?? null,
  };
}

async function creditorOf(
  q: Queries,
  { sellerId }: InvoiceRow,
): Promise<Pick<CollectionItem, 'creditorName' | 'creditorId'>> {
  const { sellers } = await snapshotsOf(q, [{ sellerId }]);
  const seller = sellerId === null ? undefined : sellers.get(sellerId);
  return { creditorName: seller?.name ?? null, creditorId: seller?.ssn ?? null };
}

async function noticesOf(
  q: Queries,
  reminders: readonly FoundReminder[],
  dayOf: (moment: UtcTime) => string,
): Promise<DeliveredNotice[]> {
  const notices: DeliveredNotice[] = [];
  for (const { id, step, deliveredAt, mailId, mailSentAt } of reminders) {
    if (deliveredAt === null) continue;
    const notedBy = await deliveredBy(q, id);
    const isByMail = mailId !== null && (notedBy?.startsWith('cloud:') ?? mailSentAt === deliveredAt);
    notices.push({
      step,
      deliveredOn: dayOf(deliveredAt as UtcTime),
      proof: isByMail ? 'mail' : 'person',
      reference: isByMail ? mailId : (notedBy ?? '–'),
      at: deliveredAt,
    });
  }
  return notices;
}

/** Who noted that a reminder was delivered; null: the log does not have it any more. */
async function deliveredBy(q: Queries, reminderId: string): Promise<string | null> {
  const t = auditTable;
  const row = await q
    .select({ by: t.by })
    .from(t)
    .where(and(eq(t.subjectId, reminderId), eq(t.subject, 'reminder'), eq(t.action, 'reminder.deliver')))
    .orderBy(desc(t.at))
    .limit(1)
    .get();
  return row?.by ?? null;
}

/** How it is now with an invoice that was handed over, and with the charges that were handed over with it. */
export async function readCollected(
  q: Queries,
  { invoiceId, charges }: { invoiceId: string; charges: readonly CollectedCharge[] },
  { handedAt, at, timeZone }: { handedAt: UtcTime; at: UtcTime; timeZone: string },
): Promise<CollectedNow> {
  const ids = [invoiceId, ...charges.map((charge) => charge.invoiceId)];
  let openMinor = 0;
  const contestedAt: string[] = [];
  const answeredAt: string[] = [];
  for (const id of ids) {
    openMinor += await openOf(q, id, at);
    for (const { openedAt } of await openDisputes(q, { invoiceId: id })) contestedAt.push(openedAt);
    const answer = await lastAnswerAbout(q, { invoiceId: id });
    if (answer !== null && answer > handedAt) answeredAt.push(answer);
  }
  const dayOf = (moment: string | undefined) =>
    moment === undefined ? null : wallClock(moment as UtcTime, timeZone).date;
  return {
    openMinor,
    creditedMinor: await creditedOf(q, ids),
    contestedOn: dayOf(contestedAt.toSorted()[0]),
    answeredOn: dayOf(answeredAt.toSorted().at(-1)),
  };
}
