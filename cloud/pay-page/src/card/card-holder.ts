import type { PayCard, PayEncryptedCard } from '@hlid/protocol/pages/pay-api';

/** What may be kept of a card from one try to the next. */
export type KeptCard = Pick<PayCard, 'number' | 'expire'>;

/** The card of the payment that is in progress: in memory only, and in no state that could be stored or shown. */
export class CardHolder {
  #card: PayCard | null = null;
  #kept: KeptCard | null = null;
  #encrypted: PayEncryptedCard | null = null;

  hold(card: PayCard): void {
    this.#card = card;
  }

  /** What stands for a card: made by the provider's script, or by its own field. */
  holdEncrypted(encrypted: PayEncryptedCard): void {
    this.#encrypted = encrypted;
  }

  /** What the form shows again after a try that failed; null: there was none. */
  get kept(): KeptCard | null {
    return this.#card ?? this.#kept;
  }

  /** Null: it was typed into the provider's field, or the page was loaded anew since it was typed. */
  get card(): PayCard | null {
    return this.#card;
  }

  get encrypted(): PayEncryptedCard | null {
    return this.#encrypted;
  }

  /** False: the page was loaded anew, and nobody has the card any more. */
  get isHeld(): boolean {
    return this.#card !== null || this.#encrypted !== null;
  }

  /** After a try that failed: number and date need not be typed again. A security code is for one try. */
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
