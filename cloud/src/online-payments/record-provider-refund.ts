import { newId } from '@hlid/node/new-id';
import { type Mistake, mistake } from '@hlid/protocol/mistake';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { audit, cloudActor } from '../audit/audit.ts';
import type { GatewayRefund } from '../card-gateways/gateway.ts';
import type { Tx } from '../db/db.ts';
import { followRefund, refundCameBack } from './follow-refund.ts';
import type { OnlineJournal } from './online-journal.ts';
import {
  findBooked,
  insertRefund,
  type OnlinePayment,
  type RefundRow,
  refundedOrOrdered,
  refundsOf,
  updateRefund,
} from './online-payment-store.ts';

/** Why a refund was made that nobody ordered here. */
export const BY_PROVIDER = 'by-provider';

export type ProviderRefundOutcome =
  | { outcome: 'opened' | 'changed' | 'unchanged'; paymentId: string | null }
  | { outcome: 'refused'; paymentId: string; mistakes: Mistake[] };

/**
 * Records what a provider reports of a refund: one of ours that is done or has failed, or one that was made in the
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

/** What went back beyond what is known was refunded elsewhere. */
async function recordSum(tx: Tx, recording: Recording, amountMinor: number): Promise<Change> {
  const refunds = await refundsOf(tx.q, recording.payment.payment.id);
  const unknownMinor = amountMinor - refundedOrOrdered(refunds);
  if (unknownMinor <= 0) return 'unchanged';
  await addRefund(tx, recording, { id: newId(), reference: null, amountMinor: unknownMinor, isDone: true });
  return 'opened';
}

async function recordOne(
  tx: Tx,
  recording: Recording,
  { reference, refundId, amountMinor, state }: GatewayRefund & { kind: 'one' },
): Promise<Change> {
  const { journal, payment, at } = recording;
  const refunds = await refundsOf(tx.q, payment.payment.id);
  const known =
    refunds.find(({ id }) => id === refundId) ??
    refunds.find((row) => row.reference === reference) ??
    // One that was known by a sum only.
    refunds.find((row) => refundId === null && isNameless(row) && row.amountMinor === amountMinor);
  if (known === undefined) {
    if (state === 'failed') return 'unchanged';
    const isDone = state === 'refunded';
    await addRefund(tx, recording, { id: refundId ?? newId(), reference, amountMinor, isDone });
    return 'opened';
  }
  if (known.reference !== reference) await updateRefund(tx.q, known.id, { reference });
  const isOver = known.state === 'not-possible' || known.state === 'failed';
  if (state === 'pending' || (state === 'failed' ? isOver : known.state === 'refunded')) return 'unchanged';
  await auditRefund(tx, recording, known, state);
  if (state === 'failed' && known.state === 'refunded') await refundCameBack(tx, journal, known, at);
  else {
    const isDone = state === 'refunded';
    const after = isDone ? 'refunded' : 'not-possible';
    await updateRefund(tx.q, known.id, { state: after, nextTryAt: null, doneAt: at });
    await followRefund(tx, journal, known, { isDone, isAll: false }, at);
  }
  return 'changed';
}

function isNameless({ reference, reason }: RefundRow): boolean {
  return reference === null && reason === BY_PROVIDER;
}

/** A refund that was made elsewhere. One that is not done yet is asked about by nobody: the provider reports its end. */
async function addRefund(
  tx: Tx,
  recording: Recording,
  {
    id,
    reference,
    amountMinor,
    isDone,
  }: Pick<RefundRow, 'id' | 'reference' | 'amountMinor'> & { isDone: boolean },
): Promise<void> {
  const { journal, gatewayId, payment, at } = recording;
  const row: RefundRow = {
    id,
    paymentId: payment.payment.id,
    amountMinor,
    isWhole: false,
    reference,
    state: isDone ? 'refunded' : 'ordered',
    reason: BY_PROVIDER,
    by: `gateway:${gatewayId}`,
    gatewayState: {},
    tries: 0,
    nextTryAt: null,
    heldBy: null,
    createdAt: at,
    doneAt: isDone ? at : null,
  };
  await insertRefund(tx.q, row);
  await auditRefund(tx, recording, row, isDone ? 'refunded' : 'pending');
  if (isDone) await followRefund(tx, journal, row, { isDone, isAll: false }, at);
}

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
