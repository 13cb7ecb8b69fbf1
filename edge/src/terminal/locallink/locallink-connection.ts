import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '@hlid/protocol/backoff';
import { messageOf } from '@hlid/protocol/fault';
import type { TerminalStatus } from '../terminal.ts';
import { type LocallinkCalls, problemOf, type Reply } from './locallink-calls.ts';
import type { TerminalMemory } from './terminal-memory.ts';

export interface ConnectionTiming {
  /** Between two looks at a terminal that is there. */
  lookMs: number;
  /** The first pause before another try where it is not; they double. */
  retryMs: number;
  maxRetryMs: number;
}

export const CONNECTION_TIMING: ConnectionTiming = { lookMs: 15_000, retryMs: 1000, maxRetryMs: 30_000 };

export type Standing = Pick<TerminalStatus, 'connection' | 'code' | 'problem'>;

export interface LocallinkConnection {
  start(): void;
  stop(): Promise<void>;
  standing(): Standing;
  /** Looks at once, and says how it is. */
  look(): Promise<Standing>;
}

interface Parts {
  calls: LocallinkCalls;
  memory: TerminalMemory;
  pairingCode: string | undefined;
  timing: ConnectionTiming;
  /** Somebody uses the terminal, and says how it is. */
  isInUse(): boolean;
  onChange(): void;
}

const UNPAIRED: Standing = {
  connection: 'NOTLOGGEDIN',
  code: null,
  problem: 'it is not paired: set pairingCode to the code that the terminal shows, and start again',
};

/** Pairs with the terminal where that is due, and looks after it while nobody uses it. */
export function createLocallinkConnection(parts: Parts): LocallinkConnection {
  const { calls, memory, pairingCode, timing } = parts;
  const ending = new AbortController();
  let standing: Standing = { connection: 'DISCONNECTED', code: null, problem: 'not connected yet' };
  let keeping: Promise<void> = Promise.resolve();
  let looking: Promise<Standing> | null = null;

  function set(next: Standing): Standing {
    const same =
      next.connection === standing.connection &&
      next.code === standing.code &&
      next.problem === standing.problem;
    standing = next;
    if (!same) parts.onChange();
    return standing;
  }

  async function lookOnce(): Promise<Standing> {
    if (memory.get().token === null) {
      const refused = await pair();
      if (refused) return set(refused);
    }
    const reply = await calls.status();
    if (reply.kind === 'stranger') {
      memory.change({ token: null });
      const refused = await pair();
      return refused ? set(refused) : set(standingOf(await calls.status()));
    }
    return set(standingOf(reply));
  }

  /** A code is good once: one that was used is not tried again, so that nobody is locked out. Null: it is paired. */
  async function pair(): Promise<Standing | null> {
    if (pairingCode === undefined) return UNPAIRED;
    if (memory.get().usedCode === pairingCode) {
      const problem =
        'it does not know us, and its pairing code has been used: have it show another, set pairingCode, start again';
      return { connection: 'LOGINFAILED', code: null, problem };
    }
    const reply = await calls.pair(pairingCode);
    if (reply.kind === 'ok') {
      memory.change({ token: reply.value.authToken, usedCode: pairingCode });
      return null;
    }
    if (reply.kind === 'unreachable' || reply.kind === 'lost') return standingOf(reply);
    memory.change({ usedCode: pairingCode });
    const code = reply.kind === 'refused' ? String(reply.status) : '401';
    const problem =
      'it refuses the pairing: is terminalId its own? Have it show another code, set pairingCode, start again';
    return { connection: 'LOGINFAILED', code, problem };
  }

  function look(): Promise<Standing> {
    looking ??= lookOnce()
      // What the terminal gave us could not be written down.
      .catch((error: unknown) => set({ connection: 'UNKNOWN', code: null, problem: messageOf(error) }))
      .finally(() => {
        looking = null;
      });
    return looking;
  }

  async function keep(): Promise<void> {
    let failures = 0;
    while (!ending.signal.aborted) {
      if (!parts.isInUse()) await look();
      const isThere = standing.connection === 'CONNECTED' || standing.connection === 'ACTIVE';
      failures = isThere ? 0 : failures + 1;
      const ms = isThere
        ? timing.lookMs
        : backoffMs(failures, { firstMs: timing.retryMs, maxMs: timing.maxRetryMs });
      await pause(ms, undefined, { signal: ending.signal, ref: false }).catch(() => {});
    }
  }

  return {
    start() {
      keeping = keep();
    },
    async stop() {
      ending.abort();
      await keeping;
      set({ connection: 'DISCONNECTED', code: null, problem: 'stopped' });
    },
    standing: () => standing,
    look,
  };
}

function standingOf(reply: Reply<{ status: string }>): Standing {
  switch (reply.kind) {
    case 'ok':
      return reply.value.status === 'TERMINAL_AVAILABLE'
        ? { connection: 'CONNECTED', code: null, problem: null }
        : { connection: 'ACTIVE', code: reply.value.status, problem: 'it is busy' };
    case 'stranger':
      return { connection: 'LOGINFAILED', code: '401', problem: problemOf(reply) };
    case 'unreachable':
      return { connection: 'DISCONNECTED', code: null, problem: reply.problem };
    case 'refused':
      return { connection: 'UNKNOWN', code: String(reply.status), problem: problemOf(reply) };
    case 'lost':
      return { connection: 'UNKNOWN', code: null, problem: reply.problem };
    default:
      return reply satisfies never;
  }
}
