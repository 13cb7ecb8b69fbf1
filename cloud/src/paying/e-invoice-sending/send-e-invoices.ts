import { nowUtc } from '@hlid/node/clock';
import { anySignal } from '@hlid/node/deadline';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { RemoteStatus } from '@hlid/protocol/records/invoice';
import type { Logger } from 'pino';
import { markPublished } from '../../money/invoices/mark-published.ts';
import type { DocumentStatus, Submission } from '../../platform/access-points/access-point.ts';
import type { AccessPoints } from '../../platform/access-points/access-points.ts';
import { EVENTS } from '../../platform/events.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { type TakenWork, type Worker, type WorkSource, workOff } from '../../platform/jobs/take-work.ts';
import { leaseOutlasting } from '../../platform/jobs/work-lease.ts';
import { dueAfter, releaseWork } from '../../platform/jobs/work-queue.ts';
import { type EInvoiceRow, findEInvoice, updateEInvoice } from '../../records/invoices/e-invoice-store.ts';
import { E_INVOICES_WAITING, eInvoiceQueue } from '../../records/invoices/e-invoice-table.ts';
import { isTrainingDatabase } from '../../records/training/training-store.ts';
import { accessPointOf, type Documents, type MadeDocument, makeNetworkDocument } from './network-document.ts';

/** One call, and making the document before it. */
const LEASE_MS = leaseOutlasting(2 * MINUTE_MS);
/** Pauses while an access point is away, or does not say whether it has a document. */
const AWAY = [1, 3, 10, 30, 60].map((minutes) => minutes * MINUTE_MS);
/** Pauses until a document that the access point has is asked about again. */
const ON_ITS_WAY = [1, 5, 15, 60, 360].map((minutes) => minutes * MINUTE_MS);

export interface SendingParts extends Worker {
  log: Logger;
  accessPoints: AccessPoints;
  documents: Documents;
}

type Taken = TakenWork<EInvoiceRow>;

const E_INVOICES: WorkSource<EInvoiceRow> = {
  queue: eInvoiceQueue,
  leaseMs: LEASE_MS,
  find: findEInvoice,
  update: updateEInvoice,
};

/** What is stored after a step; `dueAt` null: nothing is left to do. */
interface Step extends Partial<EInvoiceRow> {
  state: EInvoiceRow['state'];
  dueAt: UtcTime | null;
}

/**
 * Hands documents to access points, each attempt once. What is sent is stored before it is sent. An access point that may
 * have a document is asked, and gets it again only where it says that it never came, under the same key.
 */
export function eInvoiceRun(parts: SendingParts): ScheduledRun {
  return {
    name: 'e-invoices',
    everyMs: MINUTE_MS,
    wakesOn: E_INVOICES_WAITING,
    async work({ signal }) {
      await workOff(parts, E_INVOICES, signal, (taken, until) => advance(parts, taken, until));
    },
  };
}

/** @returns whether an access point was reached, or was not needed */
async function advance(parts: SendingParts, taken: Taken, signal: AbortSignal): Promise<boolean> {
  return taken.row.state === 'waiting'
    ? await handOver(parts, taken, signal)
    : await askAbout(parts, taken, signal);
}

async function handOver(parts: SendingParts, taken: Taken, signal: AbortSignal): Promise<boolean> {
  const { row, lease, at } = taken;
  const { isTraining, accessPoint } = await parts.db.read(async (q) => ({
    isTraining: await isTrainingDatabase(q),
    accessPoint: await accessPointOf(q, row.id),
  }));
  // What is not real never leaves.
  const chosen = isTraining ? null : parts.accessPoints.choose(accessPoint);
  if (chosen === null) {
    await store(parts, taken, {
      state: 'waiting',
      reason: 'no-access-point',
      dueAt: utcTime(millis(at) + HOUR_MS),
    });
    return true;
  }
  const made = await makeNetworkDocument(parts.documents, row);
  const mistake = mistakeOf(row, made);
  if (!made.ok || mistake !== null) {
    await store(parts, taken, { state: 'refused', dueAt: null, ...(mistake ?? {}) });
    return true;
  }
  const { receiver, digest } = made;
  const begun = { state: 'sending', accessPoint: chosen.id, receiver, digest } as const;
  if (!(await storeIntent(parts, taken, begun))) return true;
  const lasts = lease.signal();
  if (lasts === null) return true;
  const document = { ...made.document, key: row.key };
  const result = await chosen.point.submit(document, anySignal([signal, lasts]));
  await store(parts, { ...taken, row: { ...row, ...begun } }, afterSubmission(taken, result));
  return result.kind !== 'unavailable' && result.kind !== 'unknown';
}

/** Why a document is not handed over; null: it is. */
function mistakeOf(
  { digest }: EInvoiceRow,
  made: MadeDocument,
): Pick<EInvoiceRow, 'reason' | 'detail'> | null {
  if (!made.ok) return { reason: made.reason, detail: made.detail };
  const isSame = digest === null || digest === made.digest;
  return isSame ? null : { reason: 'document-changed', detail: null };
}

function afterSubmission({ row, at }: Taken, result: Submission): Step {
  switch (result.kind) {
    case 'unavailable':
      return {
        state: 'waiting',
        reason: 'not-reached',
        detail: result.problem,
        dueAt: dueAfter(at, row.attempts, AWAY),
      };
    case 'unknown':
      return { ...unknown(at, 1), detail: result.problem };
    default:
      return afterAnswer(at, result, 1);
  }
}

async function askAbout(parts: SendingParts, taken: Taken, signal: AbortSignal): Promise<boolean> {
  const { row, lease, at } = taken;
  const point = row.accessPoint === null ? null : parts.accessPoints.get(row.accessPoint);
  const lasts = lease.signal();
  if (lasts === null) return true;
  if (point === null) {
    const state = stateInDoubt(row);
    await store(parts, taken, { state, reason: 'no-access-point', dueAt: utcTime(millis(at) + HOUR_MS) });
    return true;
  }
  const status = await point.status(row.key, anySignal([signal, lasts]));
  await store(parts, taken, afterStatus(taken, status));
  return status.kind !== 'unavailable';
}

function afterStatus({ row, at }: Taken, status: DocumentStatus): Step {
  switch (status.kind) {
    case 'unavailable':
      return {
        state: stateInDoubt(row),
        reason: 'not-reached',
        detail: status.problem,
        dueAt: dueAfter(at, row.attempts, AWAY),
      };
    case 'never-came':
      // What it has confirmed once has not gone.
      if (row.state === 'accepted') return { ...unknown(at, row.attempts), state: 'accepted' };
      return { state: 'waiting', reason: null, detail: null, attempts: 0, dueAt: at };
    default:
      return afterAnswer(at, status, row.attempts);
  }
}

type Answer = Extract<Submission, { kind: 'accepted' | 'delivered' | 'refused' }>;

function afterAnswer(at: UtcTime, answer: Answer, attempts: number): Step {
  switch (answer.kind) {
    case 'refused':
      return { state: 'refused', reason: answer.reason, detail: answer.detail, dueAt: null };
    case 'delivered':
      return { state: 'delivered', reference: answer.reference, reason: null, detail: null, dueAt: null };
    case 'accepted':
      return {
        state: 'accepted',
        reference: answer.reference,
        reason: null,
        detail: null,
        attempts,
        dueAt: dueAfter(at, attempts, ON_ITS_WAY),
      };
    default:
      return answer satisfies never;
  }
}

function unknown(at: UtcTime, attempts: number): Step {
  return { state: 'unknown', reason: 'not-reached', attempts, dueAt: dueAfter(at, attempts, AWAY) };
}

/** What a process that died has left as `sending` may have arrived. */
function stateInDoubt({ state }: EInvoiceRow): EInvoiceRow['state'] {
  return state === 'sending' ? 'unknown' : state;
}

/** Stores what is about to be sent. @returns false: another process may be at work, and nothing may be sent */
async function storeIntent(
  { db }: SendingParts,
  { row, lease, at }: Taken,
  begun: Partial<EInvoiceRow>,
): Promise<boolean> {
  return await db.write(async ({ q }) => {
    if (!(await eInvoiceQueue.holds(q, row.id, lease))) return false;
    await updateEInvoice(q, row.id, { ...begun, stateAt: at, reason: null, detail: null });
    return true;
  });
}

async function store({ db, clock, log }: SendingParts, { row, lease }: Taken, step: Step): Promise<void> {
  const { dueAt, ...change } = step;
  const isOurs = await db.write(async ({ q }) => {
    if (!(await eInvoiceQueue.settle(q, row.id, lease, { dueAt }))) return false;
    const now = nowUtc(clock);
    await updateEInvoice(q, row.id, { ...change, ...(step.state !== row.state && { stateAt: now }) });
    // A receipt is beside its invoice, which is for whoever paid it.
    const isInvoice = row.buyer === null;
    if (isInvoice && step.state !== row.state)
      await markPublished(q, row.id, publishStatusOf(step.state), now);
    return true;
  });
  const { state, reason = null } = step;
  if (isOurs) log.info({ event: EVENTS.eInvoiceStep, invoice: row.id, state, reason });
}

/** The invoice itself shows only whether its payer has it. */
function publishStatusOf(state: EInvoiceRow['state']): RemoteStatus {
  if (state === 'delivered') return 'completed';
  return state === 'refused' ? 'failed' : 'draft';
}

/** What dead processes had is asked about now. */
export const releaseEInvoices = releaseWork(E_INVOICES_WAITING, eInvoiceQueue);
