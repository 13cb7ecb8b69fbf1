import type { PayCard, PayEncryptedCard } from '@hlid/protocol/pay-api';

/** The card of the payment that is in progress: in memory only, and in no state that could be stored or shown. */
export class CardHolder {
  #card: PayCard | null = null;
  #encrypted: PayEncryptedCard | null = null;

  hold(card: PayCard): void {
    this.#card = card;
  }

  /** What stands for a card: made by the provider's script, or by its own field. */
  holdEncrypted(encrypted: PayEncryptedCard): void {
    this.#encrypted = encrypted;
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

  forget(): void {
    this.#card = null;
    this.#encrypted = null;
  }
}
