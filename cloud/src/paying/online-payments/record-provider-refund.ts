import { newId } from '@hlid/node/new-id';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { type RefundRow, refundsOf } from '../../money/payments/refunds.ts';
import { audit, cloudActor } from '../../people/audit/audit.ts';
import type { GatewayRefund } from '../../platform/card-gateways/gateway.ts';
import type { Tx } from '../../platform/db/db.ts';
import { balanceBooks } from './balance-books.ts';
import { followRefund, refundCameBack } from './follow-refund.ts';
import type { OnlineJournal } from './online-journal.ts';
import {
  deleteRefund,
  findBooked,
  insertRefund,
  type OnlinePayment,
  updateRefund,
} from './online-payment-store.ts';

/** The reason of a refund that was not ordered here. */
export const BY_PROVIDER = 'by-provider';

export type ProviderRefundOutcome =
  | { outcome: 'opened' | 'changed' | 'unchanged'; paymentId: string | null }
  | { outcome: 'refused'; paymentId: string; mistakes: Mistake[] };

/**
 * Records what a provider reports of a refund: one that was ordered here and is done or has failed, or one made in the
 * provider's own pages. Each is recorded once, in whatever form and order it is reported.
 */
export async function recordProviderRefund(
  tx: Tx,
  journal: OnlineJournal,
  gatewayId: string,
  given: GatewayRefund,
  at: UtcTime,
): Promise<ProviderRefundOutcome> {
  const payment = await findBooked(tx.q, gatewayId, given.transactionId);
  // Others may use the same account.
  if (payment === null) return { outcome: 'unchanged', paymentId: null };
  const { id: paymentId, currency } = payment.payment;
  if (given.currency !== currency) {
    const mistakes = [mistake('payment-currency', 'currency', { currency })];
    return { outcome: 'refused', paymentId, mistakes };
  }
  const recording = { journal, gatewayId, payment, at };
  const outcome =
    given.kind === 'sum'
      ? await recordSum(tx, recording, given.amountMinor)
      : await recordOne(tx, recording, given);
  return { outcome, paymentId };
}

interface Recording {
  journal: OnlineJournal;
  gatewayId: string;
  payment: OnlinePayment;
  at: UtcTime;
}
type Change = 'opened' | 'changed' | 'unchanged';

/**
 * Records a sum of refunds: the part beyond the known ones was refunded elsewhere. A sum may be from before a
 * refund has failed, so that one counts in it too: the hidden part is reported by its name.
 */
async function recordSum(tx: Tx, recording: Recording, amountMinor: number): Promise<Change> {
  const refunds = await refundsOf(tx.q, recording.payment.payment.id);
  const unknownMinor = amountMinor - reportedMinor(refunds);
  if (unknownMinor <= 0) return 'unchanged';
  await addRefund(tx, recording, {
    id: newId(),
    reference: null,
    amountMinor: unknownMinor,
    state: 'refunded',
  });
  return 'opened';
}

async function recordOne(
  tx: Tx,
  recording: Recording,
  { reference, refundId, amountMinor, state }: GatewayRefund & { kind: 'one' },
): Promise<Change> {
  const { payment } = recording;
  const refunds = await refundsOf(tx.q, payment.payment.id);
  const known =
    refunds.find(({ id }) => id === refundId) ??
    refunds.find((row) => row.reference === reference) ??
    // One that was known by a sum only.
    refunds.find((row) => refundId === null && isNameless(row) && row.amountMinor === amountMinor);
  if (known === undefined) {
    await shrinkNameless(tx, refunds, amountMinor);
    await addRefund(tx, recording, { id: refundId ?? newId(), reference, amountMinor, state });
    await balanceBooks(tx, payment.payment.id, recording.at);
    return state === 'failed' ? 'unchanged' : 'opened';
  }
  if (known.reference !== reference) await updateRefund(tx.q, known.id, { reference });
  return await recordState(tx, recording, known, state);
}

/**
 * Records the reported state of a refund. A failed one stays failed: an older report of it may come later.
 */
async function recordState(
  tx: Tx,
  recording: Recording,
  known: RefundRow,
  state: 'pending' | 'refunded' | 'failed',
): Promise<Change> {
  const { journal, at } = recording;
  const isKnown = state === 'failed' ? known.state === 'failed' : known.state === 'refunded';
  if (state === 'pending' || known.failedAt !== null || isKnown) return 'unchanged';
  if (state === 'failed' && known.state === 'not-possible') {
    await updateRefund(tx.q, known.id, { failedAt: at });
    return 'unchanged';
  }
  await auditRefund(tx, recording, known, state);
  if (state === 'failed' && known.state === 'refunded') await refundCameBack(tx, journal, known, at);
  else {
    const isDone = state === 'refunded';
    const after = isDone ? 'refunded' : 'not-possible';
    await updateRefund(tx.q, known.id, {
      state: after,
      dueAt: null,
      doneAt: at,
      failedAt: isDone ? null : at,
    });
    await followRefund(tx, journal, known, { isDone, isAll: false }, at);
  }
  return 'changed';
}

function isNameless({ reference, reason }: RefundRow): boolean {
  return reference === null && reason === BY_PROVIDER;
}

/**
 * The amount that reports have named or summed up, whatever its outcome. Refunds of ours that the provider
 * has refused do not count.
 */
function reportedMinor(refunds: readonly RefundRow[]): number {
  const there = refunds.filter(({ state, failedAt }) => state !== 'not-possible' || failedAt !== null);
  return there.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
}

/** A refund that has its name by now is no longer among those that are known by sums only. */
async function shrinkNameless(tx: Tx, refunds: readonly RefundRow[], namedMinor: number): Promise<void> {
  let rest = namedMinor;
  for (const { id, amountMinor } of refunds.filter(isNameless)) {
    const taken = Math.min(rest, amountMinor);
    rest -= taken;
    if (taken === amountMinor) await deleteRefund(tx.q, id);
    else if (taken > 0) await updateRefund(tx.q, id, { amountMinor: amountMinor - taken });
  }
}

/**
 * Records a refund that was made elsewhere. One that is not done yet is not queried: the provider reports its end.
 * One that has failed already is recorded too, so that an older report of it, which comes later, is known.
 */
async function addRefund(
  tx: Tx,
  recording: Recording,
  {
    id,
    reference,
    amountMinor,
    state,
  }: Pick<RefundRow, 'id' | 'reference' | 'amountMinor'> & { state: 'pending' | 'refunded' | 'failed' },
): Promise<void> {
  const { journal, gatewayId, payment, at } = recording;
  const isDone = state === 'refunded';
  const row: RefundRow = {
    id,
    paymentId: payment.payment.id,
    amountMinor,
    isWhole: false,
    reference,
    state: STORED_STATES[state],
    reason: BY_PROVIDER,
    by: `gateway:${gatewayId}`,
    gatewayState: {},
    attempts: 0,
    dueAt: null,
    heldBy: null,
    createdAt: at,
    doneAt: state === 'pending' ? null : at,
    failedAt: state === 'failed' ? at : null,
  };
  await insertRefund(tx.q, row);
  await auditRefund(tx, recording, row, state);
  if (isDone) await followRefund(tx, journal, row, { isDone, isAll: false }, at);
}

const STORED_STATES = { pending: 'ordered', refunded: 'refunded', failed: 'not-possible' } as const;

async function auditRefund(
  tx: Tx,
  { gatewayId, payment: { payment }, at }: Recording,
  { amountMinor }: Pick<RefundRow, 'amountMinor'>,
  outcome: 'pending' | 'refunded' | 'failed',
): Promise<void> {
  await audit(tx, cloudActor(`gateway:${gatewayId}`, at), {
    subject: 'payment',
    subjectId: payment.id,
    action: 'payment.refund',
    reason: BY_PROVIDER,
    before: { state: payment.state },
    after: { refundMinor: amountMinor, outcome },
  });
}
