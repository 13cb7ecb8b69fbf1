import type { PayCard, PayEncryptedCard } from '@hlid/protocol/pages/pay-api';

/** The parts of a card that may be kept from one try to the next. */
export type KeptCard = Pick<PayCard, 'number' | 'expire'>;

/** The card of the payment that is in progress: in memory only, and in no state that could be stored or shown. */
export class CardHolder {
  #card: PayCard | null = null;
  #kept: KeptCard | null = null;
  #encrypted: PayEncryptedCard | null = null;

  hold(card: PayCard): void {
    this.#card = card;
  }

  /** Keeps a card's replacement: made by the provider's script, or by its own field. */
  holdEncrypted(encrypted: PayEncryptedCard): void {
    this.#encrypted = encrypted;
  }

  /** The values that the form shows again after a try that failed; null: there was none. */
  get kept(): KeptCard | null {
    return this.#card ?? this.#kept;
  }

  /** The card; null: it was typed into the provider's field, or the page was reloaded since it was typed. */
  get card(): PayCard | null {
    return this.#card;
  }

  get encrypted(): PayEncryptedCard | null {
    return this.#encrypted;
  }

  /** Whether the card is held; false: the page was reloaded, and the card is lost. */
  get isHeld(): boolean {
    return this.#card !== null || this.#encrypted !== null;
  }

  /** Ends a try that failed: number and date need not be typed again. A security code is for one try. */
  endTry(): void {
    if (this.#card !== null) this.#kept = { number: this.#card.number, expire: this.#card.expire };
    this.#card = null;
    this.#encrypted = null;
  }

  forget(): void {
    this.#card = null;
    this.#kept = null;
    this.#encrypted = null;
  }
}
