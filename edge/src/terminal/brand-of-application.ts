import type { CardBrand } from '@hlid/protocol/records/payment';

/** The brands by the beginning of the application's id on the chip, the longest first. */
const APPLICATIONS: readonly (readonly [prefix: string, brand: CardBrand])[] = [
  ['a0000000032010', 'electron'],
  ['a0000000031010', 'visa'],
  ['a0000000041010', 'mastercard'],
  ['a0000000043060', 'maestro'],
  ['a000000025', 'amex'],
  ['a000000152', 'discover'],
];

/**
 * Null: an application that we do not know.
 *
 * @param aid of the chip's application (EMV tag 4F), in hexadecimal
 */
export function brandOfApplication(aid: string): CardBrand | null {
  const small = aid.toLowerCase();
  return APPLICATIONS.find(([prefix]) => small.startsWith(prefix))?.[1] ?? null;
}
