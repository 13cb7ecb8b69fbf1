import { type Clock, nowUtc } from '@hlid/node/clock';
import { newId } from '@hlid/node/new-id';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { mayBeRefunded } from '@hlid/protocol/rules/payment-transitions';
import { COMMAND_LIFE_MS } from '@hlid/protocol/site-link/commands';
import {
  type ActToApprove,
  type AwaitsApproval,
  secondPerson,
} from '../../people/approvals/second-person.ts';
import { audit } from '../../people/audit/audit.ts';
import type { CommandAnswer, CommandSender } from '../../platform/broker/command-sender.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { type Refused, type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { recordEvent } from '../../records/integration-events/record-event.ts';
import { chargebacksOf } from './chargebacks.ts';
import { bookedMinor, findPayment } from './find-payment.ts';
import { ingestPayment } from './ingest-payment.ts';
import { IN_DOUBT, PAYMENT_ACTIONS } from './payment-actions.ts';
import type { PaymentRow } from './payment-store.ts';
import {
  clearSiteLost,
  closeReversal,
  markSiteLost,
  openReversal,
  paymentsToAskFor,
  showOpenRefund,
} from './reversal-orders.ts';

export type BegunReversal =
  | { ok: true; payment: PaymentRow }
  | RefusedInput
  | Extract<Refused, { reason: 'already-there' }>
  | AwaitsApproval
  | { ok: false; reason: 'not-found' }
  | { ok: false; reason: 'not-connected' }
  /** It has not begun. `fault`: the site's reason. */
  | { ok: false; reason: 'not-begun'; fault: string }
  /** The site did not answer in time: it may have begun. */
  | { ok: false; reason: 'no-answer' };

type OrderedReversal = { ok: true; payment: TerminalPayment } | Exclude<BegunReversal, { ok: true }>;
type TerminalPayment = PaymentRow & { terminalId: string };

/**
 * Orders the site's terminal to reverse a settled payment to the card. The site answers within a second that
 * it has begun. Its events report the outcome: reversed, or still settled and waiting for a person. From the
 * moment the order leaves until the site answers or reports, the money may have gone back, so no second order
 * is accepted.
 */
export async function reversePayment(
  { db, commands }: { db: Db; commands: CommandSender },
  actor: Actor,
  paymentId: string,
  reason: string,
): Promise<BegunReversal> {
  const ordered = await db.write((tx) => orderReversal(tx, commands, actor, { paymentId, reason }));
  return ordered.ok ? await sendReversal({ db, commands }, actor, ordered.payment) : ordered;
}

/** Sends an order to reverse a payment that is on the disk. */
export async function sendReversal(
  { db, commands }: { db: Db; commands: CommandSender },
  actor: Actor,
  payment: TerminalPayment,
): Promise<Exclude<BegunReversal, AwaitsApproval>> {
  const { id: paymentId, siteId, terminalId } = payment;
  const by = callerName(actor.caller);
  const request = { id: newId(), siteId, action: 'reverse-payment', terminalId, paymentId, by } as const;
  const answer = await commands.send(request);
  await db.write((tx) => takeAnswer(tx, payment, actor.at, answer, actor.at));
  if (answer.payment?.id === paymentId) {
    const after = await db.read((q) => findPayment(q, paymentId));
    return { ok: true, payment: after ?? payment };
  }
  if (answer.outcome === 'refused')
    return { ok: false, reason: 'not-begun', fault: answer.reason ?? 'failed' };
  return { ok: false, reason: 'no-answer' };
}

/** The order is on the disk before it leaves. Two people who order at once order once. */
export async function orderReversal(
  tx: Tx,
  commands: Pick<CommandSender, 'isConnected'>,
  actor: Actor,
  { paymentId, reason, act }: { paymentId: string; reason: string; act?: ActToApprove },
): Promise<OrderedReversal> {
  const before = await findPayment(tx.q, paymentId);
  if (before === null || before.terminalId === null) return { ok: false, reason: 'not-found' };
  const { terminalId, state } = before;
  const chargebacks = await chargebacksOf(tx.q, [paymentId]);
  const why = PAYMENT_ACTIONS.reverse.refuse({ ...before, chargebacks, refunds: [], bookedMinor: null });
  if (why !== null) {
    if (mayBeRefunded(before)) return { ok: false, reason: 'not-begun', fault: IN_DOUBT };
    return why.code === 'reversal-not-begun'
      ? { ok: false, reason: 'not-begun', fault: 'not-found' }
      : refusedInput(why);
  }
  const { siteId, visitId, currency } = before;
  const waits = await secondPerson(
    tx,
    actor,
    act ?? {
      kind: 'reversal',
      subjectId: paymentId,
      args: { reason },
      reason,
      siteIds: [siteId],
      about: { paymentId, visitId, invoiceId: before.invoiceId ?? paymentId },
    },
    { limit: 'refund', amountMinor: bookedMinor(before), currency, beforeMinor: 0 },
  );
  if (waits !== null) return waits;
  // Without a connection no order is sent, and no reversal is open.
  if (!commands.isConnected(siteId)) return { ok: false, reason: 'not-connected' };
  await audit(tx, actor, {
    subject: 'payment',
    subjectId: paymentId,
    action: 'payment.reverse',
    before: { state },
    after: null,
    reason,
  });
  await openReversal(tx, before, actor.at);
  return { ok: true, payment: { ...before, terminalId } };
}

/** Stores the answer of the site to an order: the payment as it is there, or the refusal of the order. */
async function takeAnswer(
  tx: Tx,
  { id, siteId }: Pick<PaymentRow, 'id' | 'siteId'>,
  orderedAt: UtcTime | null,
  answer: CommandAnswer,
  at: UtcTime,
): Promise<void> {
  const { payment, outcome, reason } = answer;
  const isAnswered =
    payment?.id === id
      ? (await ingestPayment(tx, { siteId, at }, payment)) === null
      : // A refusal with `IN_DOUBT` closes nothing: the site's own report of the payment decides.
        outcome === 'refused' && reason !== IN_DOUBT;
  if (isAnswered && orderedAt !== null) await closeReversal(tx, id, orderedAt, at);
}

/** The time after which an order is carried out or has expired, and its answer is processed. */
const ASK_AFTER_MS = 3 * COMMAND_LIFE_MS;
const ASK_EVERY_MS = 10_000;
const MAX_AT_ONCE = 20;
/**
 * The pause before a site is asked again if no order waits for its answer, or if it has answered that it does
 * not know the payment.
 */
const ASK_AGAIN_MS = HOUR_MS;

/**
 * Asks sites about orders to reverse that they have not answered, including those of a cloud that has died.
 * At intervals it asks about other payments that need a person: a site that was replaced or restored may not
 * know them any more. A site carries out commands in their order, so its answer follows the order, if it ever
 * had it.
 */
export function reversalOrderRun(parts: { db: Db; clock: Clock; commands: CommandSender }): ScheduledRun {
  const { db, clock, commands } = parts;
  /** When a site last answered about a payment, by the payment. After a restart it is asked once more. */
  const askedAt = new Map<string, number>();
  const due = async (now: UtcTime) => {
    const before = (ms: number) => utcTime(millis(now) - ms);
    const open = await db.read((q) => paymentsToAskFor(q, before(ASK_AFTER_MS), before(ASK_AGAIN_MS)));
    return open.filter(({ id, siteId, reversalOrderedAt, siteLostAt }) => {
      const pauseMs = reversalOrderedAt !== null && siteLostAt === null ? 0 : ASK_AGAIN_MS;
      const isTime = millis(now) - (askedAt.get(id) ?? 0) >= pauseMs;
      return isTime && commands.isConnected(siteId);
    });
  };
  return {
    name: 'reversal-orders',
    everyMs: ASK_EVERY_MS,
    isDue: async (now) => (await due(now)).length > 0,
    async work({ now, signal }) {
      const open = await due(now);
      for (const [id, at] of askedAt) if (millis(now) - at >= ASK_AGAIN_MS) askedAt.delete(id);
      for (let n = 0; n < open.length && !signal.aborted; n += MAX_AT_ONCE) {
        await Promise.all(open.slice(n, n + MAX_AT_ONCE).map((payment) => ask(payment, now)));
      }
    },
  };

  async function ask(payment: PaymentRow, now: UtcTime): Promise<void> {
    const { id, siteId, terminalId, reversalOrderedAt } = payment;
    if (terminalId === null) return;
    const by = 'cloud:reversal-orders';
    const answer = await commands.send({
      id: newId(),
      siteId,
      action: 'payment-state',
      terminalId,
      paymentId: id,
      by,
    });
    const isUnknown = answer.outcome === 'refused' && answer.reason === 'not-found';
    if (answer.payment === undefined && !isUnknown) return;
    askedAt.set(id, millis(now));
    const at = nowUtc(clock);
    await db.write(async (tx) => {
      if (isUnknown) {
        if (!(await markSiteLost(tx, id, at))) return;
        await showOpenRefund(tx, { ...payment, siteLostAt: at }, at);
        await recordEvent(tx, { type: 'payment.review', subjectId: id, siteId, at });
        return;
      }
      await clearSiteLost(tx, id);
      await takeAnswer(tx, { id, siteId }, reversalOrderedAt, answer, at);
    });
  }
}
