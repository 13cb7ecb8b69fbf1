import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { findInvoice } from '../../money/invoices/find-invoice.ts';
import { sitesOfInvoice } from '../../money/invoices/invoice-approval.ts';
import { orderReversal, sendReversal } from '../../money/payments/reverse-payment.ts';
import type { ActToApprove, AwaitsApproval } from '../../people/approvals/second-person.ts';
import { NOT_ALLOWED } from '../../people/auth/record-actions.ts';
import { lacksProof } from '../../people/auth/session-life.ts';
import type { CommandSender } from '../../platform/broker/command-sender.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { type Actor, ALL_ROWS, hasPermission } from '../../platform/http/caller.ts';
import {
  type Refused,
  type RefusedConflict,
  type RefusedProof,
  refusedConflict,
  refusedInput,
  STEP_UP,
} from '../../platform/refused.ts';
import type { DisputeRow, GivenWithAnswer } from '../../records/disputes/dispute-table.ts';
import { editVisitWithin, planEdit, waiver } from '../../stays/visits/edit/edit-visit.ts';
import type { OnlineRefunds } from '../online-payments/refund-online.ts';
import { creditAmountIn } from '../refunds/credit-amount.ts';
import { refundInvoiceIn } from '../refunds/refund-invoice.ts';
import type { DisputeAnswer } from './dispute-view.ts';
import { type DisputeWay, waysOf } from './dispute-ways.ts';

/** The parts of the cloud that carry out the money of an answer. */
export interface MoneyParts {
  db: Db;
  commands: CommandSender;
  online: Pick<OnlineRefunds, 'paymentOf' | 'order' | 'send'>;
}

export type GiveRefusal = Refused | RefusedProof | RefusedConflict | AwaitsApproval;
/** `send`: what leaves for a card or a terminal once the transaction is on the disk. */
export type Gave = { ok: true; given: GivenWithAnswer | null; send?: () => Promise<unknown> } | GiveRefusal;

/** The way of an answer in money, and how much: undefined: all of it. Null: it gives nothing. */
function wantedOf(answer: DisputeAnswer): { way: DisputeWay['way']; amount: number | undefined } | null {
  if (answer.void === true) return { way: 'void', amount: undefined };
  if (answer.waive !== undefined) return { way: 'waive', amount: answer.waive };
  if (answer.refund !== undefined) return { way: 'refund', amount: answer.refund.amount };
  return answer.credit === undefined ? null : { way: 'credit', amount: answer.credit.amount };
}

/** Gives up or back what an answer says, in its transaction: both are done, or neither is. */
export async function giveWithAnswer(
  tx: Tx,
  parts: MoneyParts,
  actor: Actor,
  dispute: DisputeRow,
  answer: DisputeAnswer,
): Promise<Gave> {
  const wanted = wantedOf(answer);
  if (wanted === null) return { ok: true, given: null };
  const { way: kind, amount } = wanted;
  const count = [answer.void, answer.waive, answer.refund, answer.credit].filter((one) => one !== undefined);
  if (answer.outcome !== 'upheld' || count.length > 1) return refusedInput(mistake('dispute-one-way', kind));
  if (kind === 'void' && dispute.visitId === null) return refusedInput(mistake('void-upheld-visit', 'void'));
  if ((kind === 'refund' || kind === 'credit') && !mayMoveMoney(actor)) return refusedInput(NOT_ALLOWED);
  const named = answer.refund?.invoiceId ?? answer.credit?.invoiceId;
  const ways = await waysOf(tx.q, dispute, actor.at);
  const way = ways.find((one) => one.way === kind && (named === undefined || one.invoiceId === named));
  if (way === undefined && (kind === 'refund' || kind === 'credit')) {
    return refusedInput(mistake('dispute-not-of-it', kind));
  }
  if (lacksProof(actor)) return STEP_UP;
  if (kind === 'void' || kind === 'waive' || way === undefined) {
    return await giveUpDue(tx, actor, dispute, answer, way?.max ?? 0);
  }
  if (way.isWholeOnly && amount !== undefined && amount !== way.max) {
    return refusedInput(mistake('refund-whole-only', 'amount'));
  }
  const given = { way: kind, amountMinor: amount ?? way.max, currency: way.currency };
  const act = await actOf(tx, dispute, answer, way);
  return kind === 'credit'
    ? await credit(tx, actor, way, { act, given })
    : await refund(tx, parts, actor, way, { act, given });
}

function mayMoveMoney({ caller }: Actor): boolean {
  return caller.kind === 'account' && caller.role === 'operator' && hasPermission(caller.rights, 'money');
}

/** The answer as a second person approves it, with its money. */
async function actOf(
  tx: Tx,
  { id, siteId, visitId }: DisputeRow,
  answer: DisputeAnswer,
  { invoiceId }: DisputeWay,
): Promise<ActToApprove> {
  const invoice = invoiceId === null ? null : await findInvoice(tx.q, invoiceId, ALL_ROWS);
  const siteIds = siteId === null ? (invoice === null ? [] : sitesOfInvoice(invoice)) : [siteId];
  const about = { disputeId: id, visitId, invoiceId };
  return { kind: 'dispute', subjectId: id, args: answer, reason: reasonOf(answer), siteIds, about };
}

function reasonOf({ answer }: DisputeAnswer): string {
  return answer.slice(0, 500);
}

/** Gives up the debt of an unpaid visit, all of it or a part. */
async function giveUpDue(
  tx: Tx,
  actor: Actor,
  { id: disputeId, visitId }: DisputeRow,
  answer: DisputeAnswer,
  wholeMinor: number,
): Promise<Gave> {
  if (visitId === null) return refusedInput(mistake('dispute-not-of-it', 'waive'));
  const reason = reasonOf(answer);
  const { waive } = answer;
  const edit = waive === undefined ? ({ paymentStatus: 'void', reason } as const) : { waive, reason };
  const planned = await planEdit(tx.q, actor, visitId, edit);
  if (!planned.ok) return planned;
  const act = { kind: 'dispute', subjectId: disputeId, args: answer, about: { disputeId }, reason } as const;
  const waits = await waiver(tx, actor, planned, act);
  if (waits !== null) return waits;
  const done = await editVisitWithin(tx, actor, visitId, edit);
  if (!done.ok) return done;
  const currency = planned.before.currency ?? planned.site.currency;
  const given = { way: waive === undefined ? ('void' as const) : ('waive' as const), currency };
  return { ok: true, given: { ...given, amountMinor: waive ?? wholeMinor } };
}

interface Giving {
  act: ActToApprove;
  given: GivenWithAnswer;
}

async function credit(tx: Tx, actor: Actor, way: DisputeWay, { act, given }: Giving): Promise<Gave> {
  const { amountMinor } = given;
  const order = { amountMinor, reason: act.reason };
  const credited = await creditAmountIn(tx, actor, way.invoiceId ?? '', order, act);
  return credited.ok ? { ok: true, given } : credited;
}

/** The money goes back by the way on which it came. */
async function refund(
  tx: Tx,
  { db, commands, online }: MoneyParts,
  actor: Actor,
  { invoiceId, by, max }: DisputeWay,
  { act, given }: Giving,
): Promise<Gave> {
  const id = invoiceId ?? '';
  const { reason } = act;
  if (by === 'terminal') {
    const ordered = await orderReversal(tx, commands, actor, { paymentId: id, reason, act });
    if (ordered.ok) {
      return { ok: true, given, send: () => sendReversal({ db, commands }, actor, ordered.payment) };
    }
    switch (ordered.reason) {
      case 'not-connected':
        return refusedConflict(mistake('reversal-not-connected'));
      case 'not-begun':
        return refusedConflict(mistake('reversal-not-begun', [], { reason: ordered.fault }));
      case 'no-answer':
        return refusedConflict(mistake('reversal-unknown'));
      default:
        return ordered;
    }
  }
  const paymentId = by === 'card' ? await online.paymentOf(tx.q, id) : null;
  if (paymentId === null) {
    const refunded = await refundInvoiceIn(tx, actor, id, reason, act);
    return refunded.ok ? { ok: true, given } : refunded;
  }
  const amountMinor = given.amountMinor === max ? null : given.amountMinor;
  const ordered = await online.order(tx, actor, paymentId, { amountMinor, reason, by: 'refund' }, act);
  if (typeof ordered !== 'string') return ordered;
  return { ok: true, given, send: () => online.send(paymentId, ordered) };
}
