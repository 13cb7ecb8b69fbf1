import { wallClock } from '@hlid/protocol/base/site-time';
import { daySpan } from '../../platform/day-span.ts';
import type { NamedAccount, Span } from './entry-store.ts';
import type { DayOf } from './invoice-entries.ts';

/** The books of some sites. */
export interface BookScope {
  /** The time zone of each site. */
  zones: ReadonlyMap<string, string>;
  /** What is of no single site counts too. */
  hasShared: boolean;
  /** The accounts with providers and banks, by their ids. */
  accounts: ReadonlyMap<string, NamedAccount>;
}

type Places = Pick<BookScope, 'zones' | 'hasShared'>;

/** The clock by which the days of no site go. */
const NO_ZONE = 'UTC';

/** The day of a moment, by the clock of its site. */
export function dayIn({ zones }: Pick<BookScope, 'zones'>): DayOf {
  return (siteId, at) => wallClock(at, (siteId === null ? undefined : zones.get(siteId)) ?? NO_ZONE).date;
}

export function isIn({ zones, hasShared }: Places, siteId: string | null): boolean {
  return siteId === null ? hasShared : zones.has(siteId);
}

/** The span from the first beginning of the day to its last end, over all zones. */
export function spanOf({ zones, hasShared }: Places, day: string): Span {
  const all = new Set([...zones.values(), ...(hasShared ? [NO_ZONE] : [])]);
  const spans = [...all].map((zone) => daySpan(day, zone));
  return {
    from: spans.map(({ from }) => from).toSorted()[0] ?? day,
    before:
      spans
        .map(({ before }) => before)
        .toSorted()
        .at(-1) ?? day,
  };
}
