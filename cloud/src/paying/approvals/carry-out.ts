import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { LineCreditSchema, RefundSchema } from '../../money/invoices/invoice.ts';
import { orderReversal, sendReversal } from '../../money/payments/reverse-payment.ts';
import type { AwaitsApproval } from '../../people/approvals/second-person.ts';
import type { CommandSender } from '../../platform/broker/command-sender.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import type { Refused, RefusedConflict, RefusedProof } from '../../platform/refused.ts';
import type { ApprovalRow } from '../../records/approvals/approval-table.ts';
import { changeLimitsIn } from '../../sites/sites/change/approval-limits.ts';
import { LimitsEditSchema } from '../../sites/sites/site-view.ts';
import { waiveVisitIn } from '../../stays/visits/edit/edit-visit.ts';
import { VisitEditSchema } from '../../stays/visits/edit/visit-commands.ts';
import { type AnswerParts, answerDisputeIn } from '../disputes/answer-dispute.ts';
import { DisputeAnswerSchema } from '../disputes/dispute-view.ts';
import type { OnlineRefunds } from '../online-payments/refund-online.ts';
import { CreditRefused, creditLinesIn } from '../refunds/credit-lines.ts';
import { refundInvoiceIn } from '../refunds/refund-invoice.ts';

export interface Carriers {
  /** Signs the close of a day. What an accountant does stands above this folder. */
  closes: {
    signIn(
      tx: Tx,
      actor: Actor,
      id: string,
      args: unknown,
    ): Promise<{ ok: true } | Refused | RefusedConflict | AwaitsApproval>;
  };
  db: Db;
  commands: CommandSender;
  online: Pick<OnlineRefunds, 'paymentOf' | 'order' | 'send'>;
  links: AnswerParts['links'];
}

/**
 * Sends an order once the transaction is on the disk. @returns why it was not done; null: it was, or may be
 */
type Send = () => Promise<Mistake | null>;

type CarriedOut =
  | { ok: true; send?: Send }
  | Refused
  | RefusedProof
  | RefusedConflict
  | AwaitsApproval
  | { ok: false; reason: 'not-connected' }
  | { ok: false; reason: 'not-begun'; fault: string }
  | { ok: false; reason: 'no-answer' };

/**
 * Carries out what was approved, in the transaction that marks it as done: it happens once, or not at all. What goes to a
 * card is ordered here and sent afterwards; a crash between the two leaves an order that is sent or queried as any other.
 */
export async function carryOut(
  tx: Tx,
  { db, commands, online, links, closes }: Carriers,
  actor: Actor,
  { kind, subjectId, args }: ApprovalRow,
): Promise<CarriedOut> {
  switch (kind) {
    case 'waiver':
      return await waiveVisitIn(tx, actor, subjectId, VisitEditSchema.parse(args));
    case 'credit':
      return await credit(tx, actor, subjectId, args);
    case 'refund': {
      const { reason, amount = null } = RefundSchema.parse(args);
      const paymentId = await online.paymentOf(tx.q, subjectId);
      if (paymentId === null) return await refundInvoiceIn(tx, actor, subjectId, reason);
      return await refundOnline(tx, online, actor, paymentId, { amountMinor: amount, reason, by: 'refund' });
    }
    case 'reversal': {
      const { reason } = RefundSchema.parse(args);
      if ((await online.paymentOf(tx.q, subjectId)) === subjectId) {
        return await refundOnline(tx, online, actor, subjectId, {
          amountMinor: null,
          reason,
          by: 'reversal',
        });
      }
      const ordered = await orderReversal(tx, commands, actor, { paymentId: subjectId, reason });
      if (!ordered.ok) return ordered;
      return {
        ok: true,
        async send() {
          const sent = await sendReversal({ db, commands }, actor, ordered.payment);
          return !sent.ok && sent.reason === 'not-begun'
            ? mistake('reversal-not-begun', [], { reason: sent.fault })
            : null;
        },
      };
    }
    case 'dispute':
      return await answer(tx, { db, commands, online, links }, actor, subjectId, args);
    case 'limits':
      return await changeLimitsIn(tx, actor, subjectId, LimitsEditSchema.parse(args));
    case 'day-close':
      return await closes.signIn(tx, actor, subjectId, args);
    default:
      return kind satisfies never;
  }
}

async function answer(
  tx: Tx,
  parts: AnswerParts,
  actor: Actor,
  id: string,
  args: unknown,
): Promise<CarriedOut> {
  const answered = await answerDisputeIn(tx, parts, actor, id, DisputeAnswerSchema.parse(args));
  if (!answered.ok) return answered;
  const { send } = answered;
  if (send === undefined) return { ok: true };
  return {
    ok: true,
    async send() {
      await send();
      return null;
    },
  };
}

async function credit(tx: Tx, actor: Actor, id: string, args: unknown): Promise<CarriedOut> {
  try {
    return await creditLinesIn(tx, actor, id, LineCreditSchema.parse(args));
  } catch (error) {
    if (error instanceof CreditRefused) return error.refused;
    throw error;
  }
}

async function refundOnline(
  tx: Tx,
  online: Carriers['online'],
  actor: Actor,
  paymentId: string,
  order: Parameters<OnlineRefunds['order']>[3],
): Promise<CarriedOut> {
  const ordered = await online.order(tx, actor, paymentId, order);
  if (typeof ordered !== 'string') return ordered;
  return {
    ok: true,
    async send() {
      const sent = await online.send(paymentId, ordered);
      return sent.ok ? null : mistake('refund-not-possible');
    },
  };
}
