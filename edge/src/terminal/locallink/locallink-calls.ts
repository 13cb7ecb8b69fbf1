import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { z } from 'zod';
import { askTerminal, type TerminalCall } from './ask-terminal.ts';
import {
  ClosedSchema,
  PairedSchema,
  ReportSchema,
  readTransaction,
  StartedSchema,
  StatusSchema,
  type TransactionUpdate,
} from './locallink-answers.ts';
import type { LocallinkOptions } from './locallink-options.ts';

export type Reply<T> =
  | { kind: 'ok'; value: T }
  /** It understood, and does not do it. */
  | { kind: 'refused'; status: number }
  /** It does not know our token. */
  | { kind: 'stranger' }
  /** It certainly did not arrive. */
  | { kind: 'unreachable'; problem: string }
  /** It may have been done. */
  | { kind: 'lost'; problem: string };

/** LocalLink's calls, each made once. None of them throws. */
export interface LocallinkCalls {
  pair(code: string): Promise<Reply<{ authToken: string }>>;
  status(): Promise<Reply<{ status: 'TERMINAL_AVAILABLE' | 'TERMINAL_BUSY' }>>;
  /** @param amount as the terminal counts */
  sell(amount: number, orderId: string): Promise<Reply<{ uti: string }>>;
  /** Reverses a sale of the same day; older ones are not known to be possible. */
  reverse(uti: string): Promise<Reply<{ uti: string }>>;
  /** How a transaction stands; refused: the terminal knows none by that name. */
  getTransaction(uti: string): Promise<Reply<Exclude<TransactionUpdate, { kind: 'unreadable' }>>>;
  /**
   * Cancels the transaction that is under way; refused: there is none, or it cannot be cancelled any more.
   */
  cancel(): Promise<Reply<null>>;
  /** Refuses a card that the till itself would approve; we have none of those. */
  refuseOwnCard(uti: string): Promise<Reply<null>>;
  dayTotals(): Promise<Reply<z.infer<typeof ReportSchema>>>;
  closeDay(): Promise<Reply<z.infer<typeof ClosedSchema>>>;
}

type Ask = Pick<TerminalCall, 'method' | 'path'> &
  Partial<Pick<TerminalCall, 'query' | 'body' | 'timeoutMs'>>;

/** The timeout includes the terminal's request to its bank. */
const CLOSE_DAY_MS = MINUTE_MS;
/** A code works once: if its answer is not awaited, a person has to go to the terminal for another. */
const PAIR_MS = MINUTE_MS;

export function createLocallinkCalls(
  options: LocallinkOptions,
  token: () => string | null,
  signal: AbortSignal,
): LocallinkCalls {
  const { terminalId: tid, replyTimeoutMs: timeoutMs } = options;
  const silently = { disablePrinting: 'true' };

  async function ask<T>({ query, ...call }: Ask, read: (body: unknown) => T | undefined): Promise<Reply<T>> {
    const answer = await askTerminal(options, {
      timeoutMs,
      signal,
      token: call.path === 'pair' ? null : token(),
      ...call,
      query: { tid, ...query },
    });
    if (answer.kind !== 'answered') return answer;
    const { status, body } = answer;
    if (status === 401 || status === 403) return { kind: 'stranger' };
    if (status >= 400 && status < 500) return { kind: 'refused', status };
    if (status < 200 || status > 299)
      return { kind: 'lost', problem: `the terminal answers with HTTP ${status}` };
    const value = read(body);
    return value === undefined
      ? { kind: 'lost', problem: 'the terminal’s answer cannot be read' }
      : { kind: 'ok', value };
  }

  const by =
    <T>(schema: z.ZodType<T>) =>
    (body: unknown): T | undefined =>
      schema.safeParse(body).data;
  const anything = () => null;

  return {
    pair: (pairingCode) =>
      ask(
        {
          method: 'GET',
          path: 'pair',
          query: { pairingCode },
          timeoutMs: Math.max(timeoutMs, PAIR_MS),
        },
        by(PairedSchema),
      ),
    status: () => ask({ method: 'GET', path: 'status' }, by(StatusSchema)),
    sell: (amount, orderId) =>
      ask(
        {
          method: 'POST',
          path: 'transaction',
          query: silently,
          body: { transType: 'SALE', amountTrans: amount, reference: orderId },
        },
        by(StartedSchema),
      ),
    reverse: (uti) =>
      ask(
        { method: 'POST', path: 'transaction', query: silently, body: { transType: 'REVERSAL', uti } },
        by(StartedSchema),
      ),
    getTransaction: (uti) =>
      ask({ method: 'GET', path: 'transaction', query: { uti } }, (body) => {
        const update = readTransaction(body);
        if (update.kind === 'unreadable') return undefined;
        return update.kind === 'finished' && update.result.uti !== uti ? undefined : update;
      }),
    cancel: () => ask({ method: 'DELETE', path: 'transaction' }, anything),
    refuseOwnCard: (uti) =>
      ask({ method: 'POST', path: 'result', query: { uti }, body: { result: 'DECLINED' } }, anything),
    dayTotals: () =>
      ask({ method: 'GET', path: 'report', query: { ...silently, reportType: 'XReport' } }, by(ReportSchema)),
    closeDay: () =>
      ask(
        {
          method: 'GET',
          path: 'report',
          query: { ...silently, reportType: 'ZReport' },
          timeoutMs: Math.max(timeoutMs, CLOSE_DAY_MS),
        },
        by(ClosedSchema),
      ),
  };
}

/** The problem in words for a technician. */
export function problemOf(reply: Exclude<Reply<unknown>, { kind: 'ok' }>): string {
  switch (reply.kind) {
    case 'refused':
      return `the terminal refuses it (HTTP ${reply.status})`;
    case 'stranger':
      return 'the terminal does not know us: pair it anew';
    case 'unreachable':
    case 'lost':
      return reply.problem;
    default:
      return reply satisfies never;
  }
}
