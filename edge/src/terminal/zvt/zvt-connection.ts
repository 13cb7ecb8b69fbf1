import { anySignal } from '@hlid/node/deadline';
import { pause } from '@hlid/node/pause';
import { SerialQueue } from '@hlid/node/serial-queues';
import { backoffMs } from '@hlid/protocol/base/backoff';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import type { TerminalConnection, TerminalStatus } from '../terminal.ts';
import type { ApduLine, ApduLink, LineListener } from './apdu-line.ts';
import { type CommandRunner, type DialogueEnd, Dialogues, type DialogueTiming } from './dialogue.ts';
import { endDay } from './end-day.ts';
import { checkTerminal, type LoginStatus, logIn, needsEndOfDay } from './log-in.ts';
import { RESULT } from './result-codes.ts';
import { logOff } from './zvt-commands.ts';
import type { ZvtOptions } from './zvt-options.ts';

export interface ConnectionTiming {
  /** The first pause before another try to connect; they double. */
  retryMs: number;
  maxRetryMs: number;
  /**
   * The pause between two checks of a busy terminal; for one that needs a person the pauses double from
   * there.
   */
  busyMs: number;
  /** The pause between two checks of an idle terminal; PA00P015 allows about one a minute. */
  checkMs: number;
  /**
   * The time after which a terminal that asks for its end of day gets it: before that it can be asked about a
   * payment.
   */
  endOfDayMs: number;
}

export const CONNECTION_TIMING: ConnectionTiming = {
  retryMs: 1000,
  maxRetryMs: 30_000,
  busyMs: 2000,
  checkMs: MINUTE_MS,
  endOfDayMs: 2 * MINUTE_MS,
};

/** A terminal that has been logged in to. */
export interface Session {
  dialogues: CommandRunner;
  terminalId: string | null;
}

type State = Pick<TerminalStatus, 'connection' | 'code' | 'problem'>;

/** One line to the terminal, from its opening to its end. */
interface OpenLine extends Session {
  dialogues: Dialogues;
  line: ApduLine;
  /** Aborted at the end of the line, and of everything on it. */
  over: AbortController;
  registered: boolean;
}

/** How long a terminal may take to answer a log-off. */
const LOG_OFF_MS = 1000;

/** Keeps a terminal connected and logged in, and checks it now and then while it is idle. */
export class ZvtConnection {
  readonly #link: ApduLink;
  readonly #options: ZvtOptions & { currency: string };
  readonly #dialogueTiming: DialogueTiming;
  readonly #timing: ConnectionTiming;
  readonly #onChange: () => void;
  readonly #ending = new AbortController();
  #state: State = { connection: 'DISCONNECTED', code: null, problem: 'not connected yet' };
  #open: OpenLine | null = null;
  #inUse: Dialogues | null = null;
  /** The dialogues with the terminal, one after the other. */
  readonly #queue = new SerialQueue();
  #keeping: Promise<void> = Promise.resolve();
  #failures = 0;
  #stopping = false;
  #dayCloseRequestedAt: number | null = null;
  /** Ends the pause before the next check, or before the next try to connect. */
  #wake = () => {};
  /** Callers of `check`, to the end of the next attempt. */
  readonly #waiting: (() => void)[] = [];

  constructor(parts: {
    link: ApduLink;
    options: ZvtOptions & { currency: string };
    dialogueTiming: DialogueTiming;
    timing: ConnectionTiming;
    onChange(): void;
  }) {
    this.#link = parts.link;
    this.#options = parts.options;
    this.#dialogueTiming = parts.dialogueTiming;
    this.#timing = parts.timing;
    this.#onChange = parts.onChange;
  }

  start(): void {
    this.#keeping = this.#keep();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    // A check is not waited for.
    if (!this.#inUse) this.#open?.dialogues.lose('stopping');
    await this.#queue.run(async () => {
      const open = this.#open?.registered && !this.#open.over.signal.aborted ? this.#open : null;
      if (open)
        await Promise.race([
          open.dialogues.runToAnswer(logOff()),
          pause(LOG_OFF_MS, { signal: open.over.signal, ref: false }),
        ]);
      this.#ending.abort();
    });
    await this.#keeping;
    this.#set({ connection: 'DISCONNECTED', code: null, problem: 'stopped' });
  }

  state(): State {
    const isAtWork = this.#inUse !== null && this.#state.connection === 'CONNECTED';
    return isAtWork ? { ...this.#state, connection: 'ACTIVE' } : this.#state;
  }

  /**
   * Does something with the terminal, alone. Null: there is no login, or the terminal is in use; a check of
   * the terminal is waited for.
   */
  use<T>(work: (session: Session) => Promise<T>, wants: 'ready' | 'registered'): Promise<T | null> {
    if (this.#inUse) return Promise.resolve(null);
    return this.#queue.run(async () => {
      const open = this.#open;
      const isUsable = wants === 'ready' ? this.#state.connection === 'CONNECTED' : open?.registered === true;
      if (this.#inUse || !open || open.over.signal.aborted || !isUsable) return null;
      this.#inUse = open.dialogues;
      this.#onChange();
      try {
        return await work(open);
      } finally {
        this.#inUse = null;
        this.#onChange();
        // The problem may be over, such as a day that was not closed.
        if (this.#state.connection !== 'CONNECTED') this.#wake();
      }
    });
  }

  /** Connects or checks now. Resolves when its outcome is the state; at once while the terminal is in use. */
  check(): Promise<void> {
    if (this.#inUse || this.#stopping) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      this.#wake();
    });
  }

  /** Aborts what `use` does now, if it does anything. */
  abort(): void {
    this.#inUse?.abort();
  }

  /** Leaves the line as it is, whatever is under way on it, and connects again. */
  renew(problem: string): void {
    if (this.#open) this.#giveUp(this.#open, 'UNKNOWN', problem);
  }

  #set({ connection, code, problem }: State): void {
    const before = this.#state;
    this.#state = { connection, code, problem };
    const isSame = connection === before.connection && code === before.code && problem === before.problem;
    if (!isSame) this.#onChange();
  }

  async #keep(): Promise<void> {
    const { signal } = this.#ending;
    const { retryMs, maxRetryMs } = this.#timing;
    while (!signal.aborted) {
      await this.#connectOnce();
      if (signal.aborted) return;
      if (this.#waiting.length > 0) continue;
      await this.#sleepUntilWoken(backoffMs(this.#failures, { firstMs: retryMs, maxMs: maxRetryMs }), signal);
    }
  }

  /** An attempt has ended: its outcome is the state. */
  #noteAttempt(): void {
    for (const settle of this.#waiting.splice(0)) settle();
  }

  async #connectOnce(): Promise<void> {
    this.#failures++;
    const { place } = this.#link;
    let open: OpenLine | null = null;
    let line: ApduLine;
    try {
      const listener: LineListener = {
        onApdu: (apdu) => open?.dialogues.receive(apdu),
        onClosed: (problem) => open && this.#giveUp(open, 'DISCONNECTED', `${place}: ${problem}`),
      };
      line = await this.#link.open(listener, this.#ending.signal);
    } catch (error) {
      this.#set({ connection: 'DISCONNECTED', code: null, problem: `${place}: ${messageOf(error)}` });
      this.#noteAttempt();
      return;
    }
    const dialogues = new Dialogues(
      line,
      this.#dialogueTiming,
      (end) => open && this.#afterCommand(open, end),
    );
    open = { dialogues, terminalId: null, line, over: new AbortController(), registered: false };
    this.#open = open;
    this.#set({ connection: 'NOTLOGGEDIN', code: null, problem: null });
    try {
      await this.#attend(open);
    } finally {
      this.#open = null;
      dialogues.lose('the connection has ended');
      await line.close();
    }
  }

  /** Logs in, and checks the terminal until the line ends or is of no use. */
  async #attend(open: OpenLine): Promise<void> {
    const signal = anySignal([this.#ending.signal, open.over.signal]);
    let isLoggedIn = false;
    let troubles = 0;
    while (!signal.aborted) {
      const login = await this.#queue.run(() =>
        isLoggedIn ? checkTerminal(open.dialogues, this.#options) : logIn(open.dialogues, this.#options),
      );
      if (signal.aborted) return this.#noteAttempt();
      if (hasTerminalId(login) && login.registered) open.terminalId = login.terminalId;
      open.registered = login.registered;
      this.#set(login);
      this.#noteAttempt();
      const { connection, registered } = login;
      if (!registered && connection !== 'ACTIVE') return;
      isLoggedIn = registered;
      if (connection === 'CONNECTED') this.#failures = 0;
      await this.#closeDayIfRequested(open, login.code);
      troubles = connection === 'UNKNOWN' ? troubles + 1 : 0;
      if (this.#waiting.length === 0)
        await this.#sleepUntilWoken(this.#pauseOf(connection, troubles), signal);
    }
  }

  #pauseOf(connection: TerminalConnection, troubles: number): number {
    const { checkMs, busyMs } = this.#timing;
    return connection === 'CONNECTED' ? checkMs : backoffMs(troubles, { firstMs: busyMs, maxMs: checkMs });
  }

  async #sleepUntilWoken(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await pause(ms, { signal: anySignal([signal, woken.signal]), ref: false });
  }

  async #closeDayIfRequested({ dialogues }: OpenLine, code: string | null): Promise<void> {
    if (!needsEndOfDay(code)) {
      this.#dayCloseRequestedAt = null;
      return;
    }
    this.#dayCloseRequestedAt ??= performance.now();
    if (performance.now() - this.#dayCloseRequestedAt < this.#timing.endOfDayMs) return;
    this.#dayCloseRequestedAt = null;
    await this.#queue.run(() => endDay(dialogues, this.#options.currency, this.#options));
  }

  /** A command without an end, and a terminal that does not know us any more, need a new line and a new login. */
  #afterCommand(open: OpenLine, end: DialogueEnd): void {
    if (this.#stopping) return;
    if (end.kind === 'lost') this.#giveUp(open, end.line ? 'DISCONNECTED' : 'UNKNOWN', end.problem);
    if ((end.kind === 'refused' || end.kind === 'aborted') && end.code === RESULT.notRegistered) {
      this.#giveUp(open, 'NOTLOGGEDIN', 'it does not know us any more');
    }
  }

  #giveUp({ over, dialogues }: OpenLine, connection: TerminalConnection, problem: string): void {
    if (over.signal.aborted) return;
    over.abort();
    this.#set({ connection, code: null, problem });
    dialogues.lose(problem);
  }
}

function hasTerminalId(login: Omit<LoginStatus, 'terminalId'>): login is LoginStatus {
  return 'terminalId' in login;
}
