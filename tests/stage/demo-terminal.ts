import type { MemoryKeeper } from '../sim/zvt-book.ts';
import { CARDS, type SimCard } from '../sim/zvt-cards.ts';
import { startZvtTerminal, type ZvtTerminal } from '../sim/zvt-terminal.ts';

/** What the site calls its card terminal. */
export const DEMO_TERMINAL = 'pos-1';

/** People who pay hold their cards to it by themselves, one kind of card after the other. */
const DECK: readonly SimCard[] = [CARDS.visa, CARDS.mastercard, CARDS.amex];

const TEXTS = {
  'Karte bitte': 'Present card',
  'Bitte PIN eingeben': 'Enter PIN',
  'Bitte warten': 'Please wait',
  'Augenblick bitte': 'One moment',
};

/** A card terminal over TCP (ZVT), about as fast as a real one. */
export function startDemoTerminal(keeper: MemoryKeeper): Promise<ZvtTerminal> {
  let paid = 0;
  return startZvtTerminal({
    ...{ keeper, texts: TEXTS, paceMs: 120, bankMs: 1500, pinMs: 2500 },
    byItself: { afterMs: 4000, card: () => DECK[paid++ % DECK.length] ?? CARDS.visa },
  });
}
