import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { InvoiceLinks } from '../../paying/pay/link/invoice-links.ts';
import { audit } from '../../people/audit/audit.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { type ReminderTermsRow, reminderTermsTable as t } from '../../records/books/reminder-table.ts';
import { siteById } from '../../records/sites/choose-site.ts';
import { NO_TERMS, type ReminderTermsBody } from './reminder.ts';
import { noteDelivery, type ReminderContext } from './reminder-run.ts';
import { findReminder, termsOfSite } from './reminder-store.ts';

export async function shownTerms(q: Queries, siteId: string) {
  const row = await termsOfSite(q, siteId);
  if (row === null) return { ...NO_TERMS, fromDay: null };
  const { siteId: _site, modifiedAt: _at, ...terms } = row;
  return { ...terms, fromDay: terms.isOn ? terms.fromDay : null };
}

/** Sets how a site reminds. Once it is on, invoices count that are due from that day on. */
export async function changeTerms(
  { db }: Pick<ReminderContext, 'db'>,
  actor: Actor,
  siteId: string,
  wanted: ReminderTermsBody,
): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const site = await siteById(tx.q, siteId);
    if (site === null) return NOT_FOUND;
    const before = await termsOfSite(tx.q, siteId);
    const fromDay =
      before?.isOn === true && wanted.isOn ? before.fromDay : wallClock(actor.at, site.timeZone).date;
    const row: ReminderTermsRow = { siteId, ...wanted, fromDay, modifiedAt: actor.at };
    await tx.q.insert(t).values(row).onConflictDoUpdate({ target: t.siteId, set: row });
    const change = { subject: 'site', subjectId: siteId, action: 'site.reminders' };
    await audit(tx, actor, { ...change, before, after: row });
    return { ok: true };
  });
}

/** A person has delivered a reminder that had no address, or whose mail came back. */
export async function deliverReminder(
  context: ReminderContext,
  actor: Actor,
  id: string,
  deliveredOn: UtcTime,
): Promise<{ ok: true } | Refused> {
  const links = new InvoiceLinks(context);
  await links.prepare();
  return await context.db.write(async (tx) => {
    const found = await findReminder(tx.q, id);
    if (found === null) return NOT_FOUND;
    if (found.deliveredAt !== null) return refusedInput(mistake('reminder-delivered'));
    if (found.mailStatus === 'waiting' || found.mailStatus === 'sent') {
      return refusedInput(mistake('reminder-mailed'));
    }
    if (deliveredOn < found.createdAt || deliveredOn > actor.at) {
      return refusedInput(mistake('reminder-delivered-when', 'deliveredOn', { writtenOn: found.createdAt }));
    }
    await noteDelivery(tx, actor, { id, deliveredAt: deliveredOn }, links);
    return { ok: true };
  });
}
