import { MAX_BOARDS } from '@hlid/protocol/base/limits';

interface Watching {
  siteIds: readonly string[];
  /** `Date.now()` */
  at: number;
}

/** A tab in the background reports its boards only about once a minute. */
const FORGET_AFTER_MS = 150_000;

/** The boards of lanes that the tabs of this browser show: one of the tabs subscribes to all of them. */
export class WatchedBoards {
  readonly #tabs = new Map<string, Watching>();

  /** @returns whether the tab shows others than before */
  set(tab: string, siteIds: readonly string[], at: number): boolean {
    const before = this.#tabs.get(tab)?.siteIds;
    this.#tabs.set(tab, { siteIds, at });
    return before === undefined || before.join() !== siteIds.join();
  }

  /** The sites of all tabs that are still there. */
  siteIds(at: number): string[] {
    for (const [tab, watching] of this.#tabs) {
      if (at - watching.at > FORGET_AFTER_MS) this.#tabs.delete(tab);
    }
    const all = [...this.#tabs.values()].flatMap(({ siteIds }) => siteIds);
    return [...new Set(all)].sort().slice(0, MAX_BOARDS);
  }
}
