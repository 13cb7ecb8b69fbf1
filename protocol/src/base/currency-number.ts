/** ISO 4217: the numbers of the currencies of Europe and its neighbours, as card terminals and providers use them. */
const NUMBERS: Readonly<Record<string, number>> = {
  AUD: 36,
  BGN: 975,
  CAD: 124,
  CHF: 756,
  CZK: 203,
  DKK: 208,
  EUR: 978,
  GBP: 826,
  HUF: 348,
  ISK: 352,
  JPY: 392,
  NOK: 578,
  PLN: 985,
  RON: 946,
  RSD: 941,
  SEK: 752,
  TRY: 949,
  UAH: 980,
  USD: 840,
};

/** Null: none of these. */
export function currencyNumber(currency: string): number | null {
  return NUMBERS[currency] ?? null;
}

export function currencyOfNumber(number: number): string | null {
  return Object.entries(NUMBERS).find(([, known]) => known === number)?.[0] ?? null;
}
