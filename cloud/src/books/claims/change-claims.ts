import { newId } from '@hlid/node/new-id';
import { DAY_MS } from '@hlid/protocol/base/durations';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { formatMoney } from '@hlid/protocol/base/money';
import { wallClock } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { snapshotsOf } from '../../money/invoices/invoice-snapshot.ts';
import type { InvoiceWithCustomer } from '../../money/invoices/invoice-store.ts';
import { openInvoice } from '../../money/invoices/pay-invoice.ts';
import { auditOf } from '../../people/audit/audit.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { sql } from '../../platform/db/sql.ts';
import { type Actor, ownRows, type RequestCaller } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import {
  type BankAgreementRow,
  CLAIMS_WAITING,
  type ClaimRow,
  claimSeriesTable,
  claimTable,
  type StoredTerms,
} from '../../records/books/claim-table.ts';
import { isCollected } from '../../records/books/find-collected.ts';
import { billingOf } from '../../records/customers/customer-billing.ts';
import { hasOpenDispute } from '../../records/disputes/find-disputes.ts';
import { chooseAgreement, listAgreements } from './agreements.ts';
import type { ClaimEdit, NewClaimBody } from './claim.ts';
import { CLAIM_ACTIONS, isUnsent } from './claim-actions.ts';
import { claimsOfInvoice, findClaim, isStanding, updateClaim } from './claim-store.ts';

export const auditClaim = auditOf<ClaimRow>('claim', audited);

/** Neither the payer nor what belongs to the queue. */
function audited({ id: _id, payorId: _payor, dueAt: _due, heldBy: _by, attempts: _n, ...row }: ClaimRow) {
  return row;
}

export type ClaimResult = { ok: true; claim: ClaimRow } | Refused;

/** The numbers of a branch have six digits, and begin again after that. */
const LAST_NUMBER = 999_999;
/** The length of the fields of a claim. */
const LONGEST = { reference: 16, billNumber: 7 };
/** A claim stays payable for so long after its due date at most. */
const MAX_GRACE_DAYS = 366;

/** Makes a claim for what is open of an invoice. Its id at the bank is allocated in this transaction, and never again. */
export async function createClaim(
  db: Db,
  actor: Actor & { caller: RequestCaller },
  body: NewClaimBody,
): Promise<ClaimResult> {
  return await db.write(async (tx) => {
    const invoice = await findInvoice(tx.q, body.invoiceId, ownRows(actor.caller));
    if (invoice === null) return refusedInput(mistake('no-such-invoice', 'invoiceId'));
    const before = await claimsOfInvoice(tx.q, invoice.id);
    const ready = await readyToClaim(tx.q, invoice, before, actor.at);
    if (!ready.ok) return refusedInput(ready.why);
    const { agreement, claimantId, payorId, openMinor } = ready;
    const today = wallClock(actor.at, 'Atlantic/Reykjavik').date;
    const dueOn = invoice.dueOn === null || invoice.dueOn < today ? today : invoice.dueOn;
    const terms: StoredTerms = {
      amountMinor: openMinor,
      finalDueOn: body.finalDueOn ?? dueOn,
      discount: stored(body.discount ?? null),
      defaultCharge: agreement.defaultCharge,
      hasInterest: agreement.hasInterest,
      takesPartPayments: agreement.takesPartPayments,
    };
    const wrong = mistakesIn(terms, dueOn, openMinor);
    if (wrong !== null) return refusedInput(wrong);
    const claim = newClaim(invoice, { agreement, claimantId, payorId, dueOn, terms, at: actor.at });
    const account = await allocateAccount(tx, claimantId, agreement.branch);
    const row = { ...claim, account };
    await tx.q.insert(claimTable).values(row);
    await auditClaim(tx, actor, 'claim.create', null, row);
    tx.announce(CLAIMS_WAITING);
    return { ok: true, claim: row };
  });
}

/** The parts of a new claim, or the reason why there can be none. */
type Ready =
  | { ok: true; agreement: BankAgreementRow; claimantId: string; payorId: string; openMinor: number }
  | { ok: false; why: Mistake };

/** Whether a claim can be made for an invoice. */
export async function readyToClaim(
  q: Queries,
  invoice: InvoiceWithCustomer,
  claims: readonly ClaimRow[],
  at: UtcTime,
): Promise<Ready> {
  const no = (why: Mistake) => ({ ok: false, why }) as const;
  if (invoice.number === null) return no(mistake('invoice-not-issued', 'invoiceId'));
  if (invoice.status === 'paid') return no(mistake('invoice-paid', 'invoiceId'));
  const open = await openInvoice(q, invoice.id, at);
  if (typeof open === 'string' || invoice.status !== 'draft')
    return no(mistake('claim-nothing-open', 'invoiceId'));
  if (claims.some(isStanding)) return no(mistake('claim-there', 'invoiceId'));
  if (await isCollected(q, invoice.id)) return no(mistake('claim-collected', 'invoiceId'));
  const { openMinor } = open;
  if (invoice.currency !== 'ISK') return no(mistake('claim-currency', 'invoiceId'));
  if (await hasOpenDispute(q, { invoiceId: invoice.id })) return no(mistake('claim-disputed', 'invoiceId'));
  const payorId = digitsOf(await payerOf(q, invoice));
  if (payorId === null) return no(mistake('claim-no-payer', 'invoiceId'));
  const claimantId = digitsOf(await sellerOf(q, invoice));
  if (claimantId === null) return no(mistake('claim-no-seller', 'invoiceId'));
  const chosen = chooseAgreement(await listAgreements(q), claimantId);
  if (!chosen.ok) return no(mistake(chosen.why, 'invoiceId'));
  return { ok: true, agreement: chosen.agreement, claimantId, payorId, openMinor };
}

async function payerOf(q: Queries, { payerSsn, customerId }: InvoiceWithCustomer): Promise<string | null> {
  if (payerSsn !== null || customerId === null) return payerSsn;
  return (await billingOf(q, customerId))?.payerSsn ?? null;
}

async function sellerOf(q: Queries, invoice: InvoiceWithCustomer): Promise<string | null> {
  const { sellers } = await snapshotsOf(q, [{ sellerId: invoice.sellerId }]);
  return (invoice.sellerId === null ? undefined : sellers.get(invoice.sellerId))?.ssn ?? null;
}

/** The ten digits of a national id; null: it is none. */
function digitsOf(ssn: string | null): string | null {
  const digits = ssn?.replaceAll(/\D/g, '') ?? '';
  return digits.length === 10 ? digits : null;
}

interface ClaimParts {
  agreement: BankAgreementRow;
  claimantId: string;
  payorId: string;
  dueOn: string;
  terms: StoredTerms;
  at: UtcTime;
}

function newClaim(
  { id: invoiceId, siteId, number, currency }: InvoiceWithCustomer,
  { agreement, claimantId, payorId, dueOn, terms, at }: ClaimParts,
): Omit<ClaimRow, 'account'> {
  return {
    id: newId(),
    bankId: agreement.bankId,
    invoiceId,
    siteId,
    claimantId,
    dueOn,
    payorId,
    templateCode: agreement.templateCode,
    billNumber: String(number).slice(-LONGEST.billNumber),
    state: 'new',
    collection: null,
    currency,
    terms,
    paidMinor: 0,
    dueMinor: null,
    movements: 0,
    order: 'create',
    step: 'waiting',
    wanted: null,
    stopped: null,
    reason: null,
    detail: null,
    followedAt: null,
    createdAt: at,
    modifiedAt: at,
    dueAt: at,
    attempts: 0,
    heldBy: null,
  };
}

/** Our own mark of a claim at the bank. */
export function referenceOf({ id }: Pick<ClaimRow, 'id'>): string {
  return id.replaceAll('-', '').slice(0, LONGEST.reference);
}

async function allocateAccount(tx: Tx, claimantId: string, branch: string): Promise<string> {
  const s = claimSeriesTable;
  const [row] = await tx.q
    .insert(s)
    .values({ claimantId, branch, last: 1 })
    .onConflictDoUpdate({
      target: [s.claimantId, s.branch],
      set: { last: sql`${s.last} % ${LAST_NUMBER} + 1` },
    })
    .returning({ last: s.last });
  return `${branch}66${String(row?.last ?? 1).padStart(6, '0')}`;
}

function stored(given: { days: number; amount: number } | null): StoredTerms['discount'] {
  return given === null ? null : { days: given.days, amountMinor: given.amount };
}

function mistakesIn({ finalDueOn, amountMinor, discount }: StoredTerms, dueOn: string, openMinor: number) {
  const graceDays = (Date.parse(finalDueOn) - Date.parse(dueOn)) / DAY_MS;
  if (graceDays < 0 || graceDays > MAX_GRACE_DAYS) return mistake('claim-final-due', 'finalDueOn', { dueOn });
  if (amountMinor > openMinor) {
    const open = formatMoney({ amountMinor: openMinor, currency: 'ISK' }, 'en');
    return mistake('claim-amount', 'amount', { open });
  }
  const isTooMuch = discount !== null && discount.amountMinor >= amountMinor;
  return isTooMuch ? mistake('claim-discount', 'discount') : null;
}

/** Orders a change of a claim. After a payment its amount and discount are fixed. */
export async function changeClaim(db: Db, actor: Actor, id: string, edit: ClaimEdit): Promise<ClaimResult> {
  return await db.write(async (tx) => {
    const before = await findClaim(tx.q, id);
    if (before === null) return NOT_FOUND;
    const { terms } = before;
    const wanted: StoredTerms = {
      ...terms,
      finalDueOn: edit.finalDueOn ?? terms.finalDueOn,
      amountMinor: edit.amount ?? terms.amountMinor,
      discount: edit.discount === undefined ? terms.discount : stored(edit.discount),
    };
    // What was read is taken back in any state.
    if (JSON.stringify(wanted) === JSON.stringify(terms)) return { ok: true, claim: before };
    const why = CLAIM_ACTIONS.change.refuse(before);
    if (why !== null) return refusedInput(why);
    const isFrozen =
      wanted.amountMinor !== terms.amountMinor ||
      JSON.stringify(wanted.discount) !== JSON.stringify(terms.discount);
    if (before.movements > 0 && isFrozen) return refusedInput(mistake('claim-frozen', 'amount'));
    // Another last day is possible whatever is open.
    const isRaised = wanted.amountMinor > terms.amountMinor;
    const mostMinor = isRaised ? await openOf(tx.q, before, actor.at) : terms.amountMinor;
    const wrong = mistakesIn(wanted, before.dueOn, mostMinor);
    if (wrong !== null) return refusedInput(wrong);
    return { ok: true, claim: await order(tx, actor, before, { order: 'change', wanted }) };
  });
}

async function openOf(q: Queries, { invoiceId }: ClaimRow, at: UtcTime): Promise<number> {
  const open = await openInvoice(q, invoiceId, at);
  return typeof open === 'string' ? 0 : open.openMinor;
}

/**
 * Lets the bank be asked about a claim now: a payer says that it is paid, or that the payment went back. What a process is
 * asking about already is not asked about twice.
 */
export async function askAboutClaim(db: Db, id: string, at: UtcTime): Promise<ClaimResult> {
  return await db.write(async (tx) => {
    const before = await findClaim(tx.q, id);
    if (before === null) return NOT_FOUND;
    const why = CLAIM_ACTIONS.follow.refuse(before);
    if (why !== null) return refusedInput(why);
    if (before.heldBy === null) {
      await updateClaim(tx.q, id, { dueAt: at });
      tx.announce(CLAIMS_WAITING);
    }
    return { ok: true, claim: before };
  });
}

/** Orders that a claim is cancelled. One that was never sent is cancelled at once. */
export async function cancelClaim(db: Db, actor: Actor, id: string, reason: string): Promise<ClaimResult> {
  return await db.write(async (tx) => {
    const before = await findClaim(tx.q, id);
    if (before === null) return NOT_FOUND;
    const why = CLAIM_ACTIONS.cancel.refuse(before);
    if (why !== null) return refusedInput(why);
    return { ok: true, claim: await orderCancel(tx, actor, before, reason) };
  });
}

/** The same, decided by the cloud: its invoice asks for nothing any more. */
export async function orderCancel(
  tx: Tx,
  actor: Actor,
  before: ClaimRow,
  reason: string | null = null,
): Promise<ClaimRow> {
  if (!isUnsent(before)) return await order(tx, actor, before, { order: 'cancel', wanted: null }, reason);
  const change = { state: 'cancelled', order: null, step: null, reason: null, dueAt: null } as const;
  return await store(tx, actor, before, { ...change, detail: null, heldBy: null }, reason);
}

/** The cloud itself changes what a claim adds, as a dispute asks for. */
export async function orderTerms(
  tx: Tx,
  actor: Actor,
  before: ClaimRow,
  { wanted, stopped }: { wanted: StoredTerms; stopped: ClaimRow['stopped'] },
): Promise<ClaimRow> {
  return await order(tx, actor, before, { order: 'change', wanted, stopped });
}

async function order(
  tx: Tx,
  actor: Actor,
  before: ClaimRow,
  what: Pick<ClaimRow, 'order' | 'wanted'> & Partial<Pick<ClaimRow, 'stopped'>>,
  why: string | null = null,
): Promise<ClaimRow> {
  const change = { ...what, step: 'waiting', reason: null, detail: null, attempts: 0 } as const;
  const after = await store(tx, actor, before, { ...change, dueAt: actor.at, heldBy: null }, why);
  tx.announce(CLAIMS_WAITING);
  return after;
}

async function store(
  tx: Tx,
  actor: Actor,
  before: ClaimRow,
  change: Partial<ClaimRow>,
  why: string | null,
): Promise<ClaimRow> {
  const after = { ...before, ...change, modifiedAt: actor.at };
  await updateClaim(tx.q, before.id, { ...change, modifiedAt: actor.at });
  const action = after.order === null ? 'claim.cancel' : `claim.${after.order}`;
  await auditClaim(tx, actor, action, before, after, why);
  return after;
}
