import { inspect } from 'node:util';
import { CARD_BRANDS } from '@hlid/protocol/pages/card-brands';
import type { CardBrand, ReceiptCard } from '@hlid/protocol/records/payment';
import cardValidator from 'card-validator';

/** How many years ahead a card may expire. */
const MAX_YEARS_AHEAD = 19;
const SHOWN = '[card]';

const RECEIPT_BRANDS: Readonly<Record<string, CardBrand>> = {
  visa: 'visa',
  mastercard: 'mastercard',
  'american-express': 'amex',
  discover: 'discover',
  maestro: 'maestro',
};

/** The brand that a receipt shows, by a number or its first digits. */
export function receiptBrand(digits: string): CardBrand {
  return RECEIPT_BRANDS[cardValidator.number(digits).card?.type ?? ''] ?? 'other';
}

/** The mistakes of a card: the fields of the specification's `Card`. */
export type CardMistake = 'number' | 'brand' | 'expire' | 'ccv';

/**
 * A card as a driver typed it. It lives in memory for one request: it can be neither logged nor stored, since every way
 * to make a text of it gives `[card]`.
 */
export class Card {
  readonly #number: string;
  readonly #securityCode: string | null;
  readonly #month: number;
  readonly #year: number;
  readonly brand: string;

  private constructor(
    number: string,
    securityCode: string | null,
    month: number,
    year: number,
    brand: string,
  ) {
    this.#number = number;
    this.#securityCode = securityCode;
    this.#month = month;
    this.#year = year;
    this.brand = brand;
  }

  /** @returns all mistakes, where there are some */
  static read(typed: {
    number: string;
    ccv?: string | undefined;
    /** Month and year, such as `12/30`. */
    expire: string;
  }): Card | { mistakes: CardMistake[] } {
    const number = cardValidator.number(typed.number);
    const brand = CARD_BRANDS.find((one) => one === number.card?.type);
    const expiry = cardValidator.expirationDate(typed.expire, MAX_YEARS_AHEAD);
    const codeSize = number.card?.code.size ?? 3;
    const hasCode = typed.ccv !== undefined;
    const mistakes: CardMistake[] = [];
    if (!number.isValid) mistakes.push('number');
    else if (brand === undefined) mistakes.push('brand');
    if (!expiry.isValid) mistakes.push('expire');
    if (hasCode && !cardValidator.cvv(typed.ccv, codeSize).isValid) mistakes.push('ccv');
    if (mistakes.length > 0 || brand === undefined) return { mistakes };
    const digits = typed.number.replace(/\D/g, '');
    const year = Number(expiry.year);
    return new Card(digits, typed.ccv ?? null, Number(expiry.month), year < 100 ? 2000 + year : year, brand);
  }

  /** The number, for the body of a request to a provider and nothing else. */
  get number(): string {
    return this.#number;
  }

  /** Null: the driver gave none. */
  get securityCode(): string | null {
    return this.#securityCode;
  }

  /** 1 to 12. */
  get expiryMonth(): number {
    return this.#month;
  }

  /** Four digits. */
  get expiryYear(): number {
    return this.#year;
  }

  /** `YYYY-MM`. */
  get expires(): string {
    return `${this.#year}-${String(this.#month).padStart(2, '0')}`;
  }

  get lastFour(): string {
    return this.#number.slice(-4);
  }

  /** The details that a receipt shows and a row may have. */
  receiptCard(): ReceiptCard {
    return { type: RECEIPT_BRANDS[this.brand] ?? 'other', lastFour: this.lastFour };
  }

  toJSON(): string {
    return SHOWN;
  }

  toString(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
