import { type Clock, nowUtc } from '@hlid/node/clock';
import { newId } from '@hlid/node/new-id';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { mayHaveGoneBack } from '@hlid/protocol/rules/payment-transitions';
import { COMMAND_LIFE_MS } from '@hlid/protocol/site-link/commands';
import { audit } from '../../people/audit/audit.ts';
import type { CommandAnswer, CommandSender } from '../../platform/broker/command-sender.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { CHARGED_BACK, chargebacksOf, isStanding } from './chargebacks.ts';
import { findPayment } from './find-payment.ts';
import { ingestPayment } from './ingest-payment.ts';
import type { PaymentRow } from './payment-store.ts';
import { closeReversal, openReversal, unansweredReversals } from './reversal-orders.ts';

export type BegunReversal =
  | { ok: true; payment: PaymentRow }
  | RefusedInput
  | { ok: false; reason: 'not-found' }
  | { ok: false; reason: 'not-connected' }
  /** It has not begun. `fault`: the site's reason. */
  | { ok: false; reason: 'not-begun'; fault: string }
  /** The site did not answer in time: it may have begun. */
  | { ok: false; reason: 'no-answer' };

/** Why the site refuses an order whose money may have gone back by an order before. */
const IN_DOUBT = 'reversal-unknown';

type TerminalPayment = PaymentRow & { terminalId: string };

/**
 * Orders the site's terminal to reverse a settled payment to the card. The site answers within a second that it has
 * begun. Its events report the outcome: reversed, or still settled and waiting for a person. From the moment the order
 * leaves until the site answers or reports, the money may have gone back, and nobody orders it again.
 */
export async function reversePayment(
  { db, commands }: { db: Db; commands: CommandSender },
  actor: Actor,
  paymentId: string,
  reason: string,
): Promise<BegunReversal> {
  const known = await db.read((q) => findPayment(q, paymentId));
  // Nothing leaves, and nothing is open.
  if (known?.state === 'settled' && !mayHaveGoneBack(known) && !commands.isConnected(known.siteId))
    return { ok: false, reason: 'not-connected' };
  const ordered = await db.write((tx) => order(tx, actor, paymentId, reason));
  if (!ordered.ok) return ordered;
  const { payment } = ordered;
  const { siteId, terminalId } = payment;
  const by = callerName(actor.caller);
  const request = { id: newId(), siteId, action: 'reverse-payment', terminalId, paymentId, by } as const;
  const answer = await commands.send(request);
  await db.write((tx) => takeAnswer(tx, payment, actor.at, answer));
  if (answer.payment?.id === paymentId) {
    const after = await db.read((q) => findPayment(q, paymentId));
    return { ok: true, payment: after ?? payment };
  }
  if (answer.outcome === 'refused')
    return { ok: false, reason: 'not-begun', fault: answer.reason ?? 'failed' };
  return { ok: false, reason: 'no-answer' };
}

/** The order is on the disk before it leaves. Two people who order at once order once. */
async function order(
  tx: Tx,
  actor: Actor,
  paymentId: string,
  reason: string,
): Promise<{ ok: true; payment: TerminalPayment } | Exclude<BegunReversal, { ok: true }>> {
  const before = await findPayment(tx.q, paymentId);
  if (before === null || before.terminalId === null) return { ok: false, reason: 'not-found' };
  const { terminalId, state } = before;
  if (state !== 'settled') return refusedInput(mistake('reverse-settled-only', [], { state }));
  if (mayHaveGoneBack(before)) return { ok: false, reason: 'not-begun', fault: IN_DOUBT };
  const chargebacks = await chargebacksOf(tx.q, [paymentId]);
  if (chargebacks.some(isStanding)) return refusedInput(CHARGED_BACK);
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

/** What the site answers about an order: the payment as it is there, or that the order was refused. */
async function takeAnswer(
  tx: Tx,
  { id, siteId }: Pick<PaymentRow, 'id' | 'siteId'>,
  orderedAt: UtcTime,
  answer: CommandAnswer,
  at = orderedAt,
): Promise<void> {
  const { payment, outcome, reason } = answer;
  if (payment?.id === id) {
    if ((await ingestPayment(tx, { siteId, at }, payment)) === null)
      await closeReversal(tx, id, orderedAt, at);
    return;
  }
  // A refusal with `IN_DOUBT` closes nothing: the site's own report of the payment decides.
  if (outcome === 'refused' && reason !== IN_DOUBT) await closeReversal(tx, id, orderedAt, at);
}

/** After this time an order has been carried out or has expired, and its answer has been processed. */
const ASK_AFTER_MS = 3 * COMMAND_LIFE_MS;
const ASK_EVERY_MS = 10_000;
const ASKED_AT_ONCE = 20;

/**
 * Asks sites about orders to reverse that they have not answered, of a cloud that has died too. A site carries out
 * commands in their order, so that what it answers is after the order, if it ever had it.
 */
export function reversalOrderRun(parts: { db: Db; clock: Clock; commands: CommandSender }): ScheduledRun {
  const { db, clock, commands } = parts;
  const due = (now: UtcTime) => db.read((q) => unansweredReversals(q, utcTime(millis(now) - ASK_AFTER_MS)));
  const isThere = ({ siteId }: PaymentRow) => commands.isConnected(siteId);
  return {
    name: 'reversal-orders',
    everyMs: ASK_EVERY_MS,
    isDue: async (now) => (await due(now)).some(isThere),
    async work({ now, signal }) {
      const open = (await due(now)).filter(isThere);
      for (let n = 0; n < open.length && !signal.aborted; n += ASKED_AT_ONCE) {
        await Promise.all(open.slice(n, n + ASKED_AT_ONCE).map((payment) => ask(payment)));
      }
    },
  };

  async function ask({ id, siteId, terminalId, reversalOrderedAt }: PaymentRow): Promise<void> {
    if (terminalId === null || reversalOrderedAt === null) return;
    const by = 'cloud:reversal-orders';
    const answer = await commands.send({
      id: newId(),
      siteId,
      action: 'payment-state',
      terminalId,
      paymentId: id,
      by,
    });
    // A site that does not know the payment, or has another terminal now, has answered nothing about it.
    if (answer.payment === undefined) return;
    await db.write((tx) => takeAnswer(tx, { id, siteId }, reversalOrderedAt, answer, nowUtc(clock)));
  }
}
