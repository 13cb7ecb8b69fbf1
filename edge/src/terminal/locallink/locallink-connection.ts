import { pause } from '@hlid/node/pause';
import { backoffMs } from '@hlid/protocol/base/backoff';
import { messageOf } from '@hlid/protocol/base/fault';
import type { TerminalStatus } from '../terminal.ts';
import { type LocallinkCalls, problemOf, type Reply } from './locallink-calls.ts';
import type { TerminalMemory } from './terminal-memory.ts';

export interface ConnectionTiming {
  /** The pause between two checks of a connected terminal. */
  checkMs: number;
  /** The first pause before another try where it is not; they double. */
  retryMs: number;
  maxRetryMs: number;
}

export const CONNECTION_TIMING: ConnectionTiming = { checkMs: 15_000, retryMs: 1000, maxRetryMs: 30_000 };

export type LoginStatus = Pick<TerminalStatus, 'connection' | 'code' | 'problem'>;

const UNPAIRED: LoginStatus = {
  connection: 'NOTLOGGEDIN',
  code: null,
  problem: 'it is not paired: set pairingCode to the code that the terminal shows, and start again',
};

/** Pairs with the terminal if needed, and checks it now and then while it is idle. */
export class LocallinkConnection {
  readonly #calls: LocallinkCalls;
  readonly #memory: TerminalMemory;
  readonly #pairingCode: string | undefined;
  readonly #timing: ConnectionTiming;
  readonly #isInUse: () => boolean;
  readonly #onChange: () => void;
  readonly #ending = new AbortController();
  #login: LoginStatus = { connection: 'DISCONNECTED', code: null, problem: 'not connected yet' };
  #keeping: Promise<void> = Promise.resolve();
  #checking: Promise<LoginStatus> | null = null;

  constructor(parts: {
    calls: LocallinkCalls;
    memory: TerminalMemory;
    pairingCode: string | undefined;
    timing: ConnectionTiming;
    /** Whether another task uses the terminal, and reports its state. */
    isInUse(): boolean;
    onChange(): void;
  }) {
    this.#calls = parts.calls;
    this.#memory = parts.memory;
    this.#pairingCode = parts.pairingCode;
    this.#timing = parts.timing;
    this.#isInUse = () => parts.isInUse();
    this.#onChange = () => parts.onChange();
  }

  start(): void {
    this.#keeping = this.#keep();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#keeping;
    this.#set({ connection: 'DISCONNECTED', code: null, problem: 'stopped' });
  }

  login(): LoginStatus {
    return this.#login;
  }

  /** Checks the terminal at once. */
  check(): Promise<LoginStatus> {
    this.#checking ??= this.#checkOnce()
      // The terminal's token could not be written.
      .catch((error: unknown) => this.#set({ connection: 'UNKNOWN', code: null, problem: messageOf(error) }))
      .finally(() => {
        this.#checking = null;
      });
    return this.#checking;
  }

  #set(next: LoginStatus): LoginStatus {
    const { connection, code, problem } = this.#login;
    const isSame = next.connection === connection && next.code === code && next.problem === problem;
    this.#login = next;
    if (!isSame) this.#onChange();
    return next;
  }

  async #checkOnce(): Promise<LoginStatus> {
    if (this.#memory.get().token === null) {
      const refused = await this.#pair();
      if (refused) return this.#set(refused);
    }
    const reply = await this.#calls.status();
    if (reply.kind !== 'stranger') return this.#set(loginStatusOf(reply));
    this.#memory.change({ token: null });
    const refused = await this.#pair();
    return this.#set(refused ?? loginStatusOf(await this.#calls.status()));
  }

  /**
   * A code works once. A used one is not tried again, so that the terminal does not lock us out. Null: it is
   * paired.
   */
  async #pair(): Promise<LoginStatus | null> {
    const pairingCode = this.#pairingCode;
    if (pairingCode === undefined) return UNPAIRED;
    if (this.#memory.get().usedCode === pairingCode) {
      const problem =
        'it does not know us, and its pairing code has been used: have it show another, set pairingCode, start again';
      return { connection: 'LOGINFAILED', code: null, problem };
    }
    const reply = await this.#calls.pair(pairingCode);
    if (reply.kind === 'ok') {
      this.#memory.change({ token: reply.value.authToken, usedCode: pairingCode });
      return null;
    }
    if (reply.kind === 'unreachable' || reply.kind === 'lost') return loginStatusOf(reply);
    this.#memory.change({ usedCode: pairingCode });
    const code = reply.kind === 'refused' ? String(reply.status) : '401';
    const problem =
      'it refuses the pairing: is terminalId its own? Have it show another code, set pairingCode, start again';
    return { connection: 'LOGINFAILED', code, problem };
  }

  async #keep(): Promise<void> {
    const { checkMs, retryMs, maxRetryMs } = this.#timing;
    const { signal } = this.#ending;
    let failures = 0;
    while (!signal.aborted) {
      if (!this.#isInUse()) await this.check();
      const { connection } = this.#login;
      const isThere = connection === 'CONNECTED' || connection === 'ACTIVE';
      failures = isThere ? 0 : failures + 1;
      const ms = isThere ? checkMs : backoffMs(failures, { firstMs: retryMs, maxMs: maxRetryMs });
      await pause(ms, { signal, ref: false });
    }
  }
}

function loginStatusOf(reply: Reply<{ status: string }>): LoginStatus {
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
