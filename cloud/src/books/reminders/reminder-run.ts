import { newId } from '@hlid/node/new-id';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { DAYS_AFTER_WARNING, highestCharge } from '@hlid/protocol/records/collection-law';
import { creditRest } from '../../money/invoices/credit-note.ts';
import { invoiceById } from '../../money/invoices/find-invoice.ts';
import { snapshotsOf } from '../../money/invoices/invoice-snapshot.ts';
import { InvoiceLinks } from '../../paying/pay/link/invoice-links.ts';
import { auditOf, cloudActor } from '../../people/audit/audit.ts';
import { queueMail } from '../../people/mail/queue-mail.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import type { ReminderRow } from '../../records/books/reminder-table.ts';
import { billingOf } from '../../records/customers/customer-billing.ts';
import { isTrainingDatabase } from '../../records/training/training-store.ts';
import { issueCharge, vatOfCharge, withVat } from './charge-invoice.ts';
import { nextReminder } from './next-reminder.ts';
import { type RemindedInvoice, readReminded } from './reminder-facts.ts';
import { type LetterParts, reminderLetter } from './reminder-letter.ts';
import {
  findReminder,
  firstRemindedDay,
  groundlessCharges,
  insertReminder,
  overdueInvoices,
  sentReminders,
  updateReminder,
} from './reminder-store.ts';

export type ReminderContext = ConstructorParameters<typeof InvoiceLinks>[0];

const auditReminder = auditOf<ReminderRow>('reminder', ({ mailId: _mail, ...row }) => row);

/**
 * Writes the reminders that are due, and the invoices for those that were delivered. Each invoice has a transaction of its
 * own, which reads again all that decides: it can stop anywhere and run twice.
 */
export function reminderRun(context: ReminderContext): ScheduledRun {
  const { db } = context;
  return {
    name: 'reminders',
    everyMs: HOUR_MS,
    isDue: async () => (await db.read(firstRemindedDay)) !== null,
    async work({ now, signal }) {
      // What is not real is claimed from no one.
      if (await db.read(isTrainingDatabase)) return;
      const links = new InvoiceLinks(context);
      await links.prepare();
      const actor = cloudActor('reminders', now);
      for (const { id, sentAt } of await db.read(sentReminders)) {
        if (signal.aborted) return;
        await db.write((tx) => noteDelivery(tx, actor, { id, deliveredAt: sentAt }, links));
      }
      for (const id of await db.read(groundlessCharges)) {
        if (signal.aborted) return;
        await db.write((tx) => takeBackCharge(tx, id, now));
      }
      await remindAll(db, actor, links, signal);
    },
  };
}

async function remindAll(db: Db, actor: Actor, links: InvoiceLinks, signal: AbortSignal): Promise<void> {
  for (const id of await db.read((q) => overdueInvoices(q, actor.at.slice(0, 'YYYY-MM-DD'.length)))) {
    if (signal.aborted) return;
    const reminded = await db.read((q) => readReminded(q, id, actor.at));
    if (reminded === null || stepNow(reminded, actor.at) === null) continue;
    await db.write((tx) => writeReminder(tx, actor, id, links));
  }
}

/** The step that is due now; null: none is. */
function stepNow({ terms, facts, site }: RemindedInvoice, at: UtcTime) {
  const next = nextReminder(terms, facts);
  return next.kind === 'step' && next.on <= wallClock(at, site.timeZone).date ? next : null;
}

async function writeReminder(tx: Tx, actor: Actor, invoiceId: string, links: InvoiceLinks): Promise<void> {
  const reminded = await readReminded(tx.q, invoiceId, actor.at);
  const next = reminded && stepNow(reminded, actor.at);
  if (reminded === null || next === null) return;
  const { invoice, site, facts } = reminded;
  const row: ReminderRow = {
    id: newId(),
    invoiceId,
    siteId: invoice.siteId,
    step: next.step,
    mailId: null,
    openMinor: facts.openMinor,
    chargeMinor: withVat(next.charge, vatOfCharge(invoice, site, actor.at)),
    chargeNetMinor: next.charge,
    currency: invoice.currency,
    createdAt: actor.at,
    deliveredAt: null,
    chargeInvoiceId: null,
  };
  const to = await addressOf(tx.q, reminded);
  if (to !== null) {
    const { language } = invoice;
    const letter = reminderLetter(await letterParts(tx.q, reminded, row, links));
    row.mailId = await queueMail(tx, { to, language, ...letter, kind: 'reminder', invoiceId }, actor.at);
  }
  await insertReminder(tx.q, row);
  await auditReminder(tx, actor, 'reminder.write', null, row);
}

async function addressOf(q: Queries, { invoice }: RemindedInvoice): Promise<string | null> {
  const { customerId, email } = invoice;
  return (customerId === null ? null : (await billingOf(q, customerId))?.mailTo) ?? email;
}

export async function letterParts(
  q: Queries,
  { invoice, terms, reminders, site }: RemindedInvoice,
  reminder: ReminderRow,
  links: InvoiceLinks,
): Promise<LetterParts> {
  const { sellers } = await snapshotsOf(q, [{ sellerId: invoice.sellerId }]);
  const before = reminders.filter(({ createdAt }) => createdAt < reminder.createdAt);
  const warnedAt = before[0]?.deliveredAt ?? null;
  return {
    invoice,
    reminder,
    warnedOn: warnedAt && wallClock(warnedAt as UtcTime, site.timeZone).date,
    days: Math.max(DAYS_AFTER_WARNING, terms?.letterDays ?? 0),
    isLast: before.length >= (terms?.letters ?? 0),
    sellers: [...sellers.values()],
    payAt: (await links.of(q, invoice.id, invoice.language))?.url ?? null,
  };
}

/** A reminder counts from its delivery. Its charge is due then, unless the invoice was paid or contested meanwhile. */
export async function noteDelivery(
  tx: Tx,
  actor: Actor,
  { id, deliveredAt }: { id: string; deliveredAt: string },
  links: InvoiceLinks,
): Promise<void> {
  const found = await findReminder(tx.q, id);
  if (found === null || found.deliveredAt !== null) return;
  const { mailStatus: _status, mailSentAt: _sentAt, chargeNumber: _number, ...before } = found;
  const reminded = await readReminded(tx.q, before.invoiceId, actor.at);
  const after: ReminderRow = { ...before, deliveredAt };
  if (reminded !== null) {
    const charged = await issueCharge(
      tx,
      { ...reminded, reminder: chargeNow(reminded, after, actor.at) },
      links,
      actor.at,
    );
    after.chargeInvoiceId = charged?.id ?? null;
  }
  await updateReminder(tx.q, id, after);
  await auditReminder(tx, actor, 'reminder.deliver', before, after);
}

/** What may be charged now: not more than the letter says, and not more than the law has for what is open now. */
function chargeNow(
  { invoice, site, facts }: RemindedInvoice,
  reminder: ReminderRow,
  at: UtcTime,
): ReminderRow {
  const isStopped = facts.isContested || facts.isCollectedElsewhere || facts.openMinor <= 0;
  const isBanks = reminder.step === 'warning' && facts.hasBankCharge;
  if (isStopped || isBanks) return { ...reminder, chargeMinor: 0 };
  const day = wallClock(at, site.timeZone).date;
  const net = Math.min(reminder.chargeNetMinor, highestCharge(reminder.step, facts.openMinor, day));
  const gross = withVat(net, vatOfCharge(invoice, site, at));
  return { ...reminder, chargeMinor: Math.min(reminder.chargeMinor, gross) };
}

/** An invoice that was taken back as a whole had no ground, nor has the charge for a reminder of it. */
async function takeBackCharge(tx: Tx, id: string, at: UtcTime): Promise<void> {
  const charge = await invoiceById(tx.q, id);
  if (charge !== null && charge.status !== 'refunded' && charge.status !== 'incomplete')
    await creditRest(tx, charge, at);
}
