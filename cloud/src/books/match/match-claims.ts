import { dayAfter } from '@hlid/protocol/base/calendar-day';
import { groupBy } from '../../platform/group-by.ts';

/** Money of a claim at a bank: below zero, it was taken back. */
export interface MovementToMatch {
  key: string;
  /** The company that the claim belongs to, which is paid alone. */
  claimantId: string;
  /** Branch, ledger and number of the claim, twelve digits. */
  account: string;
  currency: string;
  /** What reaches the account. */
  depositedMinor: number;
  /** `YYYY-MM-DD`. */
  day: string;
}

/** An entry of a bank that is no payout of a provider. */
export interface EntryOfBank {
  key: string;
  amountMinor: number;
  currency: string;
  bookedOn: string;
  reference: string | null;
  endToEndId: string | null;
  text: string | null;
  /** How many payments it is; null: the bank does not say. */
  transactions: number | null;
}

/** A bank books what was paid of a claim on that day or so many days later: there are long weekends. */
export const CLAIM_LATE_DAYS = 4;

/** In which order entries choose, and which of several movements they get. No single way is right for all statements. */
interface Way {
  /** Entries that can only be a whole day choose before the others. */
  daysFirst: boolean;
  /** Of equal movements, the one that can wait least; else the newest. */
  oldestFirst: boolean;
}

const WAYS: readonly Way[] = [true, false].flatMap((oldestFirst) =>
  [false, true].map((daysFirst) => ({ daysFirst, oldestFirst })),
);

/**
 * Matches entries of banks to what claims were paid and to what was taken back. An entry is one movement that it names, or
 * all movements of a day together. Each movement has one entry at most, as many entries as possible are matched, and the
 * order does not count.
 *
 * @returns the movements by the key of their entry
 */
export function matchClaims(
  entries: readonly EntryOfBank[],
  movements: readonly MovementToMatch[],
): Map<string, readonly string[]> {
  const named = entries
    .map((entry) => ({ ...entry, names: namesIn(entry) }))
    .filter(({ names, transactions }) => names.size > 0 || (transactions ?? 0) > 1)
    .sort((one, other) => byText(one.bookedOn, other.bookedOn) || byText(one.key, other.key));
  const inOrder = [...movements].sort(
    (one, other) => byText(one.day, other.day) || byText(one.key, other.key),
  );
  let best = new Map<string, readonly string[]>();
  for (const way of WAYS) {
    const found = new ClaimMatching(named, inOrder, way).found();
    if (found.size > best.size) best = found;
  }
  return best;
}

interface NamedEntry extends EntryOfBank {
  /** The numbers of claims in its texts: of twelve digits, or the last six. */
  names: ReadonlySet<string>;
}

class ClaimMatching {
  readonly #entries: readonly NamedEntry[];
  readonly #open: Map<string, MovementToMatch>;
  readonly #way: Way;
  readonly #matches = new Map<string, readonly string[]>();

  constructor(entries: readonly NamedEntry[], movements: readonly MovementToMatch[], way: Way) {
    this.#entries = entries;
    const inOrder = way.oldestFirst ? movements : movements.toReversed();
    this.#open = new Map(inOrder.map((movement) => [movement.key, movement]));
    this.#way = way;
  }

  found(): Map<string, readonly string[]> {
    const isDay = (entry: NamedEntry) => this.#aloneIn(entry) === null;
    const first = this.#way.daysFirst ? this.#entries.filter(isDay) : [];
    for (const entry of first) this.#match(entry, this.#dayIn(entry));
    for (const entry of this.#entries) {
      if (!this.#matches.has(entry.key)) this.#match(entry, this.#aloneIn(entry) ?? this.#dayIn(entry));
    }
    return this.#matches;
  }

  #match({ key }: EntryOfBank, movements: readonly MovementToMatch[] | null): void {
    if (movements === null) return;
    this.#matches.set(
      key,
      movements.map((movement) => movement.key),
    );
    for (const movement of movements) this.#open.delete(movement.key);
  }

  /** The movement that an entry names. */
  #aloneIn(entry: NamedEntry): [MovementToMatch] | null {
    for (const movement of this.#open.values()) {
      const isSame = movement.depositedMinor === entry.amountMinor;
      if (isSame && isPossible(entry, movement) && isNamed(entry, movement)) return [movement];
    }
    return null;
  }

  /** The movements of a day that come to an entry: those that it names, or as many as it says that it is. */
  #dayIn(entry: NamedEntry): MovementToMatch[] | null {
    const possible = [...this.#open.values()].filter((movement) => isPossible(entry, movement));
    const named = possible.filter((movement) => isNamed(entry, movement));
    const days = groupBy(
      named.length > 0 ? named : possible,
      ({ day, claimantId }) => `${day} ${claimantId}`,
    );
    for (const movements of days.values()) {
      const sum = movements.reduce((total, { depositedMinor }) => total + depositedMinor, 0);
      const isWhole = named.length > 0 || movements.length === entry.transactions;
      if (movements.length > 1 && isWhole && sum === entry.amountMinor) return movements;
    }
    return null;
  }
}

function isPossible({ currency, bookedOn }: EntryOfBank, movement: MovementToMatch): boolean {
  const { day } = movement;
  return currency === movement.currency && bookedOn >= day && bookedOn <= dayAfter(day, CLAIM_LATE_DAYS);
}

/** The national id of its company may stand before a claim's branch, ledger and number. */
const CLAIM = /(?<!\d)(?:\d{6}-?\d{4}[-\s]?)?(\d{4})[-\s]?(66)[-\s]?(\d{6})(?!\d)/g;
const NUMBER = /^\d{6}$/;
const NUMBER_LENGTH = 6;

/** What a bank names in the texts of an entry; a number alone stands in a reference, and nothing else with it. */
function namesIn({ reference, endToEndId, text }: EntryOfBank): Set<string> {
  const names = new Set<string>();
  for (const one of [reference, endToEndId, text]) {
    for (const [, branch, ledger, number] of one?.matchAll(CLAIM) ?? []) {
      names.add(`${branch}${ledger}${number}`);
    }
  }
  for (const one of [reference, endToEndId])
    if (one !== null && NUMBER.test(one.trim())) names.add(one.trim());
  return names;
}

function isNamed({ names }: NamedEntry, { account }: MovementToMatch): boolean {
  return names.has(account) || names.has(account.slice(-NUMBER_LENGTH));
}

function byText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
