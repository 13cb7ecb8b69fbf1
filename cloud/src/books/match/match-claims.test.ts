import { dayAfter } from '@hlid/protocol/base/calendar-day';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLAIM_LATE_DAYS, type EntryOfBank, type MovementToMatch, matchClaims } from './match-claims.ts';

const CLAIMANT = '5501012020';
const FIRST_DAY = '2026-11-02';
/** No sum of parts of some is a part of another. */
const AMOUNTS = [1_000_003, 1_300_021, 1_700_021, 2_300_003].map((prime) => prime * 16);

/** What happens to a claim on a day. */
const HAPPENINGS = ['nothing', 'nothing', 'short', 'whole', 'reversed'] as const;
/** How a bank books a day: entry by entry, or all in one, which it names or counts. */
const MANNERS = ['alone', 'named', 'counted'] as const;

const worlds = fc
  .array(
    fc.record({
      happenings: fc.tuple(...AMOUNTS.map(() => fc.constantFrom(...HAPPENINGS))),
      manner: fc.constantFrom(...MANNERS),
      late: fc.nat({ max: CLAIM_LATE_DAYS }),
      notations: fc.tuple(...AMOUNTS.map(() => fc.nat({ max: 5 }))),
      /** The statement lacks the entries of the day. */
      isMissing: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map(worldOf);

interface World {
  movements: MovementToMatch[];
  /** The entries that banks have booked, each with what it is. */
  truth: { entry: EntryOfBank; of: MovementToMatch[] }[];
  /** Movements of which the statement has nothing. */
  missing: MovementToMatch[];
  /** Entries that are no claim of ours. */
  strangers: EntryOfBank[];
}

type Day = {
  happenings: readonly (typeof HAPPENINGS)[number][];
  manner: (typeof MANNERS)[number];
  late: number;
  notations: readonly number[];
  isMissing: boolean;
};

function worldOf(days: readonly Day[]): World {
  const world: World = { movements: [], truth: [], missing: [], strangers: [] };
  /** The payments of each claim that stand, the last one at the end. */
  const paid = AMOUNTS.map((): number[] => []);
  for (const [n, { happenings, manner, late, notations, isMissing }] of days.entries()) {
    const day = dayAfter(FIRST_DAY, n);
    const booked = happenings.flatMap((happening, claim) => {
      const amount = amountOf(happening, paid[claim] ?? [], AMOUNTS[claim] ?? 0);
      return amount === 0 ? [] : [movementOf(claim, day, amount)];
    });
    world.movements.push(...booked);
    if (isMissing) {
      world.missing.push(...booked);
      continue;
    }
    const bookedOn = dayAfter(day, late);
    const together = manner === 'alone' || booked.length < 2 ? booked.map((one) => [one]) : [booked];
    for (const [place, of] of together.entries()) {
      const entry = entryOf(`e ${n} ${place}`, bookedOn, of, { manner, notations });
      world.truth.push({ entry, of });
    }
    // The same amount without a name, and the name of another branch.
    const [some] = booked;
    if (some !== undefined) {
      const plain = entryOf(`s ${n}`, bookedOn, [some], { manner: 'counted', notations });
      world.strangers.push(
        { ...plain, transactions: 1 },
        { ...plain, key: `t ${n}`, text: otherBranch(some) },
      );
    }
  }
  return world;
}

function amountOf(happening: Day['happenings'][number], paid: number[], whole: number): number {
  const left = whole - paid.reduce((sum, amount) => sum + amount, 0);
  switch (happening) {
    case 'nothing':
      return 0;
    case 'short':
    case 'whole': {
      const amount = happening === 'whole' ? left : Math.floor(left / 2);
      if (amount > 0) paid.push(amount);
      return amount;
    }
    case 'reversed':
      return 0 - (paid.pop() ?? 0);
    default:
      return happening satisfies never;
  }
}

function movementOf(claim: number, day: string, depositedMinor: number): MovementToMatch {
  const account = `01336600000${claim + 1}`;
  return { key: `m ${claim} ${day}`, claimantId: CLAIMANT, account, currency: 'ISK', depositedMinor, day };
}

function otherBranch({ account }: MovementToMatch): string {
  return `Innborgun ${account.replace(/^0133/, '0134')}`;
}

/** The ways in which banks write the same claim. */
function written({ account }: MovementToMatch, notation: number): Partial<EntryOfBank> {
  const parts = [account.slice(0, 4), account.slice(4, 6), account.slice(6)];
  switch (notation) {
    case 0:
      return { reference: account.slice(6) };
    case 1:
      return { endToEndId: account };
    case 2:
      return { reference: parts.join('-') };
    case 3:
      return { text: `Krafa ${parts.join(' ')}, Æðey ehf.` };
    case 4:
      return { reference: `${CLAIMANT}${account}+20261201` };
    default:
      return { text: `${CLAIMANT.slice(0, 6)}-${CLAIMANT.slice(6)} ${account}` };
  }
}

function entryOf(
  key: string,
  bookedOn: string,
  of: readonly MovementToMatch[],
  { manner, notations }: Pick<Day, 'manner' | 'notations'>,
): EntryOfBank {
  const amountMinor = of.reduce((sum, { depositedMinor }) => sum + depositedMinor, 0);
  const none = { reference: null, endToEndId: null, text: null };
  const [first] = of;
  const isBatch = of.length > 1;
  const names = isBatch
    ? manner === 'named'
      ? { text: of.map(({ account }) => account).join(' ') }
      : {}
    : first !== undefined && !key.startsWith('s')
      ? written(first, notations[Number(first.account.slice(-1)) - 1] ?? 0)
      : {};
  return {
    key,
    amountMinor,
    currency: 'ISK',
    bookedOn,
    ...none,
    ...names,
    transactions: isBatch ? of.length : null,
  };
}

describe('claims and the entries of a bank', () => {
  it('are matched, whole, short, reversed or all of a day in one, whatever the bank writes', () => {
    fc.assert(
      fc.property(worlds, ({ movements, truth, missing, strangers }) => {
        const entries = [...strangers, ...truth.map(({ entry }) => entry)];
        const found = matchClaims(entries, movements);
        const byKey = new Map(movements.map((movement) => [movement.key, movement]));
        const worth = (keys: readonly string[]) =>
          keys
            .map((key) => byKey.get(key))
            .map((one) => `${one?.account} ${one?.depositedMinor}`)
            .sort();
        // A claim may be paid the same amount twice: which of both it is does not count.
        for (const { entry, of } of truth) {
          expect(worth(found.get(entry.key) ?? [])).toEqual(worth(of.map(({ key }) => key)));
        }
        for (const { key } of strangers) expect(found.has(key)).toBe(false);
        const matched = [...found.values()].flat();
        expect(new Set(matched).size).toBe(matched.length);
        const left = movements.filter(({ key }) => !matched.includes(key)).map(({ key }) => key);
        expect(worth(left)).toEqual(worth(missing.map(({ key }) => key)));
      }),
      { numRuns: 1000 },
    );
  });

  it('are matched alike in whatever order they stand', () => {
    fc.assert(
      fc.property(worlds, ({ movements, truth, strangers }) => {
        const entries = [...strangers, ...truth.map(({ entry }) => entry)];
        const turned = matchClaims(entries.toReversed(), movements.toReversed());
        const sorted = (found: Map<string, readonly string[]>) =>
          [...found].map(([key, of]) => [key, [...of].sort()]).sort();
        expect(sorted(turned)).toEqual(sorted(matchClaims(entries, movements)));
      }),
    );
  });

  it('are not matched to another amount, currency or day, nor twice', () => {
    const movement = movementOf(0, FIRST_DAY, 5000);
    const entry = entryOf('e', FIRST_DAY, [movement], { manner: 'alone', notations: [1] });
    const isMatched = (change: Partial<EntryOfBank>) =>
      matchClaims([{ ...entry, ...change }], [movement]).has('e');
    expect(isMatched({})).toBe(true);
    expect(isMatched({ amountMinor: 4999 })).toBe(false);
    expect(isMatched({ amountMinor: -5000 })).toBe(false);
    expect(isMatched({ currency: 'EUR' })).toBe(false);
    expect(isMatched({ bookedOn: dayAfter(FIRST_DAY, -1) })).toBe(false);
    expect(isMatched({ bookedOn: dayAfter(FIRST_DAY, CLAIM_LATE_DAYS + 1) })).toBe(false);
    expect([...matchClaims([entry, { ...entry, key: 'again' }], [movement]).values()].flat()).toHaveLength(1);
  });
});
