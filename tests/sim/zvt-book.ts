import type { SimCard } from './zvt-cards.ts';

/** A payment, or its reversal, as the terminal has it stored. */
export interface ZvtEntry {
  receipt: number;
  trace: number;
  amountMinor: number;
  card: SimCard | null;
  /** UTC, ISO 8601. */
  at: string;
  /** The trace number of the sale that a reversal takes back; null: the entry is a sale. */
  originalTrace: number | null;
}

/** The movements of money since the simulation was started. */
export interface ZvtBook {
  /** Stored: the money is taken, unless it stands in `reversals` too. */
  sales: ZvtEntry[];
  reversals: ZvtEntry[];
  /** Approved by the bank and taken back by the terminal itself, before it was ever stored. */
  takenBack: ZvtEntry[];
  declined: number;
  /** Ends of day, with what each of them closed. */
  days: { count: number; amountMinor: number }[];
  /** The sum that has been charged in the end. */
  totalMinor(): number;
}

/** Keeps what a terminal remembers without power. */
export interface MemoryKeeper {
  read(): ZvtMemory | null;
  write(memory: ZvtMemory): void;
}

type ZvtMemory = {
  receipt: number;
  trace: number;
  newest: ZvtEntry | null;
  /** The bookings that no end of day has closed yet; only these can be reversed. */
  turnover: ZvtEntry[];
};

const LAST_RECEIPT = 9999;

export interface ZvtStore {
  book: ZvtBook;
  newest(): ZvtEntry | null;
  /** Approved, and not stored yet: has its numbers. */
  draft(amountMinor: number, card: SimCard | null, originalTrace?: number | null): ZvtEntry;
  store(entry: ZvtEntry): void;
  /** It was never stored: its numbers are free again. */
  forget(entry: ZvtEntry): void;
  findSale(receipt: number | null): ZvtEntry | null;
  isReversed(sale: ZvtEntry): boolean;
  /** Sales that stand, of the day. */
  standing(): ZvtEntry[];
  closeDay(): void;
}

/**
 * @param fresh it has never sold anything; otherwise it was tried with a sale of 1 when it was put up
 * @param keeper keeps what it remembers from one run to the next
 */
export function createZvtStore({
  fresh = false,
  keeper,
}: {
  fresh?: boolean;
  keeper?: MemoryKeeper;
}): ZvtStore {
  const memory: ZvtMemory = keeper?.read() ?? { receipt: 0, trace: 0, newest: null, turnover: [] };
  const sales: ZvtEntry[] = [];
  const reversals: ZvtEntry[] = [];
  const book: ZvtBook = {
    sales,
    reversals,
    takenBack: [],
    declined: 0,
    days: [],
    totalMinor: () => sum(sales) - sum(reversals),
  };

  function draft(amountMinor: number, card: SimCard | null, originalTrace: number | null = null): ZvtEntry {
    memory.receipt = memory.receipt === LAST_RECEIPT ? 1 : memory.receipt + 1;
    memory.trace++;
    const { receipt, trace } = memory;
    return { receipt, trace, amountMinor, card, at: new Date().toISOString(), originalTrace };
  }

  const isReversed = (sale: ZvtEntry) =>
    memory.turnover.some(({ originalTrace }) => originalTrace === sale.trace);
  const standing = () =>
    memory.turnover.filter((entry) => entry.originalTrace === null && !isReversed(entry));

  if (memory.newest === null && !fresh) memory.newest = draft(1, null);
  return {
    book,
    newest: () => memory.newest,
    draft,
    store(entry) {
      (entry.originalTrace === null ? sales : reversals).push(entry);
      memory.turnover.push(entry);
      memory.newest = entry;
      keeper?.write(memory);
    },
    forget(entry) {
      memory.receipt = entry.receipt - 1;
      memory.trace = entry.trace - 1;
    },
    findSale: (receipt) =>
      memory.turnover.find((entry) => entry.receipt === receipt && entry.originalTrace === null) ?? null,
    isReversed,
    standing,
    closeDay() {
      const kept = standing();
      book.days.push({ count: kept.length, amountMinor: sum(kept) });
      memory.turnover = [];
      keeper?.write(memory);
    },
  };
}

export function sum(entries: readonly ZvtEntry[]): number {
  return entries.reduce((total, { amountMinor }) => total + amountMinor, 0);
}
