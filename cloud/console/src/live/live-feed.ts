import type { SiteBoardView } from '@hlid/cloud/integration/live/board-view';
import { randomUuid } from '@hlid/ui/random-uuid';
import { FIRST_STATE, type LiveState, nextLiveState } from './live-state.ts';
import { WatchedBoards } from './watched-boards.ts';

/** An event of the cloud's integration log, as `GET /events` streams it. */
export interface LiveChange {
  n: number;
  type: string;
  on: string;
  siteId: string | null;
  subject: { id: string; path: string };
}

/** The messages that the tab with the stream passes on to the others. */
type Passed =
  | { kind: 'change'; change: LiveChange }
  | { kind: 'board'; board: SiteBoardView }
  | { kind: 'reset' }
  | { kind: 'alive'; n: number }
  | { kind: 'lost' };

/** A tab's message to the others: the sites with the boards that it shows. */
interface Watching {
  kind: 'watching';
  tab: string;
  siteIds: readonly string[];
}

export interface LiveListener {
  onChange(change: LiveChange): void;
  /** Called when too many events were missed: the page must read everything again. */
  onReset(): void;
  onState(state: LiveState): void;
  /** The cloud does not take the stream up: the session may have ended. */
  onRefused(): void;
  onBoard(board: SiteBoardView): void;
}

/** Two and a half heartbeats of the cloud. */
const STALE_AFTER_MS = 25_000;
const CHECK_EVERY_MS = 1000;
const RETRY_MS = 2000;
const WATCHED_EVERY_MS = 20_000;
const LOCK = 'hlid.live.2';

function isLockable(): boolean {
  return 'locks' in navigator;
}

/**
 * The one stream of events of this browser. Browsers open about six connections to a host, so one tab holds
 * the stream (by a Web Lock) and passes it on to the others. Another tab takes over when that one is closed.
 * The stream has the boards of the sites that any of the tabs shows; it is opened again when these change,
 * and continues after its last event.
 */
export class LiveFeed {
  readonly #listener: LiveListener;
  readonly #channel = new BroadcastChannel(isLockable() ? 'hlid.live.2' : `hlid.live.2.${randomUuid()}`);
  readonly #ending = new AbortController();
  #stream: EventSource | null = null;
  #last: number | null = null;
  #state: LiveState = FIRST_STATE;
  #retry: ReturnType<typeof setTimeout> | undefined;
  readonly #tab = randomUuid();
  readonly #watched = new WatchedBoards();
  #shown: readonly string[] = [];
  #announcedAt = 0;
  /** The sites with a board in the stream. */
  #streamed = '';
  /** The newest board of each, for tabs that begin to show one. */
  readonly #boards = new Map<string, SiteBoardView>();

  constructor(listener: LiveListener) {
    this.#listener = listener;
  }

  start(): void {
    const { signal } = this.#ending;
    this.#channel.addEventListener('message', ({ data }: MessageEvent<Passed | Watching>) => {
      if (data.kind === 'watching') this.#takeWatched(data);
      else this.#take(data);
    });
    this.#announce();
    const lead = () =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        this.#open();
      });
    // Without TLS, under another name than localhost, browsers have no locks: each tab leads only itself.
    if (isLockable()) navigator.locks.request(LOCK, { signal }, lead).catch(() => undefined);
    else void lead();
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

  /** Sets the sites with a board on this tab. */
  showBoards(siteIds: readonly string[]): void {
    this.#shown = siteIds;
    this.#announce();
  }

  stop(): void {
    this.#channel.postMessage({ kind: 'watching', tab: this.#tab, siteIds: [] } satisfies Watching);
    this.#ending.abort();
    clearTimeout(this.#retry);
    this.#stream?.close();
    this.#channel.close();
  }

  #open(): void {
    // The lock may be granted after the end.
    if (this.#ending.signal.aborted) return;
    this.#stream?.close();
    this.#boards.clear();
    const siteIds = this.#watched.siteIds(Date.now());
    this.#streamed = siteIds.join();
    const query = new URLSearchParams({
      ...(this.#last !== null && { after: String(this.#last) }),
      ...(siteIds.length > 0 && { board: this.#streamed }),
    });
    const stream = new EventSource(`/events?${query}`);
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
    on('board', (data) => {
      const board = data as SiteBoardView;
      this.#boards.set(board.siteId, board);
      this.#pass({ kind: 'board', board });
    });
    stream.addEventListener('error', () => {
      this.#boards.clear();
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

  #announce(): void {
    if (this.#ending.signal.aborted) return;
    this.#announcedAt = Date.now();
    const watching: Watching = { kind: 'watching', tab: this.#tab, siteIds: this.#shown };
    this.#channel.postMessage(watching);
    this.#takeWatched(watching);
  }

  #takeWatched({ tab, siteIds }: Watching): void {
    const isNews = this.#watched.set(tab, siteIds, Date.now());
    if (this.#stream === null || !isNews) return;
    this.#openForWatched();
    if (tab === this.#tab || !this.#state.isConnected) return;
    // Another tab is new, or has come to other lanes.
    this.#channel.postMessage({ kind: 'alive', n: this.#last ?? 0 } satisfies Passed);
    for (const siteId of siteIds) {
      const board = this.#boards.get(siteId);
      if (board) this.#channel.postMessage({ kind: 'board', board } satisfies Passed);
    }
  }

  #openForWatched(): void {
    if (this.#watched.siteIds(Date.now()).join() !== this.#streamed) this.#open();
  }

  #check(): void {
    if (Date.now() - this.#announcedAt > WATCHED_EVERY_MS) this.#announce();
    if (this.#stream !== null) this.#openForWatched();
    const silent = Date.now() - this.#state.receivedAt > STALE_AFTER_MS;
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
    // This tab counts as far as the leading tab, so that it continues from there when it must lead.
    if (passed.kind === 'alive') this.#last = Math.max(this.#last ?? 0, passed.n);
    this.#change({ kind: passed.kind === 'lost' ? 'lost' : 'heard', at: Date.now() });
    if (passed.kind === 'change') this.#listener.onChange(passed.change);
    if (passed.kind === 'board') this.#listener.onBoard(passed.board);
    // Counts have no number: after a silence they are read again.
    if (passed.kind === 'reset' || (wasStale && !this.#state.isStale)) this.#listener.onReset();
  }

  #change(event: Parameters<typeof nextLiveState>[1]): void {
    const next = nextLiveState(this.#state, event);
    const isNews = next.isStale !== this.#state.isStale || next.isConnected !== this.#state.isConnected;
    this.#state = next;
    if (isNews) this.#listener.onState(next);
  }
}
