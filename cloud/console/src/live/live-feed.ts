import type { LiveState } from './live-state.ts';
import { FIRST_STATE, nextLiveState } from './live-state.ts';

/** An event of the cloud's integration log, as `GET /events` streams it. */
export interface LiveChange {
  n: number;
  type: string;
  on: string;
  siteId: string | null;
  subject: { id: string; path: string };
}

/** What a tab that holds the stream passes on to the others. */
type Passed =
  | { kind: 'change'; change: LiveChange }
  | { kind: 'reset' }
  | { kind: 'alive'; n: number }
  | { kind: 'lost' }
  | { kind: 'named'; type: string; data: unknown };

export interface LiveListener {
  onChange(change: LiveChange): void;
  /** Too much was missed: everything has to be read again. */
  onReset(): void;
  onState(state: LiveState): void;
  /** The cloud does not take the stream up: the session may have ended. */
  onRefused(): void;
  /** Events with a name of their own, such as boards of lanes. */
  onNamed(type: string, data: unknown): void;
}

/** Two and a half heartbeats of the cloud. */
const STALE_AFTER_MS = 25_000;
const CHECK_EVERY_MS = 1000;
const RETRY_MS = 2000;
const LOCK = 'hlid.live';

/**
 * The one stream of events of this browser: browsers open about six connections to a host, so one tab holds the stream
 * (by a Web Lock) and passes it on to the others, and another takes over when that tab is closed.
 */
export class LiveFeed {
  readonly #listener: LiveListener;
  readonly #channel = new BroadcastChannel('hlid.live');
  readonly #ending = new AbortController();
  #stream: EventSource | null = null;
  #last: number | null = null;
  #state: LiveState = FIRST_STATE;
  #retry: ReturnType<typeof setTimeout> | undefined;

  constructor(listener: LiveListener) {
    this.#listener = listener;
  }

  start(): void {
    const { signal } = this.#ending;
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Passed>) => this.#take(data));
    const lead = () =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        this.#open();
      });
    navigator.locks.request(LOCK, { signal }, lead).catch(() => undefined);
    const checking = setInterval(() => this.#check(), CHECK_EVERY_MS);
    signal.addEventListener('abort', () => clearInterval(checking), { once: true });
    // A laptop that was asleep has a dead connection that looks alive.
    for (const [target, event] of [
      [document, 'visibilitychange'],
      [window, 'online'],
    ] as const) {
      target.addEventListener(event, () => this.#wake(), { signal });
    }
  }

  stop(): void {
    this.#ending.abort();
    clearTimeout(this.#retry);
    this.#stream?.close();
    this.#channel.close();
  }

  #open(): void {
    this.#stream?.close();
    const after = this.#last === null ? '' : `?after=${this.#last}`;
    const stream = new EventSource(`/events${after}`);
    this.#stream = stream;
    const on = (type: string, act: (data: unknown, id: string) => void) =>
      stream.addEventListener(type, ({ data, lastEventId }: MessageEvent<string>) =>
        act(JSON.parse(data), lastEventId),
      );
    on('ready', (data) => {
      const { n, reset } = data as { n: number; reset: boolean };
      this.#last = Math.max(this.#last ?? 0, n);
      if (reset) this.#pass({ kind: 'reset' });
      this.#pass({ kind: 'alive', n });
    });
    on('change', (data) => this.#pass({ kind: 'change', change: data as LiveChange }));
    on('alive', () => this.#pass({ kind: 'alive', n: this.#last ?? 0 }));
    for (const type of NAMED) on(type, (data) => this.#pass({ kind: 'named', type, data }));
    stream.addEventListener('error', () => {
      this.#pass({ kind: 'lost' });
      // The browser tries again by itself, unless the answer was a refusal.
      if (stream.readyState !== EventSource.CLOSED) return;
      this.#listener.onRefused();
      this.#openSoon();
    });
  }

  #openSoon(): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      if (!this.#ending.signal.aborted) this.#open();
    }, RETRY_MS);
  }

  #wake(): void {
    if (document.visibilityState !== 'visible' || this.#stream === null) return;
    if (this.#state.isStale || this.#stream.readyState === EventSource.CLOSED) this.#open();
  }

  #check(): void {
    const silent = Date.now() - this.#state.heardAt > STALE_AFTER_MS;
    if (!silent || this.#state.isStale) return;
    this.#change({ kind: 'silent', at: Date.now() });
    if (this.#stream !== null) this.#open();
  }

  #pass(passed: Passed): void {
    this.#take(passed);
    this.#channel.postMessage(passed);
  }

  #take(passed: Passed): void {
    const wasStale = this.#state.isStale;
    if (passed.kind === 'change') this.#last = Math.max(this.#last ?? 0, passed.change.n);
    this.#change({ kind: passed.kind === 'lost' ? 'lost' : 'heard', at: Date.now() });
    if (passed.kind === 'change') this.#listener.onChange(passed.change);
    if (passed.kind === 'named') this.#listener.onNamed(passed.type, passed.data);
    // Boards and counts have no number: after a silence they are read again.
    if (passed.kind === 'reset' || (wasStale && !this.#state.isStale)) this.#listener.onReset();
  }

  #change(event: Parameters<typeof nextLiveState>[1]): void {
    const next = nextLiveState(this.#state, event);
    const isNews = next.isStale !== this.#state.isStale || next.isConnected !== this.#state.isConnected;
    this.#state = next;
    if (isNews) this.#listener.onState(next);
  }
}

/** Events that are no rows of the log. */
const NAMED: readonly string[] = ['board'];
