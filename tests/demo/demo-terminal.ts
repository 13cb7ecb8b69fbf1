import { readFileSync, rmSync } from 'node:fs';
import type { MemoryKeeper } from '../sim/zvt-book.ts';
import type { AtSlot } from '../sim/zvt-card-slot.ts';
import { CARDS, type SimCard } from '../sim/zvt-cards.ts';
import { startZvtTerminal, type ZvtTerminal } from '../sim/zvt-terminal.ts';

/** The id of the site's card terminal. */
export const DEMO_TERMINAL = 'pos-1';

/** People who pay hold their cards to it by themselves, one kind of card after the other. */
const DECK: readonly SimCard[] = [CARDS.visa, CARDS.mastercard, CARDS.amex];

/** How the next payment ends, by the word in the file `next-card`. */
const ENDINGS: ReadonlyMap<string, AtSlot> = new Map<string, AtSlot>([
  ['decline', CARDS.refused],
  ['expired', CARDS.expired],
  ['cancel', 'cancel'],
  ['timeout', 'nobody'],
]);

const TEXTS = {
  'Karte bitte': 'Present card',
  'Bitte PIN eingeben': 'Enter PIN',
  'Bitte warten': 'Please wait',
  'Augenblick bitte': 'One moment',
};

interface DemoTerminalOptions {
  keeper: MemoryKeeper;
  /** A word of `ENDINGS` in this file is how the next payment ends; then the file is removed. */
  nextCard: string;
  /** The time until a driver holds a card to it. */
  afterMs?: number;
  /** The time until the terminal gives up. */
  cardMs?: number;
  /** How long the bank takes to approve. */
  bankMs?: number;
  /** 0 or nothing: a free one. */
  port?: number;
}

/** A card terminal over TCP (ZVT), about as fast as a real one. */
export function startDemoTerminal(options: DemoTerminalOptions): Promise<ZvtTerminal> {
  const { keeper, nextCard, afterMs = 4000, cardMs = 20_000, bankMs = 1500, port = 0 } = options;
  let paid = 0;
  return startZvtTerminal({
    keeper,
    port,
    texts: TEXTS,
    cardMs,
    paceMs: 120,
    bankMs,
    pinMs: 2500,
    byItself: { afterMs, card: () => takeEnding(nextCard) ?? DECK[paid++ % DECK.length] ?? CARDS.visa },
  });
}

/** The same with a switch: while it is off, nothing answers at its address. */
export async function startSwitchedTerminal(options: DemoTerminalOptions) {
  let terminal: ZvtTerminal | null = await startDemoTerminal(options);
  const { config, port } = terminal;
  return {
    config,
    async switchOff() {
      const off = terminal;
      terminal = null;
      await off?.close();
    },
    async switchOn() {
      terminal ??= await startDemoTerminal({ ...options, port });
    },
  };
}

function takeEnding(file: string): AtSlot | undefined {
  try {
    const word = readFileSync(file, 'utf8').trim();
    rmSync(file);
    return ENDINGS.get(word);
  } catch {
    // There is no such file as a rule.
    return undefined;
  }
}
