import { joinBytes } from './bcd-frame.ts';
import type { Field } from './field-frame.ts';
import { attempt } from './misread.ts';
import { isConstructed, readTlv, type TlvDraft, type TlvObject, writeTlv } from './tlv-frame.ts';

const CARD_NUMBER = 0x22;
const TLV_FIELD = 0x06;
/** Tracks 1 to 3, chip data and the printed code. */
const SECRETS: ReadonlySet<number> = new Set([0x23, 0x24, 0x2d, 0x2e, 0x3a]);

/** EMV's own tags of a card number and its tracks. */
export const CARD_TAGS: ReadonlySet<string> = new Set(['5A', '56', '57', '9F1F', '9F20', '9F6B']);

/** All that a driver needs; anything else a terminal reports of a card is not for it. */
const WANTED: ReadonlySet<number> = new Set([
  0x04, 0x06, 0x0b, 0x0c, 0x0d, 0x19, 0x22, 0x27, 0x29, 0x37, 0x3b, 0x49, 0x60, 0x87, 0x88, 0x8a,
]);

/** The shortest card number (ISO/IEC 7812): shorter numbers are bank accounts, as old terminals send them. */
const SHORTEST = 12;

/** How many digits of a card number may be shown at each end (PCI DSS 3.4.1). */
const SHOWN_FIRST = 6;
const SHOWN_LAST = 4;

/**
 * Removes card data from a message before any other code reads it: a card's number keeps its last four
 * digits. A container that cannot be read is left out: what it adds is worth no sale.
 */
export function withoutCard(fields: readonly Field[]): Field[] {
  return fields
    .filter(({ id }) => WANTED.has(id))
    .flatMap((field) => {
      if (field.id === CARD_NUMBER) return { ...field, value: masked(field.value, 0) };
      if (field.id !== TLV_FIELD) return field;
      const container = attempt(() => withoutCardTags(field.value));
      return container.ok ? { ...field, value: container.value } : [];
    });
}

function withoutCardTags(container: Uint8Array): Uint8Array {
  const kept = (objects: readonly TlvObject[]): TlvDraft[] =>
    objects
      .filter(({ tag, children }) => !CARD_TAGS.has(tag) && (children !== null || !isConstructed(tag)))
      .map(({ tag, value, children }) => [tag, children ? kept(children) : value]);
  return writeTlv(kept(readTlv(container)));
}

/**
 * Masks a card number for people who read a message: its first six and last four digits are shown, as on
 * receipts.
 */
export function maskCard(fields: readonly Field[]): Field[] {
  return fields.map((field) => {
    const isCard = field.id === CARD_NUMBER && numberOf(field.value).length >= SHORTEST;
    return isCard || SECRETS.has(field.id) ? { ...field, value: masked(field.value, SHOWN_FIRST) } : field;
  });
}

/** Digits become E, the nibble that masks; a separator (D) of a track and what pads (F) stay. */
function masked(value: Uint8Array, shownFirst: number): Uint8Array {
  const nibbles = nibblesIn(value);
  const end = numberOf(value).length;
  const shown = nibbles.map((nibble, at) => {
    const isShown = at < end && (at < shownFirst || at >= end - SHOWN_LAST) && end > shownFirst + SHOWN_LAST;
    return nibble <= 9 && !isShown ? 0x0e : nibble;
  });
  return joinBytes(value.map((_, at) => ((shown[at * 2] ?? 0) << 4) | (shown[at * 2 + 1] ?? 0)));
}

/** Up to a separator (D), or what pads it (F). */
function numberOf(value: Uint8Array): number[] {
  const nibbles = nibblesIn(value);
  const end = nibbles.findIndex((nibble) => nibble === 0x0d || nibble === 0x0f);
  return end === -1 ? nibbles : nibbles.slice(0, end);
}

function nibblesIn(value: Uint8Array): number[] {
  return Array.from(value).flatMap((byte) => [byte >> 4, byte & 0x0f]);
}
