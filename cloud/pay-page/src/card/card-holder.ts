import type { PayCard } from '@hlid/protocol/pay-api';
import { digitsOf, type TypedCard } from './card-rules.ts';

/** The card of the payment that is in progress: in memory only, and in no state that could be stored or shown. */
export class CardHolder {
  #card: PayCard | null = null;

  hold({ number, expire, ccv }: TypedCard): void {
    this.#card = { number: digitsOf(number), expire, ccv: digitsOf(ccv) };
  }

  /** Null: the page was loaded anew since it was typed. */
  get card(): PayCard | null {
    return this.#card;
  }

  forget(): void {
    this.#card = null;
  }
}
