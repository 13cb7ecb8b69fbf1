interface Wish {
  siteIds: readonly string[];
  /** `Date.now()` */
  at: number;
}

/** A tab in the background says only about once a minute what it shows. */
const FORGET_AFTER_MS = 150_000;
/** As many as the cloud puts into one stream. */
const MAX_SITES = 50;

/** Which boards of lanes the tabs of this browser show: one of the tabs subscribes to all of them. */
export class BoardWishes {
  readonly #tabs = new Map<string, Wish>();

  /** @returns whether the tab shows others than before */
  set(tab: string, siteIds: readonly string[], at: number): boolean {
    const before = this.#tabs.get(tab)?.siteIds;
    this.#tabs.set(tab, { siteIds, at });
    return before === undefined || before.join() !== siteIds.join();
  }

  /** The sites of all tabs that are still there. */
  siteIds(at: number): string[] {
    for (const [tab, wish] of this.#tabs) {
      if (at - wish.at > FORGET_AFTER_MS) this.#tabs.delete(tab);
    }
    const all = [...this.#tabs.values()].flatMap(({ siteIds }) => siteIds);
    return [...new Set(all)].sort().slice(0, MAX_SITES);
  }
}
