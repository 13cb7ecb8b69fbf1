import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { invoiceById } from '../../money/invoices/find-invoice.ts';
import type { InvoiceRow } from '../../money/invoices/invoice-store.ts';
import { openInvoice } from '../../money/invoices/pay-invoice.ts';
import type { Queries } from '../../platform/db/db.ts';
import { isCollected } from '../../records/books/find-collected.ts';
import { hasOpenDispute, lastAnswerAbout } from '../../records/disputes/find-disputes.ts';
import { type ChosenSite, siteById } from '../../records/sites/choose-site.ts';
import { claimedInvoice } from '../claims/claimed-invoice.ts';
import { gentlestTerms, type ReminderFacts, type ReminderTerms } from './next-reminder.ts';
import { type FoundReminder, isForCharge, remindersOf, termsOfSite } from './reminder-store.ts';

/** An invoice that can be reminded of, with all that decides about it. */
export interface RemindedInvoice {
  invoice: InvoiceRow;
  /** Its site; of several, the first. */
  site: ChosenSite;
  terms: ReminderTerms | null;
  facts: ReminderFacts;
  reminders: FoundReminder[];
}

/**
 * Null: no reminder is ever written of it. It is a credit note or not issued, it was paid at once, it is for a charge
 * itself, or it is not in krónur, which the charges of the law are in.
 */
export async function readReminded(
  q: Queries,
  invoiceId: string,
  at: UtcTime,
): Promise<RemindedInvoice | null> {
  const invoice = await invoiceById(q, invoiceId);
  if (invoice === null || invoice.dueOn === null || !isOfKind(invoice)) return null;
  const sites = await sitesOfInvoice(q, invoice);
  const [site] = sites;
  if (site === undefined || (await isForCharge(q, invoiceId))) return null;
  const terms = gentlestTerms(await Promise.all(sites.map(({ id }) => termsOfSite(q, id))));
  const reminders = await remindersOf(q, invoiceId);
  const facts = await readFacts(q, { ...invoice, dueOn: invoice.dueOn }, { reminders, site, at });
  return { invoice, site, terms, facts, reminders };
}

function isOfKind({ number, creditOf, paymentType, currency }: InvoiceRow): boolean {
  return number !== null && creditOf === null && paymentType.endsWith('-invoice') && currency === 'ISK';
}

async function sitesOfInvoice(q: Queries, { incomeParts }: InvoiceRow): Promise<ChosenSite[]> {
  const sites: ChosenSite[] = [];
  for (const siteId of new Set(incomeParts.map((part) => part.siteId))) {
    const site = siteId === null ? null : await siteById(q, siteId);
    if (site !== null) sites.push(site);
  }
  return sites;
}

async function readFacts(
  q: Queries,
  invoice: InvoiceRow & { dueOn: string },
  { reminders, site, at }: { reminders: readonly FoundReminder[]; site: ChosenSite; at: UtcTime },
): Promise<ReminderFacts> {
  const { id: invoiceId, dueOn, status } = invoice;
  const dayOf = (moment: string) => wallClock(moment as UtcTime, site.timeZone).date;
  const claimed = await claimedInvoice(q, invoiceId);
  const open = await openInvoice(q, invoiceId, at);
  const answeredAt = await lastAnswerAbout(q, { invoiceId });
  return {
    payBy: [dueOn, ...claimed.finalDueOn].reduce((a, b) => (a > b ? a : b)),
    openMinor: typeof open === 'string' ? 0 : open.openMinor,
    begun: reminders.map(({ step, deliveredAt }) => ({
      step,
      deliveredOn: deliveredAt && dayOf(deliveredAt),
    })),
    isContested: await hasOpenDispute(q, { invoiceId }),
    restartedOn: [...(answeredAt === null ? [] : [dayOf(answeredAt)]), ...claimed.reversedOn],
    isPaymentUnderWay: status === 'incomplete',
    isCollectedElsewhere: claimed.isCollectedElsewhere || (await isCollected(q, invoiceId)),
    hasBankCharge: claimed.hasCharge,
  };
}
