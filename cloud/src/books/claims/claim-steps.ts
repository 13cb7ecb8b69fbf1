import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { BankRefusal, ClaimAtBank, ClaimOutcome, FoundClaim } from '../../platform/banks/bank.ts';
import { dueAfter } from '../../platform/jobs/work-queue.ts';
import type { ClaimRow } from '../../records/books/claim-table.ts';
import { referenceOf } from './change-claims.ts';

/** Pauses while a bank is away, or does not say what it has. */
const AWAY = [1, 3, 10, 30, 60].map((minutes) => minutes * MINUTE_MS);
/** How often a bank is asked about a claim: one that is unpaid, and one that may still be reversed. */
const FOLLOWED_EVERY_MS = { unpaid: 2 * HOUR_MS, ended: 12 * HOUR_MS };
/** A payment is reversed within weeks. */
const REVERSED_WITHIN_MS = 60 * 24 * HOUR_MS;

/** What is stored of a claim after a step; `dueAt` null: nothing is left to do. */
export interface ClaimStep extends Partial<ClaimRow> {
  dueAt: UtcTime | null;
}

/** After an order was sent. */
export function afterSending(claim: ClaimRow, outcome: ClaimOutcome, at: UtcTime): ClaimStep {
  switch (outcome.kind) {
    case 'done':
      return carriedOut(claim, at);
    case 'refused':
      return afterRefusal(claim, outcome, at);
    case 'unavailable':
      return { ...notReached(claim, outcome.problem, at), step: 'waiting' };
    case 'unknown':
      return { ...notReached(claim, outcome.problem, at), step: 'unknown' };
    default:
      return outcome satisfies never;
  }
}

/** A claim with that id may be ours, from an attempt whose answer was lost: only the bank knows. */
function afterRefusal(
  claim: ClaimRow,
  { reason, detail }: { reason: BankRefusal; detail: string | null },
  at: UtcTime,
): ClaimStep {
  if (claim.order === 'create' && reason === 'exists') {
    return { step: 'unknown', reason: null, detail: null, dueAt: at };
  }
  return refused(claim, { reason, detail }, at);
}

/** An order of unknown outcome, after the bank was asked for the claim by its id. */
export function afterAsking(claim: ClaimRow, found: FoundClaim, at: UtcTime): ClaimStep {
  switch (found.kind) {
    case 'unavailable':
      return { ...notReached(claim, found.problem, at), step: 'unknown' };
    case 'never-came':
      // The id is the key of idempotency: the same claim is sent again.
      return claim.order === 'create'
        ? { step: 'waiting', reason: null, detail: null, dueAt: dueAfter(at, claim.attempts, AWAY) }
        : refused(claim, { reason: 'not-found', detail: null }, at);
    case 'found':
      return afterFound(claim, found.claim, at);
    default:
      return found satisfies never;
  }
}

function afterFound(claim: ClaimRow, bank: ClaimAtBank, at: UtcTime): ClaimStep {
  switch (claim.order) {
    case 'create':
      return isOurs(claim, bank)
        ? carriedOut(claim, at)
        : refused(claim, { reason: 'exists', detail: null }, at);
    case 'cancel':
      if (bank.status === 'cancelled') return carriedOut(claim, at);
      return bank.status === 'paid' ? refused(claim, { reason: 'paid', detail: null }, at) : again(claim, at);
    case 'change':
      // It sets the terms as a whole: twice is as good as once.
      return bank.status === 'unpaid'
        ? again(claim, at)
        : refused(claim, { reason: bank.status, detail: null }, at);
    case null:
      return { dueAt: at };
    default:
      return claim.order satisfies never;
  }
}

function again(claim: ClaimRow, at: UtcTime): ClaimStep {
  return { step: 'waiting', reason: null, detail: null, dueAt: dueAfter(at, claim.attempts, AWAY) };
}

/** Whether a claim at the bank is the one that we made: another program may have used its number. */
export function isOurs(claim: ClaimRow, bank: ClaimAtBank): boolean {
  return (
    bank.reference === referenceOf(claim) &&
    bank.payorId === claim.payorId &&
    bank.currency === claim.currency
  );
}

/** It is done; how the claim is now, the bank says next. */
function carriedOut(claim: ClaimRow, at: UtcTime): ClaimStep {
  const done = { order: null, step: null, wanted: null, reason: null, detail: null, attempts: 0, dueAt: at };
  switch (claim.order) {
    case 'create':
      return { ...done, state: 'unpaid' };
    case 'change':
      return { ...done, terms: claim.wanted ?? claim.terms };
    case 'cancel':
      return { ...done, state: 'cancelled' };
    case null:
      return done;
    default:
      return claim.order satisfies never;
  }
}

/** A claim that the bank did not make ends; any other is asked about, since it is not as we believed. */
function refused(
  { order, state }: ClaimRow,
  { reason, detail }: { reason: BankRefusal; detail: string | null },
  at: UtcTime,
): ClaimStep {
  const isOver = order === 'create';
  return {
    state: isOver ? 'refused' : state,
    order: null,
    step: null,
    wanted: null,
    reason,
    detail,
    attempts: 0,
    dueAt: isOver ? null : at,
  };
}

export function notReached(claim: ClaimRow, problem: string, at: UtcTime): ClaimStep {
  return { reason: 'not-reached', detail: problem, dueAt: dueAfter(at, Math.max(1, claim.attempts), AWAY) };
}

/** When the bank is asked again about a claim without orders; null: nothing more can happen to it. */
export function followedNext(
  { state, modifiedAt }: Pick<ClaimRow, 'state' | 'modifiedAt'>,
  at: UtcTime,
): UtcTime | null {
  if (state === 'refused') return null;
  if (state === 'unpaid' || state === 'new') return utcTime(millis(at) + FOLLOWED_EVERY_MS.unpaid);
  const isOver = millis(at) - millis(modifiedAt) > REVERSED_WITHIN_MS;
  return isOver ? null : utcTime(millis(at) + FOLLOWED_EVERY_MS.ended);
}
