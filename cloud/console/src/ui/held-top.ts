/** The row of a list that is shown first. */
export interface HeldTop {
  /** The key of the list. */
  list: string;
  /** The id of the first row that is shown. */
  top: string | null;
  /** Rows are shown as they come until the list begins with another row than this one. */
  until?: string | null;
}

/** The list as it is now. `isOld`: it is still the list that was shown before. */
export interface ListNow {
  list: string;
  ids: readonly string[];
  isOld: boolean;
}

/** The row that is shown first now; the same object if nothing changes. */
export function nextTop(held: HeldTop, { list, ids, isOld }: ListNow): HeldTop {
  const top = ids[0] ?? null;
  const isNewList = held.list !== list && !isOld;
  const hasNext = held.until !== undefined && held.until !== top;
  const shown = isNewList || hasNext ? { list, top } : held;
  // The row that was at the top is gone, or there was none: what is there now is shown.
  const isGone = shown.top === null || !ids.includes(shown.top);
  return isGone && !isOld && top !== null ? { ...shown, top } : shown;
}
