import type { SimCard } from './zvt-cards.ts';

/** A card, the red key, or nothing until the terminal gives up. */
export type AtSlot = SimCard | 'cancel' | 'nobody';

/** The place at which cards are held to a simulated terminal. */
export interface CardSlot {
  /** Whether it waits for a card. */
  isOpen(): boolean;
  /** The card that is held to it, or will be; null: none came, or the red key was pressed. */
  next(): Promise<SimCard | null>;
  /** Kept for the next time where none is asked for yet. */
  present(card: SimCard): void;
  /** No card will come. */
  refuse(): void;
  /** Takes the card out of the slot. */
  empty(): void;
}

export function createCardSlot({
  later,
  cardMs,
  byItself,
}: {
  later: (ms: number) => Promise<void>;
  cardMs: number;
  byItself: { afterMs: number; card: () => AtSlot } | null;
}): CardSlot {
  let held: SimCard | null = null;
  let wanted: ((card: SimCard | null) => void) | null = null;

  async function wait(): Promise<SimCard | null> {
    const card = await new Promise<SimCard | null>((resolve) => {
      wanted = resolve;
      void later(cardMs).then(() => resolve(null));
      if (!byItself) return;
      void later(byItself.afterMs).then(() => {
        if (wanted !== resolve) return;
        const card = byItself.card();
        if (card !== 'nobody') resolve(card === 'cancel' ? null : card);
      });
    });
    wanted = null;
    return card;
  }

  return {
    isOpen: () => wanted !== null,
    async next() {
      const card = held;
      held = null;
      return card ?? (await wait());
    },
    present(card) {
      if (wanted) wanted(card);
      else held = card;
    },
    refuse: () => wanted?.(null),
    empty() {
      held = null;
    },
  };
}
