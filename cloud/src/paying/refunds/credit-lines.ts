import { newId } from '@hlid/node/new-id';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { vatOf, vatTerms } from '@hlid/protocol/base/vat';
import { auditInvoice, type InvoiceResult } from '../../money/invoices/change-invoices.ts';
import { creditPart, negated } from '../../money/invoices/credit-note.ts';
import { chargesOn, markCredited, visitsTakenBack } from '../../money/invoices/credited-visits.ts';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import type { LineCredit } from '../../money/invoices/invoice.ts';
import { refuseCredit } from '../../money/invoices/invoice-actions.ts';
import { creditedWith, invoiceAct } from '../../money/invoices/invoice-approval.ts';
import type { InvoiceWithCustomer } from '../../money/invoices/invoice-store.ts';
import type { WithdrawnSettlement } from '../../money/invoices/withdraw-settlements.ts';
import {
  type ActToApprove,
  type AwaitsApproval,
  secondPerson,
} from '../../people/approvals/second-person.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import type { ChargeRow } from '../../records/invoices/charge-table.ts';
import type { IncomePart, InvoiceLine } from '../../records/invoices/invoice-table.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import { editVisitWithin } from '../../stays/visits/edit/edit-visit.ts';

/** The part that is taken off an invoice of one visit. */
interface CreditedVisit {
  visitId: string;
  lines: InvoiceLine[];
  incomePart: IncomePart;
  charges: ChargeRow[];
  settlements: WithdrawnSettlement[];
}

/** Undoes what the transaction has done so far. */
export class CreditRefused extends Error {
  readonly refused: Refused;

  constructor(refused: Refused) {
    super('an invoice was not corrected');
    this.refused = refused;
  }
}

/**
 * Corrects an issued invoice by its visits: a credit note takes their lines back, and the invoice stays as it
 * is. The visits' dues are waived, are due again, or are billed to the present payers at the present price.
 */
export async function creditLines(
  db: Db,
  actor: Actor,
  id: string,
  credit: LineCredit,
): Promise<InvoiceResult | AwaitsApproval> {
  try {
    return await db.write((tx) => creditLinesIn(tx, actor, id, credit));
  } catch (error) {
    if (error instanceof CreditRefused) return error.refused;
    throw error;
  }
}

/** The same within a transaction that does more. What it throws takes the transaction back. @param act see `refundInvoiceIn` */
export async function creditLinesIn(
  tx: Tx,
  actor: Actor,
  id: string,
  credit: LineCredit,
  act?: ActToApprove,
): Promise<InvoiceResult | AwaitsApproval> {
  const { visitIds, outcome, reason } = credit;
  const before = await findInvoice(tx.q, id, ALL_ROWS);
  if (before === null) return NOT_FOUND;
  const why = refuseCredit(before);
  if (why !== null) return refusedInput(why);
  const credited: CreditedVisit[] = [];
  const mistakes: Mistake[] = [];
  const taken = await visitsTakenBack(tx.q, id);
  for (const [at, visitId] of visitIds.entries()) {
    const found = await creditOf(tx, before, visitId);
    const wrong = await mistakeIn(tx, found, taken.has(visitId), visitId, outcome);
    if (wrong !== null) mistakes.push(mistake(wrong, ['visitIds', at]));
    else if (found !== null) credited.push(found);
    taken.add(visitId);
  }
  if (mistakes.length > 0) return refusedInput(...mistakes);
  const lines = credited.flatMap((visit) => visit.lines);
  const waits = await secondPerson(
    tx,
    actor,
    act ?? { ...invoiceAct('credit', before), args: credit, reason },
    await creditedWith(tx.q, before, 0 - amountOf(lines)),
  );
  if (waits !== null) return waits;
  const { customerName: _, creditOfNumber: __, ...invoice } = before;
  const noteId = newId();
  const note = {
    id: noteId,
    cause: noteId,
    lines,
    incomeParts: credited.map(({ incomePart }) => incomePart),
  };
  await creditPart(tx, invoice, note, actor.at);
  for (const visit of credited) await followVisit(tx, actor, visit, noteId, { outcome, reason });
  const after = await findInvoice(tx.q, id, ALL_ROWS);
  if (after === null) return NOT_FOUND;
  await auditInvoice(tx, actor, 'invoice.credit', before, after, reason);
  return { ok: true, invoice: after };
}

function amountOf(lines: readonly InvoiceLine[]): number {
  return lines.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

async function mistakeIn(
  tx: Tx,
  found: CreditedVisit | null,
  isTaken: boolean,
  visitId: string,
  outcome: LineCredit['outcome'],
): Promise<'line-not-there' | 'line-credited' | 'credit-left-only' | null> {
  if (found === null) return 'line-not-there';
  if (isTaken) return 'line-credited';
  if (outcome === 'nothing') return null;
  const visit = await findVisitRow(tx.q, visitId, ALL_ROWS);
  return visit?.status === 'completed' ? null : 'credit-left-only';
}

async function creditOf(
  tx: Tx,
  invoice: InvoiceWithCustomer,
  visitId: string,
): Promise<CreditedVisit | null> {
  const asked = invoice.lines.filter((line) => line.visitId === visitId);
  if (asked.length === 0) return null;
  const charges = await chargesOn(tx.q, invoice.id, visitId);
  const discounts = charges.filter(({ discountMinor }) => discountMinor !== 0);
  const lines: InvoiceLine[] = [
    ...asked.map(negated),
    ...discounts.map((charge) => ({
      rule: 'discount' as const,
      visitId: null,
      plate: null,
      units: 1,
      amountMinor: charge.discountMinor,
      ...vatTerms(vatOf(charge)),
      ...(invoice.siteId === null && { siteId: charge.siteId }),
    })),
  ];
  const [first] = charges;
  const { siteId, vehicleCategory } = first ??
    invoice.incomeParts[0] ?? { siteId: null, vehicleCategory: 'light' };
  const amountMinor = amountOf(lines);
  return {
    visitId,
    lines,
    incomePart: { siteId, vehicleCategory, invoices: 0, amountMinor, ...productOf(invoice, first) },
    charges,
    settlements: settlementsOf(invoice, asked, charges),
  };
}

/** The product of a line, on an invoice of several products. */
function productOf(
  { productId }: InvoiceWithCustomer,
  charge: ChargeRow | undefined,
): Pick<IncomePart, 'productId'> {
  const own = productId === null ? (charge?.productId ?? null) : null;
  return own === null ? {} : { productId: own };
}

/** The settlements by the lines that are taken back; fees never were any. */
function settlementsOf(
  { cause, currency, createdAt, paymentType }: InvoiceWithCustomer,
  lines: readonly InvoiceLine[],
  charges: readonly ChargeRow[],
): WithdrawnSettlement[] {
  if (charges.length > 0) {
    return charges
      .filter(({ rule }) => rule === 'visit')
      .map((charge) => ({
        cause: charge.cause,
        paymentStatus: 'company-invoice',
        units: charge.units,
        amountMinor: charge.amountMinor,
        currency,
        at: charge.at,
      }));
  }
  return lines
    .filter(({ rule }) => rule === 'visit')
    .map(({ units, amountMinor }) => ({
      cause,
      paymentStatus: paymentType === 'company-invoice' ? paymentType : 'owner-invoice',
      units,
      amountMinor,
      currency,
      at: createdAt,
    }));
}

/** The visit is no longer on the invoice; what it owes is due again, or billed, where that is asked for. */
async function followVisit(
  tx: Tx,
  actor: Actor,
  { visitId, charges, settlements }: CreditedVisit,
  noteId: string,
  { outcome, reason }: Pick<LineCredit, 'outcome' | 'reason'>,
): Promise<void> {
  await markCredited(
    tx.q,
    charges.map(({ id }) => id),
    noteId,
  );
  if (outcome === 'nothing') return;
  const opened = await editVisitWithin(tx, actor, visitId, { status: 'need-payment', reason }, settlements);
  if (!opened.ok) throw new CreditRefused(opened);
  if (outcome === 'due') return;
  const bill = { paymentStatus: 'company-invoice', status: 'completed', reason } as const;
  const billed = await editVisitWithin(tx, actor, visitId, bill);
  if (!billed.ok) throw new CreditRefused(billed);
}
