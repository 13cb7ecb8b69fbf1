import { newId } from '@hlid/node/new-id';
import { DAY_MS } from '@hlid/protocol/base/durations';
import type { Language } from '@hlid/protocol/base/language';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { INVOICE_ACTIONS } from '../../money/invoices/invoice-actions.ts';
import { auditOf } from '../../people/audit/audit.ts';
import { countAttempt } from '../../people/auth/attempt-limit.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS, callerName, ownRows } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { loginsOf } from '../../records/accounts/find-logins.ts';
import { findCustomer } from '../../records/customers/find-customer.ts';
import { refuseDispute } from '../../records/disputes/dispute-rule.ts';
import {
  type DisputeRow,
  type DisputeSource,
  disputeTable as t,
} from '../../records/disputes/dispute-table.ts';
import { type Contested, disputesAbout } from '../../records/disputes/find-disputes.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { editRow } from '../../stays/visits/change/change-visit.ts';
import { recordChange } from '../../stays/visits/change/record-change.ts';
import type { NewDispute } from './dispute-view.ts';

/** The most disputes of one account in a day; an operator enters them for others too. */
const A_DAY = 20;
/** The most disputes from one browser’s address on the payment page in a day. */
const A_DAY_AT_PAGE = 10;

const auditDispute = auditOf<DisputeRow>('dispute', ({ id: _, email: __, text: ___, ...row }) => row);

export type Opened =
  | { ok: true; id: string }
  | Refused
  | { ok: false; reason: 'too-many'; retryAfterSeconds: number };

/** People of a customer contest a visit or an invoice of theirs, or an operator does for a caller. */
export async function openDispute(
  db: Db,
  actor: Actor,
  about: Contested,
  given: NewDispute,
): Promise<Opened> {
  const own = ownRows(actor.caller);
  return await db.write(async (tx): Promise<Opened> => {
    const source: DisputeSource = own.all ? 'operator' : 'customer';
    if ('visitId' in about) {
      const visit = await findVisitRow(tx.q, about.visitId, own);
      if (visit === null) return NOT_FOUND;
      const { email, language } = await whereToAnswer(tx.q, actor, visit.customerId, given);
      return await contestVisit(tx, actor, visit, { source, text: given.text, email, language });
    }
    const invoice = await findInvoice(tx.q, about.invoiceId, own);
    if (invoice === null) return NOT_FOUND;
    const disputes = await disputesAbout(tx.q, about);
    const why = INVOICE_ACTIONS.contest.refuse({ ...invoice, disputes });
    if (why !== null) return refusedInput(why);
    const wait = await countOf(tx.q, actor, source);
    if (wait !== null) return wait;
    const { siteId, customerId } = invoice;
    const answerTo = await whereToAnswer(tx.q, actor, customerId, given);
    const fields = { visitId: null, invoiceId: invoice.id, siteId, customerId, source, text: given.text };
    return { ok: true, id: await insertDispute(tx, actor, { ...fields, ...answerTo }) };
  });
}

/** How a person contests a visit. */
interface ContestedVisit {
  source: DisputeSource;
  text: string;
  email: string | null;
  language: Language;
  /** The address by which attempts are counted, if the caller has no account. */
  address?: string;
}

/** The visit is flagged, here and at its site, until the dispute is answered. */
export async function contestVisit(
  tx: Tx,
  actor: Actor,
  visit: VisitRow,
  { source, text, email, language, address }: ContestedVisit,
): Promise<Opened> {
  const wait = await countOf(tx.q, actor, source, address);
  if (wait !== null) return wait;
  const { id: visitId, siteId, customerId } = visit;
  const why = refuseDispute(await disputesAbout(tx.q, { visitId }));
  if (why !== null) return refusedInput(why);
  const fields = { visitId, invoiceId: null, siteId, customerId, source, text, email, language };
  const id = await insertDispute(tx, actor, fields);
  const site = await siteOfVisit(tx.q, visit);
  const action = { action: 'visit.dispute', historyText: 'contested', reason: undefined };
  const after = await editRow(tx, actor, visit, site, { flagged: ['disputed'] }, action.historyText);
  await recordChange(tx, actor, { before: visit, after }, action);
  return { ok: true, id };
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
  fields: Pick<
    DisputeRow,
    'visitId' | 'invoiceId' | 'siteId' | 'customerId' | 'source' | 'text' | 'email' | 'language'
  >,
): Promise<string> {
  const row: DisputeRow = {
    ...fields,
    id: newId(),
    openedBy: callerName(actor.caller),
    state: 'open',
    openedAt: actor.at,
    answer: null,
    answeredBy: null,
    answeredAt: null,
    voided: false,
  };
  await tx.q.insert(t).values(row);
  await auditDispute(tx, actor, 'dispute.open', null, row);
  const { id: subjectId, siteId } = row;
  await recordEvent(tx, { type: 'dispute.opened', subjectId, siteId, at: actor.at });
  return row.id;
}
