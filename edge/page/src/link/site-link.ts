import type { BoardState } from '@hlid/edge/local-api/lane-routes';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type BoardEvent, listenToBoard, nextState } from './board-events.ts';
import { type Access, readAccess } from './calls.ts';

/** The state of the site, as this page knows it. */
export interface SiteView {
  /** Null: nothing yet. */
  state: BoardState | null;
  /** When the state came, by a monotonic clock. */
  cameAt: number;
  access: Access;
  /** The time of the last event if the connection is lost, by this computer's clock. */
  lostSince: string | null;
}

/** The connection to the gate computer: what it shows, and what this page may do. */
export class SiteLink {
  readonly #listeners = new Set<() => void>();
  readonly #ending = new AbortController();
  #view: SiteView = {
    state: null,
    cameAt: 0,
    access: { mayView: true, mayAct: true, hasSession: false },
    lostSince: null,
  };
  #lastEventAt = new Date();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): SiteView => this.#view;

  async start(): Promise<void> {
    if (!(await this.updateAccess())) return;
    listenToBoard(
      (event) => this.#receive(event),
      () => {
        this.#change({ lostSince: this.#view.lostSince ?? this.#lastEventAt.toISOString() });
        return this.updateAccess();
      },
      this.#ending.signal,
    );
  }

  stop(): void {
    this.#ending.abort();
  }

  /** @returns whether the page may show the lanes, as far as is known */
  async updateAccess(): Promise<boolean> {
    const access = (await readAccess()) ?? this.#view.access;
    this.#change(access.mayView ? { access } : { access, state: null });
    return access.mayView;
  }

  #receive(event: BoardEvent): void {
    this.#lastEventAt = new Date();
    const state = nextState(this.#view.state, event);
    const hasTime = event.name !== 'link' && event.name !== 'devices';
    const cameAt = hasTime ? performance.now() : this.#view.cameAt;
    this.#change({ state, cameAt, lostSince: null });
    // A daemon that answers again may be a newer one.
    if (event.name === 'state') void this.updateAccess();
  }

  #change(change: Partial<SiteView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** The state of the site, refreshed while the page is shown. */
export function useSiteLink(): { link: SiteLink; view: SiteView } {
  const [link] = useState(() => new SiteLink());
  useEffect(() => {
    void link.start();
    return () => link.stop();
  }, [link]);
  return { link, view: useSyncExternalStore(link.subscribe, link.view) };
}

const TICK_MS = 1000;

/** The site's time, as `Date.now()`. It stands still while the connection is lost. */
export function useSiteTime({ state, cameAt, lostSince }: SiteView): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const ticking = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(ticking);
  }, []);
  if (state === null) return Date.now();
  return Date.parse(state.at) + (lostSince === null ? Math.max(0, now - cameAt) : 0);
}
