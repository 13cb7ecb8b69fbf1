import { bytesOf, joinBytes } from '@hlid/edge/terminal/zvt/bcd-frame';
import { writeDigits } from '@hlid/edge/terminal/zvt/field-frame';

/** A card that is held to a simulated terminal. The numbers are the schemes' own for tests. */
export interface SimCard {
  number: string;
  name: string;
  /** The id of the application on the chip. */
  aid: string;
  /** The card type of field 8A. */
  type: number;
  /** The bank's response code; 00 approves. */
  answer: number;
  /** The terminal sends number and track as they are, as some do. */
  unmasked?: boolean;
  /** Whether it requires a PIN first. */
  pin?: boolean;
}

export const CARDS = {
  visa: { number: '4111111111111111', name: 'VISA', aid: 'a0000000031010', type: 10, answer: 0 },
  mastercard: {
    number: '5555555555554444',
    name: 'Debit Mastercard',
    aid: 'a0000000041010',
    type: 46,
    answer: 0,
    pin: true,
  },
  amex: { number: '378282246310005', name: 'AMERICAN EXPRESS', aid: 'a00000002501', type: 8, answer: 0 },
  refused: { number: '4000000000000002', name: 'VISA', aid: 'a0000000031010', type: 10, answer: 0x05 },
  expired: { number: '4000000000000069', name: 'VISA', aid: 'a0000000031010', type: 10, answer: 0x78 },
  unmasked: {
    number: '4242424242424242',
    name: 'VISA',
    aid: 'a0000000031010',
    type: 10,
    answer: 0,
    unmasked: true,
  },
} as const satisfies Record<string, SimCard>;

/** Field 22: the number, or E for all but its last four digits. */
export function panField(card: SimCard): Uint8Array {
  const { number, unmasked } = card;
  const digits = unmasked ? number : number.slice(-4).padStart(number.length, 'E');
  const packed = bytesOf(digits.length % 2 === 0 ? digits : `${digits}F`);
  return joinBytes([0x22], writeDigits(packed.length, 2), packed);
}

/** Field 23, from terminals that send what they should not; as it stands on the stripe. */
export function trackField({ number, unmasked }: SimCard): Uint8Array {
  if (!unmasked) return new Uint8Array();
  const track = `${number}D30122010000012300000`;
  const packed = bytesOf(track.length % 2 === 0 ? track : `${track}F`);
  return joinBytes([0x23], writeDigits(packed.length, 2), packed);
}
