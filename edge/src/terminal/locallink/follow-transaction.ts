import { pause } from '@hlid/node/pause';
import type { SaleResult } from './locallink-answers.ts';
import type { LocallinkCalls } from './locallink-calls.ts';

export interface FollowTiming {
  pollMs: number;
  /** The pause between two cancel requests: what cannot be cancelled now may be a moment later. */
  cancelMs: number;
  /** The longest silence before the transaction counts as lost. */
  silenceMs: number;
}

export const FOLLOW_TIMING: FollowTiming = { pollMs: 500, cancelMs: 2000, silenceMs: 30_000 };

export type TransactionEnd =
  | { kind: 'finished'; result: SaleResult }
  /** The terminal has no record of it any more, however often it is asked: it has started again. */
  | { kind: 'forgotten' }
  | { kind: 'lost'; problem: string };

interface Following {
  /** Whether the payment is to be cancelled. */
  isCancelRequested(): boolean;
  /** The terminal's own sentence, when it is another. */
  onProgress(sentence: string): void;
  /** The time after which it is cancelled; `silenceMs` later it is given up. */
  withinMs: number;
  signal: AbortSignal;
}

/** The terminal may not know a transaction that has only just begun by its name. */
const REFUSALS = 3;

/**
 * Follows a transaction to its end. Cancelling is a request: only the transaction's end shows whether it
 * succeeded.
 */
export async function followTransaction(
  calls: LocallinkCalls,
  uti: string,
  { isCancelRequested, onProgress, withinMs, signal }: Following,
  timing: FollowTiming,
): Promise<TransactionEnd> {
  const begun = performance.now();
  let lastReplyAt = begun;
  let cancelled: number | null = null;
  let sentence: string | null = null;
  let hasRefused = false;
  let refusals = 0;
  for (;;) {
    const now = performance.now();
    if (signal.aborted) return { kind: 'lost', problem: 'stopped in the middle of it' };
    const late = now - begun > withinMs;
    if ((late || isCancelRequested()) && (cancelled === null || now - cancelled > timing.cancelMs)) {
      cancelled = now;
      await calls.cancel();
    }
    const reply = await calls.getTransaction(uti);
    switch (reply.kind) {
      case 'ok': {
        lastReplyAt = performance.now();
        refusals = 0;
        const update = reply.value;
        if (update.kind === 'finished') {
          const waits = update.result.isCustomCardData && !update.result.transApproved && !hasRefused;
          if (!waits) return update;
          const { kind } = await calls.refuseOwnCard(uti);
          hasRefused = kind === 'ok' || kind === 'refused';
        } else if (update.text !== sentence) {
          sentence = update.text;
          onProgress(sentence);
        }
        break;
      }
      case 'refused':
        if (++refusals === REFUSALS) return { kind: 'forgotten' };
        break;
      case 'stranger':
        return { kind: 'lost', problem: 'the terminal does not know us any more' };
      case 'unreachable':
      case 'lost':
        if (performance.now() - lastReplyAt > timing.silenceMs)
          return { kind: 'lost', problem: reply.problem };
        break;
      default:
        return reply satisfies never;
    }
    if (performance.now() - begun > withinMs + timing.silenceMs) {
      return { kind: 'lost', problem: 'the terminal comes to no end' };
    }
    await pause(timing.pollMs, { signal });
  }
}
