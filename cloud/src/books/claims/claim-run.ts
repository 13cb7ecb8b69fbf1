import { anySignal } from '@hlid/node/deadline';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { Logger } from 'pino';
import { invoiceById } from '../../money/invoices/find-invoice.ts';
import type { Bank, ClaimKey, ClaimOutcome, ClaimTerms } from '../../platform/banks/bank.ts';
import type { Banks } from '../../platform/banks/banks.ts';
import type { Queries } from '../../platform/db/db.ts';
import { EVENTS } from '../../platform/events.ts';
import type { ScheduledRun } from '../../platform/jobs/scheduled-runs.ts';
import { type TakenWork, type Worker, type WorkSource, workOff } from '../../platform/jobs/take-work.ts';
import { leaseOutlasting } from '../../platform/jobs/work-lease.ts';
import { releaseWork } from '../../platform/jobs/work-queue.ts';
import {
  CLAIMS_WAITING,
  type ClaimRow,
  claimQueue,
  type StoredTerms,
} from '../../records/books/claim-table.ts';
import { isTrainingDatabase } from '../../records/training/training-store.ts';
import { bookClaim } from './book-claim.ts';
import { referenceOf } from './change-claims.ts';
import { afterAsking, afterSending, type ClaimStep, followedNext, notReached } from './claim-steps.ts';
import { findClaim, updateClaim } from './claim-store.ts';
import { followDispute } from './contested-claim.ts';

/** A few calls, each with its own deadline. */
const LEASE_MS = leaseOutlasting(4 * MINUTE_MS);
const NO_BANK_MS = 60 * MINUTE_MS;
/** What a payer can read on a claim. */
const MAX_TEXT = 200;

export interface ClaimParts extends Worker {
  log: Logger;
  banks: Banks;
}

type Taken = TakenWork<ClaimRow>;

const CLAIMS: WorkSource<ClaimRow> = {
  queue: claimQueue,
  leaseMs: LEASE_MS,
  find: findClaim,
  update: updateClaim,
};

/**
 * Sends what is to be done to banks, each order once, and follows claims. What is sent is stored before it is sent; an order
 * of unknown outcome is never repeated before the bank was asked for the claim by its id.
 */
export function claimRun(parts: ClaimParts): ScheduledRun {
  return {
    name: 'claims',
    everyMs: MINUTE_MS,
    wakesOn: CLAIMS_WAITING,
    async work({ signal }) {
      await workOff(parts, CLAIMS, signal, (taken, until) => advance(parts, taken, until));
    },
  };
}

/** @returns whether the bank was reached, or was not needed */
async function advance(parts: ClaimParts, taken: Taken, signal: AbortSignal): Promise<boolean> {
  const { row: claim, lease, at } = taken;
  // What is not real is claimed from no one.
  const bank = (await parts.db.read(isTrainingDatabase)) ? null : parts.banks.get(claim.bankId);
  if (bank === null) {
    const dueAt = utcTime(Date.parse(at) + NO_BANK_MS);
    await store(parts, taken, { step: stepInDoubt(claim), reason: 'no-bank', detail: null, dueAt });
    return true;
  }
  const lasts = lease.signal();
  if (lasts === null) return true;
  const until = anySignal([signal, lasts]);
  if (claim.order === null) return await follow(parts, taken, bank, until);
  if (claim.step === 'waiting') return await send(parts, taken, bank, until);
  const found = await bank.find(keyOf(claim), until);
  await store(parts, taken, afterAsking(claim, found, at));
  return found.kind !== 'unavailable';
}

async function send(parts: ClaimParts, taken: Taken, bank: Bank, signal: AbortSignal): Promise<boolean> {
  const { row: claim, lease, at } = taken;
  const isOurs = await parts.db.write(async ({ q }) => {
    if (!(await claimQueue.holds(q, claim.id, lease))) return false;
    await updateClaim(q, claim.id, { step: 'sending' });
    return true;
  });
  if (!isOurs || lease.signal() === null) return true;
  const text = await parts.db.read((q) => textOf(q, claim));
  const outcome = await sendOrder({ ...claim, text }, bank, signal);
  await store(parts, taken, afterSending(claim, outcome, at));
  return outcome.kind === 'done' || outcome.kind === 'refused';
}

/** The invoice and the cars that it is for. */
async function textOf(q: Queries, { invoiceId }: ClaimRow): Promise<string> {
  const invoice = await invoiceById(q, invoiceId);
  const plates = new Set(invoice?.lines.flatMap(({ plate }) => plate ?? []));
  return [`Reikningur ${invoice?.number ?? ''}`, ...plates].join(' ').slice(0, MAX_TEXT);
}

async function sendOrder(
  claim: ClaimRow & { text: string },
  bank: Bank,
  signal: AbortSignal,
): Promise<ClaimOutcome> {
  const key = keyOf(claim);
  switch (claim.order) {
    case 'create': {
      const { payorId, templateCode, billNumber, text } = claim;
      const rest = { payorId, templateCode, billNumber, text, reference: referenceOf(claim) };
      return await bank.create({ ...termsOf(claim, claim.terms), key, ...rest }, signal);
    }
    case 'change':
      return await bank.change(key, termsOf(claim, claim.wanted ?? claim.terms), signal);
    case 'cancel':
      return await bank.cancel(key, signal);
    case null:
      return { kind: 'done' };
    default:
      return claim.order satisfies never;
  }
}

export function keyOf({ claimantId, account, dueOn }: ClaimRow): ClaimKey {
  return { claimantId, account, dueOn };
}

function termsOf({ currency }: ClaimRow, terms: StoredTerms): ClaimTerms {
  return { ...terms, currency };
}

/** The bank says how a claim is, and all that was paid. */
async function follow(parts: ClaimParts, taken: Taken, bank: Bank, signal: AbortSignal): Promise<boolean> {
  const { row: claim, lease, at } = taken;
  const found = await bank.find(keyOf(claim), signal);
  if (found.kind !== 'found') {
    const problem = found.kind === 'unavailable' ? found.problem : 'the bank has no such claim';
    await store(parts, taken, notReached(claim, problem, at));
    return found.kind !== 'unavailable';
  }
  const paid = await bank.payments(keyOf(claim), claim.currency, signal);
  if (paid.kind !== 'found') {
    await store(parts, taken, notReached(claim, paid.problem, at));
    return false;
  }
  await parts.db.write(async (tx) => {
    if (!(await claimQueue.holds(tx.q, claim.id, lease))) return;
    const booked = await bookClaim(tx, claim, { claim: found.claim, payments: paid.payments, at });
    const after = await followDispute(tx, booked, at);
    if (after.order !== null) return;
    const dueAt = followedNext(after, at);
    await claimQueue.settle(tx.q, claim.id, lease, { dueAt, attempts: 0 });
  });
  return true;
}

/** What a process that died has left as `sending` may have arrived. */
function stepInDoubt({ step }: ClaimRow): ClaimRow['step'] {
  return step === 'sending' ? 'unknown' : step;
}

async function store({ db, log }: ClaimParts, { row: claim, lease }: Taken, step: ClaimStep): Promise<void> {
  const { dueAt, attempts = claim.attempts, ...change } = step;
  const isOurs = await db.write(async ({ q }) => {
    if (!(await claimQueue.settle(q, claim.id, lease, { dueAt, attempts }))) return false;
    await updateClaim(q, claim.id, change);
    return true;
  });
  const { state = claim.state, step: now = claim.step, reason = null } = step;
  if (isOurs) log.info({ event: EVENTS.claimStep, claim: claim.id, state, step: now, reason });
}

/** What dead processes had is asked about now. */
export const releaseClaims = releaseWork(CLAIMS_WAITING, claimQueue);
