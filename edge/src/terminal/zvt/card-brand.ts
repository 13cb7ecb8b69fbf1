import type { CardBrand } from '@hlid/protocol/payment';
import { brandOfApplication } from '../brand-of-application.ts';

/** Card types of field 8A. */
const TYPES: Readonly<Record<number, CardBrand>> = {
  6: 'mastercard',
  8: 'amex',
  10: 'visa',
  11: 'electron',
  46: 'maestro',
  232: 'discover',
};

/**
 * The application's id wins: terminals call a Debit Mastercard Maestro (46) by its type.
 *
 * @param aid in hexadecimal
 */
export function cardBrand(aid: string | null, cardType: number | null): CardBrand {
  const application = aid === null ? null : brandOfApplication(aid);
  if (application) return application;
  return (aid === null && cardType !== null && TYPES[cardType]) || 'other';
}
