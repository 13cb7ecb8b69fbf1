import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '@hlid/protocol/backoff';
import { messageOf } from '@hlid/protocol/fault';
import type { TerminalConnection, TerminalStatus } from '../terminal.ts';
import type { ApduLine, ApduLink } from './apdu-line.ts';
import { createDialogues, type Dialogues, type DialogueTiming } from './dialogue.ts';
import { endDay } from './end-day.ts';
import { logIn, lookAt, needsEndOfDay, type Standing } from './log-in.ts';
import { RESULT } from './result-codes.ts';
import { logOff } from './zvt-commands.ts';
import type { ZvtOptions } from './zvt-options.ts';

export interface ConnectionTiming {
  /** The first pause before another try to connect; they double. */
  retryMs: number;
  maxRetryMs: number;
  /** Between two looks at a terminal that is busy; at one that needs somebody, the pauses double from there. */
  busyMs: number;
  /** Between two looks at one that has nothing to do; PA00P015 wants no more than about one a minute. */
  lookMs: number;
  /** A terminal that asks for its end of day gets it after so long: until then somebody may want to ask it first. */
  endOfDayMs: number;
}

export const CONNECTION_TIMING: ConnectionTiming = {
  retryMs: 1000,
  maxRetryMs: 30_000,
  busyMs: 2000,
  lookMs: 60_000,
  endOfDayMs: 120_000,
};

/** A terminal that has been logged in to. */
export interface Session {
  dialogues: Dialogues;
  terminalId: string | null;
}

export interface ZvtConnection {
  start(): void;
  stop(): Promise<void>;
  state(): Pick<TerminalStatus, 'connection' | 'code' | 'problem'>;
  /**
   * Does something with the terminal, alone. Null where there is no login, or it is at work for somebody else; a look
   * at how it is is waited for.
   */
  use<T>(work: (session: Session) => Promise<T>, wants: 'ready' | 'registered'): Promise<T | null>;
  /** To what `use` is at now; null: nothing. */
  inUse(): Dialogues | null;
  /** Leaves the line as it is, whatever is under way on it, and begins anew. */
  renew(problem: string): void;
}

/** So long a terminal may take to answer a log-off. */
const LOG_OFF_MS = 1000;

interface Parts {
  link: ApduLink;
  options: ZvtOptions & { currency: string };
  dialogueTiming: DialogueTiming;
  timing: ConnectionTiming;
  onChange(): void;
}

/** Keeps a terminal connected and logged in, and looks after it while nobody uses it. */
export function createZvtConnection({
  link,
  options,
  dialogueTiming,
  timing,
  onChange,
}: Parts): ZvtConnection {
  const ending = new AbortController();
  let state: ReturnType<ZvtConnection['state']> = {
    connection: 'DISCONNECTED',
    code: null,
    problem: 'not connected yet',
  };
  /** Of the line of now; its end is the end of everything on it. */
  let session: (Session & { line: ApduLine; over: AbortController; registered: boolean }) | null = null;
  let using: Dialogues | null = null;
  /** Whoever talks to the terminal, one after the other. */
  let turn: Promise<unknown> = Promise.resolve();
  let keeping: Promise<void> = Promise.resolve();
  let failures = 0;
  let stopping = false;
  let dayAskedSince: number | null = null;
  /** Looks at the terminal at once. */
  let wake = () => {};

  function set({ connection, code, problem }: typeof state): void {
    const next = { connection, code, problem };
    const same =
      next.connection === state.connection && next.code === state.code && next.problem === state.problem;
    state = next;
    if (!same) onChange();
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = turn.then(work);
    turn = done.catch(() => {});
    return done;
  }

  async function keep(): Promise<void> {
    while (!ending.signal.aborted) {
      await connectOnce();
      if (ending.signal.aborted) return;
      const limits = { firstMs: timing.retryMs, maxMs: timing.maxRetryMs };
      await sleep(backoffMs(failures, limits), ending.signal);
    }
  }

  async function connectOnce(): Promise<void> {
    failures++;
    const over = new AbortController();
    let line: ApduLine;
    let dialogues: Dialogues | null = null;
    try {
      const listener = {
        onApdu: (apdu: Uint8Array) => dialogues?.take(apdu),
        onClosed(problem: string) {
          if (dialogues) giveUp(over, dialogues, 'DISCONNECTED', `${link.place}: ${problem}`);
        },
      };
      line = await link.open(listener, ending.signal);
    } catch (error) {
      set({ connection: 'DISCONNECTED', code: null, problem: `${link.place}: ${messageOf(error)}` });
      return;
    }
    dialogues = renewing(createDialogues(line, dialogueTiming), over);
    session = { dialogues, terminalId: null, line, over, registered: false };
    set({ connection: 'NOTLOGGEDIN', code: null, problem: null });
    try {
      await attend(session);
    } finally {
      session = null;
      dialogues.lose('the connection has ended');
      await line.close();
    }
  }

  /** Until the line ends, or is of no use. */
  async function attend(own: NonNullable<typeof session>): Promise<void> {
    const signal = AbortSignal.any([ending.signal, own.over.signal]);
    let loggedIn = false;
    let troubles = 0;
    while (!signal.aborted) {
      const standing = await inTurn(() =>
        loggedIn ? lookAt(own.dialogues, options) : logIn(own.dialogues, options),
      );
      if (signal.aborted) return;
      if ('terminalId' in standing && isStanding(standing)) own.terminalId = standing.terminalId;
      own.registered = standing.registered;
      set(standing);
      const { connection, registered } = standing;
      if (!registered && connection !== 'ACTIVE') return;
      loggedIn = registered;
      if (connection === 'CONNECTED') failures = 0;
      await closeDayIfAsked(own, standing.code);
      troubles = connection === 'UNKNOWN' ? troubles + 1 : 0;
      await sleepUntilWoken(pauseOf(connection, troubles), signal);
    }
  }

  function pauseOf(connection: TerminalConnection, troubles: number): number {
    if (connection === 'CONNECTED') return timing.lookMs;
    return backoffMs(troubles, { firstMs: timing.busyMs, maxMs: timing.lookMs });
  }

  async function sleepUntilWoken(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    wake = () => woken.abort();
    await sleep(ms, AbortSignal.any([signal, woken.signal]));
  }

  function isStanding(standing: Omit<Standing, 'terminalId'>): standing is Standing {
    return standing.registered;
  }

  async function closeDayIfAsked(own: NonNullable<typeof session>, code: string | null): Promise<void> {
    if (!needsEndOfDay(code)) {
      dayAskedSince = null;
      return;
    }
    dayAskedSince ??= performance.now();
    if (performance.now() - dayAskedSince < timing.endOfDayMs) return;
    dayAskedSince = null;
    await inTurn(() => endDay(own.dialogues, options.currency, options));
  }

  /** What had no end, and a terminal that does not know us any more, want a new line and a new login. */
  function renewing(dialogues: Dialogues, over: AbortController): Dialogues {
    return {
      ...dialogues,
      async run(command, events) {
        const end = await dialogues.run(command, events);
        if (stopping) return end;
        if (end.kind === 'lost') giveUp(over, dialogues, end.line ? 'DISCONNECTED' : 'UNKNOWN', end.problem);
        if ((end.kind === 'refused' || end.kind === 'aborted') && end.code === RESULT.notRegistered) {
          giveUp(over, dialogues, 'NOTLOGGEDIN', 'it does not know us any more');
        }
        return end;
      },
    };
  }

  function giveUp(
    over: AbortController,
    dialogues: Dialogues,
    connection: TerminalConnection,
    problem: string,
  ): void {
    if (over.signal.aborted) return;
    over.abort();
    set({ connection, code: null, problem });
    dialogues.lose(problem);
  }

  return {
    start() {
      keeping = keep();
    },
    async stop() {
      stopping = true;
      // A look at it is not waited for.
      if (!using) session?.dialogues.lose('stopping');
      await inTurn(async () => {
        const own = session?.registered && !session.over.signal.aborted ? session : null;
        if (own) await Promise.race([own.dialogues.tell(logOff()), sleep(LOG_OFF_MS, own.over.signal)]);
        ending.abort();
      });
      await keeping;
      set({ connection: 'DISCONNECTED', code: null, problem: 'stopped' });
    },
    state: () => (using && state.connection === 'CONNECTED' ? { ...state, connection: 'ACTIVE' } : state),
    use(work, wants) {
      if (using) return Promise.resolve(null);
      return inTurn(async () => {
        const usable = wants === 'ready' ? state.connection === 'CONNECTED' : session?.registered === true;
        if (using || !session || session.over.signal.aborted || !usable) return null;
        using = session.dialogues;
        onChange();
        try {
          return await work(session);
        } finally {
          using = null;
          onChange();
          // What was wrong with it may be so no more: its day was closed, say.
          if (state.connection !== 'CONNECTED') wake();
        }
      });
    },
    inUse: () => using,
    renew(problem) {
      if (session) giveUp(session.over, session.dialogues, 'UNKNOWN', problem);
    },
  };
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await pause(ms, undefined, { signal, ref: false }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
