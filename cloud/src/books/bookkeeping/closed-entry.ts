import { deflateSync, inflateSync } from 'node:zlib';
import { BOOK_ROLES } from '@hlid/protocol/base/book-roles';
import { VAT_CATEGORIES } from '@hlid/protocol/base/vat';
import { z } from 'zod';
import type { BookkeepingPlans } from './bookkeeping-plan.ts';
import { compareEntries, ENTRY_KINDS, type Entry, type Leg, useKey, vatDetail } from './entry.ts';

/** A leg with the account that it was booked to; null: none was set then. */
export interface ClosedLeg extends Leg {
  account: string | null;
  vatCode: string | null;
}

/** An entry as it was when its day was closed. */
export interface ClosedEntry extends Omit<Entry, 'legs'> {
  /** The day to which it belongs: a correction belongs to an earlier day than the close in which it stands. */
  ofDay: string;
  legs: ClosedLeg[];
  /** The code of the site; null: of several. */
  code: string | null;
  /** The address of its document. */
  link: string;
}

const ClosedEntriesSchema: z.ZodType<ClosedEntry[]> = z.array(
  z.strictObject({
    kind: z.enum(ENTRY_KINDS),
    day: z.string(),
    ofDay: z.string(),
    siteId: z.string().nullable(),
    id: z.string(),
    number: z.string(),
    creditOf: z.string().nullable(),
    path: z.string(),
    currency: z.string(),
    code: z.string().nullable(),
    link: z.string(),
    legs: z.array(
      z.strictObject({
        use: z.strictObject({ role: z.enum(BOOK_ROLES), details: z.array(z.string()) }),
        amountMinor: z.int(),
        vat: z.strictObject({ category: z.enum(VAT_CATEGORIES).nullable(), rate: z.number() }).nullable(),
        account: z.string().nullable(),
        vatCode: z.string().nullable(),
      }),
    ),
  }),
);

export function packEntries(entries: readonly ClosedEntry[]): Uint8Array {
  return deflateSync(JSON.stringify(entries));
}

export function unpackEntries(packed: Uint8Array | ArrayBuffer): ClosedEntry[] {
  return ClosedEntriesSchema.parse(JSON.parse(inflateSync(packed).toString()));
}

/** What a closed entry names beside the entry itself. */
export interface ClosedFrame {
  plans: BookkeepingPlans;
  codes: ReadonlyMap<string, string>;
  linkTo: (siteId: string | null, path: string) => string;
}

/** The entries of a day, with their accounts as they are now. */
export function closedEntries(entries: readonly Entry[], frame: ClosedFrame): ClosedEntry[] {
  return entries.map((entry) => closedEntry(entry, entry.day, frame)).toSorted(compareClosed);
}

function closedEntry(entry: Entry, ofDay: string, { plans, codes, linkTo }: ClosedFrame): ClosedEntry {
  const { siteId, path } = entry;
  const legs = entry.legs.map((leg): ClosedLeg => {
    const line = plans.lineFor(siteId, leg.use);
    return { ...leg, account: line?.account ?? null, vatCode: line?.vatCode ?? null };
  });
  const code = siteId === null ? null : (codes.get(siteId) ?? null);
  return { ...entry, ofDay, legs, code, link: linkTo(siteId, path) };
}

/**
 * What has changed in the entries of a closed day since it was booked, as entries of a later day: what was booked wrongly
 * is taken back on the account to which it was booked, and what is new is booked.
 *
 * @param booked all that has been booked for that day until now, corrections included
 * @param now the entries of that day as they are now
 * @param day the day of the close in which the corrections stand
 */
export function corrections(
  booked: readonly ClosedEntry[],
  now: readonly ClosedEntry[],
  day: string,
): ClosedEntry[] {
  const all = new Map<string, { shown: ClosedEntry; legs: Map<string, ClosedLeg> }>();
  const add = (entry: ClosedEntry, sign: 1 | -1) => {
    const key = JSON.stringify([entry.kind, entry.id, entry.siteId, entry.currency]);
    const known = all.get(key) ?? { shown: entry, legs: new Map<string, ClosedLeg>() };
    all.set(key, known);
    for (const leg of entry.legs) {
      const legKey = `${useKey(leg.use)} ${leg.vat === null ? '' : vatDetail(leg.vat)}`;
      const before = known.legs.get(legKey);
      // The account of what was booked first holds: a change of accounts corrects nothing.
      known.legs.set(legKey, {
        ...(before ?? leg),
        amountMinor: (before?.amountMinor ?? 0) + sign * leg.amountMinor,
      });
    }
  };
  for (const entry of booked) add(entry, -1);
  for (const entry of now) add(entry, 1);
  return [...all.values()]
    .flatMap(({ shown, legs }): ClosedEntry[] => {
      const left = [...legs.values()].filter(({ amountMinor }) => amountMinor !== 0);
      return left.length === 0 ? [] : [{ ...shown, day, legs: left }];
    })
    .toSorted(compareClosed);
}

/** The order in which closed entries are exported. */
export function compareClosed(one: ClosedEntry, other: ClosedEntry): number {
  const [a, b] = [one, other].map((entry) => ({ ...entry, day: `${entry.day} ${entry.ofDay}` }));
  return a === undefined || b === undefined ? 0 : compareEntries(a, b);
}
