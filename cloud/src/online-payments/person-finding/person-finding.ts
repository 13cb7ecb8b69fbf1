import { type Mistake, mistake } from '@hlid/protocol/mistake';
import type { PersonFinding } from '@hlid/protocol/payment-transitions';
import { audit } from '../../audit/audit.ts';
import type { Db, Tx } from '../../db/db.ts';
import { type Actor, callerName } from '../../http/caller.ts';
import type { PaymentRow } from '../../payments/payment-store.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../refused.ts';
import type { OnlineJournal } from '../online-journal.ts';
import { findOnlinePayment, refundsOf, updateRefund } from '../online-payment-store.ts';
import { TRIES_BEFORE_PERSON } from '../payment-resolver.ts';

/**
 * Records what a person found out at the provider about an online payment that needs a person. The rules are those of
 * terminals. A refund that the provider has not answered is withdrawn, so that no money goes back twice.
 */
export async function recordFinding(
  { db, journal }: { db: Db; journal: OnlineJournal },
  actor: Actor,
  id: string,
  { finding, reason }: { finding: PersonFinding; reason: string },
): Promise<{ ok: true; payment: PaymentRow } | Refused> {
  return await db.write(async (tx) => {
    const before = await findOnlinePayment(tx.q, id);
    if (before === null) return NOT_FOUND;
    const { state, needsPerson, reason: problem } = before.payment;
    const why = mistakeIn(before.payment, finding) ?? (await withdrawRefunds(tx, id, actor));
    if (why !== null) return refusedInput(why);
    const by = callerName(actor.caller);
    const { payment } = await journal.applyIn(tx, id, { kind: 'finding', finding, by }, actor.at);
    await audit(tx, actor, {
      ...{ subject: 'payment', subjectId: id, action: 'payment.finding', reason },
      before: { state, needsPerson, reason: problem },
      after: { finding, state: payment.state, needsPerson: payment.needsPerson },
    });
    return { ok: true, payment };
  });
}

function mistakeIn(
  { state, needsPerson }: Pick<PaymentRow, 'state' | 'needsPerson'>,
  finding: PersonFinding,
): Mistake | null {
  if (!needsPerson) return mistake('needs-no-person');
  if (state === 'settled' && finding === 'not-booked') {
    return mistake('booked-by-provider');
  }
  const isOver = state === 'declined' || state === 'cancelled';
  return isOver && finding === 'booked' ? mistake('payment-over', [], { state }) : null;
}

/** @returns why the finding is too early; null: no refund is under way any more */
async function withdrawRefunds({ q }: Tx, id: string, { at }: Actor): Promise<Mistake | null> {
  const ordered = (await refundsOf(q, id)).filter(({ state }) => state === 'ordered');
  if (ordered.some(({ tries }) => tries < TRIES_BEFORE_PERSON)) {
    return mistake('refund-under-way');
  }
  for (const refund of ordered) {
    await updateRefund(q, refund.id, { state: 'not-possible', nextTryAt: null, doneAt: at });
  }
  return null;
}
