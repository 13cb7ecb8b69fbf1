import { newId } from '@hlid/node/new-id';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { mayHaveGoneBack } from '@hlid/protocol/rules/payment-transitions';
import { audit } from '../../people/audit/audit.ts';
import type { CommandSender } from '../../platform/broker/command-sender.ts';
import type { Db } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import { type RefusedInput, refusedInput } from '../../platform/refused.ts';
import { CHARGED_BACK, chargebacksOf, isStanding } from './chargebacks.ts';
import { findPayment } from './find-payment.ts';
import { ingestPayment } from './ingest-payment.ts';
import type { PaymentRow } from './payment-store.ts';

export type BegunReversal =
  | { ok: true; payment: PaymentRow }
  | RefusedInput
  | { ok: false; reason: 'not-found' }
  | { ok: false; reason: 'not-connected' }
  /** It has not begun. `fault`: the site's reason. */
  | { ok: false; reason: 'not-begun'; fault: string }
  /** The site did not answer in time: it may have begun. */
  | { ok: false; reason: 'no-answer' };

/**
 * Orders the site's terminal to reverse a settled payment to the card. The site answers within a second that it has
 * begun. Its events report the outcome: reversed, or still settled and waiting for a person.
 */
export async function reversePayment(
  { db, commands }: { db: Db; commands: CommandSender },
  actor: Actor,
  paymentId: string,
  reason: string,
): Promise<BegunReversal> {
  const before = await db.read((q) => findPayment(q, paymentId));
  if (before === null) return { ok: false, reason: 'not-found' };
  const { siteId, terminalId, state } = before;
  if (terminalId === null) return { ok: false, reason: 'not-found' };
  if (state !== 'settled') return refusedInput(mistake('reverse-settled-only', [], { state }));
  if (mayHaveGoneBack(before)) return { ok: false, reason: 'not-begun', fault: 'reversal-unknown' };
  const chargebacks = await db.read((q) => chargebacksOf(q, [paymentId]));
  if (chargebacks.some(isStanding)) return refusedInput(CHARGED_BACK);
  await db.write((tx) =>
    audit(tx, actor, {
      subject: 'payment',
      subjectId: paymentId,
      action: 'payment.reverse',
      before: { state },
      after: null,
      reason,
    }),
  );
  const by = callerName(actor.caller);
  const request = { id: newId(), siteId, action: 'reverse-payment', terminalId, paymentId, by } as const;
  const answer = await commands.send(request);
  const { payment } = answer;
  if (payment?.id === paymentId) {
    await db.write((tx) => ingestPayment(tx, { siteId, at: actor.at }, payment));
    const after = await db.read((q) => findPayment(q, paymentId));
    return { ok: true, payment: after ?? before };
  }
  if (answer.outcome === 'not-connected') return { ok: false, reason: 'not-connected' };
  if (answer.outcome === 'refused')
    return { ok: false, reason: 'not-begun', fault: answer.reason ?? 'failed' };
  return { ok: false, reason: 'no-answer' };
}
