import { newId } from '@hlid/node/new-id';
import { DAY_MS } from '@hlid/protocol/base/durations';
import type { Language } from '@hlid/protocol/base/language';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { SITE_DEFAULTS } from '@hlid/protocol/records/site-limits';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { INVOICE_ACTIONS } from '../../money/invoices/invoice-actions.ts';
import type { InvoiceWithCustomer } from '../../money/invoices/invoice-store.ts';
import { auditOf } from '../../people/audit/audit.ts';
import { countAttempt } from '../../people/auth/attempt-limit.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS, callerName, ownRows } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { loginsOf } from '../../records/accounts/find-logins.ts';
import { findCustomer } from '../../records/customers/find-customer.ts';
import { refuseDispute } from '../../records/disputes/dispute-rule.ts';
import {
  type DisputeChannel,
  type DisputeRow,
  type DisputeSource,
  disputeReadTable,
  disputeTable as t,
} from '../../records/disputes/dispute-table.ts';
import { type Contested, disputesAbout } from '../../records/disputes/find-disputes.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { type ChosenSite, commonTimeZone, siteById } from '../../records/sites/choose-site.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { editRow } from '../../stays/visits/change/change-visit.ts';
import { recordChange } from '../../stays/visits/change/record-change.ts';
import type { DisputeEvidence } from './dispute-evidence.ts';
import type { DisputeLinks } from './dispute-links.ts';
import { queueDisputeMail, receivedMail } from './dispute-mail.ts';
import type { NewDispute } from './dispute-view.ts';
import { draftEvidence } from './draft-evidence.ts';

/** Makes the links that people without an account get. */
type OpenerLinks = Pick<DisputeLinks, 'of' | 'prepare'>;

/** The most disputes of one account in a day; an operator enters them for others too. */
const A_DAY = 20;
/** The most disputes from one browser’s address on the payment page in a day. */
const A_DAY_AT_PAGE = 10;

const auditDispute = auditOf<DisputeRow>(
  'dispute',
  ({ id: _, email: __, text: ___, evidence: ____, ...row }) => row,
);

export type Opened =
  | { ok: true; id: string }
  | Refused
  | { ok: false; reason: 'too-many'; retryAfterSeconds: number };

/** People of a customer contest a visit or an invoice of theirs, or an operator does for a caller. */
export async function openDispute(
  { db, links }: { db: Db; links: OpenerLinks },
  actor: Actor,
  about: Contested,
  given: NewDispute,
): Promise<Opened> {
  const own = ownRows(actor.caller);
  await links.prepare();
  return await db.write(async (tx): Promise<Opened> => {
    const source: DisputeSource = own.all ? 'operator' : 'customer';
    const channel = own.all ? (given.channel ?? 'telephone') : 'console';
    if ('visitId' in about) {
      const visit = await findVisitRow(tx.q, about.visitId, own);
      if (visit === null) return NOT_FOUND;
      const { email, language } = await whereToAnswer(tx.q, actor, visit.customerId, given);
      const { text } = given;
      return await contestVisit(tx, links, actor, visit, { source, channel, text, email, language });
    }
    const invoice = await findInvoice(tx.q, about.invoiceId, own);
    if (invoice === null) return NOT_FOUND;
    const answerTo = await whereToAnswer(tx.q, actor, invoice.customerId, given);
    return await contestInvoice(tx, links, actor, invoice, {
      source,
      channel,
      text: given.text,
      ...answerTo,
    });
  });
}

/** How a person contests something. */
interface Objection {
  source: DisputeSource;
  channel: DisputeChannel;
  text: string;
  email: string | null;
  language: Language;
  /** The address by which attempts are counted, if the caller has no account. */
  address?: string;
}

/** The visit is flagged, here and at its site, until the dispute is answered. */
export async function contestVisit(
  tx: Tx,
  links: OpenerLinks,
  actor: Actor,
  visit: VisitRow,
  { address, ...objection }: Objection,
): Promise<Opened> {
  const wait = await countOf(tx.q, actor, objection.source, address);
  if (wait !== null) return wait;
  const { id: visitId, siteId, customerId } = visit;
  const why = refuseDispute(await disputesAbout(tx.q, { visitId }));
  if (why !== null) return refusedInput(why);
  const site = await siteOfVisit(tx.q, visit);
  const evidence = await draftEvidence(tx.q, visit, actor.at);
  const about = { visitId, invoiceId: null, siteId, customerId, evidence };
  const row = await insertDispute(tx, actor, site, { ...about, ...objection });
  await keepReads(tx, row.id, evidence);
  const action = { action: 'visit.dispute', historyText: 'contested', reason: undefined };
  const after = await editRow(tx, actor, visit, site, { flagged: ['disputed'] }, action.historyText);
  await recordChange(tx, actor, { before: visit, after }, action);
  await confirm(tx, links, row, after, site.timeZone);
  return { ok: true, id: row.id };
}

export async function contestInvoice(
  tx: Tx,
  links: OpenerLinks,
  actor: Actor,
  invoice: InvoiceWithCustomer,
  { address, ...objection }: Objection,
): Promise<Opened> {
  const disputes = await disputesAbout(tx.q, { invoiceId: invoice.id });
  const why = INVOICE_ACTIONS.contest.refuse({ ...invoice, disputes });
  if (why !== null) return refusedInput(why);
  const wait = await countOf(tx.q, actor, objection.source, address);
  if (wait !== null) return wait;
  const { id: invoiceId, siteId, customerId } = invoice;
  const site = siteId === null ? null : await siteById(tx.q, siteId);
  const about = { visitId: null, invoiceId, siteId, customerId, evidence: null };
  const row = await insertDispute(tx, actor, site, { ...about, ...objection });
  await confirm(tx, links, row, null, site?.timeZone ?? (await commonTimeZone(tx.q)));
  return { ok: true, id: row.id };
}

/** The pictures of the evidence stay while the dispute is open. */
async function keepReads(tx: Tx, disputeId: string, { reads }: DisputeEvidence): Promise<void> {
  if (reads.length === 0) return;
  await tx.q.insert(disputeReadTable).values(reads.map(({ photoId }) => ({ disputeId, photoId })));
}

/** A person without an account gets the link to the dispute by mail. */
async function confirm(
  tx: Tx,
  links: OpenerLinks,
  row: DisputeRow,
  visit: VisitRow | null,
  timeZone: string,
): Promise<void> {
  if (row.source === 'customer') return;
  const link = await links.of(row.id, row.language);
  const mail = await receivedMail(tx.q, row, visit, link, timeZone);
  if (mail !== null) await queueDisputeMail(tx, mail, visit, row.openedAt as UtcTime);
}

async function countOf(
  q: Queries,
  actor: Actor,
  source: DisputeSource,
  address?: string,
): Promise<{ ok: false; reason: 'too-many'; retryAfterSeconds: number } | null> {
  if (source === 'operator') return null;
  const by = address === undefined ? callerName(actor.caller) : address;
  const limit = address === undefined ? A_DAY : A_DAY_AT_PAGE;
  const seconds = await countAttempt(q, [{ key: `dispute ${by}`, limit, windowMs: DAY_MS }], actor.at);
  return seconds === null ? null : { ok: false, reason: 'too-many', retryAfterSeconds: seconds };
}

async function whereToAnswer(
  q: Queries,
  { caller }: Actor,
  customerId: string | null,
  { email, language }: NewDispute,
): Promise<{ email: string | null; language: Language }> {
  const customer = customerId === null ? null : await findCustomer(q, customerId, ALL_ROWS);
  const isOwn = caller.kind === 'account' && caller.role !== 'operator';
  const logins = isOwn ? await loginsOf(q, [caller.accountId]) : [];
  const login = logins.map(({ name }) => name).find((name) => name?.includes('@')) ?? null;
  return {
    email: email ?? customer?.email ?? login,
    language: language ?? customer?.language ?? 'is',
  };
}

async function insertDispute(
  tx: Tx,
  actor: Actor,
  site: Pick<ChosenSite, 'settings'> | null,
  fields: Omit<
    DisputeRow,
    'id' | 'openedBy' | 'state' | 'openedAt' | 'answerBy' | 'answer' | 'answeredBy' | 'answeredAt' | 'given'
  >,
): Promise<DisputeRow> {
  const days = site?.settings.disputeDays ?? SITE_DEFAULTS.disputeDays;
  const row: DisputeRow = {
    ...fields,
    id: newId(),
    openedBy: callerName(actor.caller),
    state: 'open',
    openedAt: actor.at,
    answerBy: utcTime(millis(actor.at) + days * DAY_MS),
    answer: null,
    answeredBy: null,
    answeredAt: null,
    given: null,
  };
  await tx.q.insert(t).values(row);
  await auditDispute(tx, actor, 'dispute.open', null, row);
  const { id: subjectId, siteId } = row;
  await recordEvent(tx, { type: 'dispute.opened', subjectId, siteId, at: actor.at });
  return row;
}
