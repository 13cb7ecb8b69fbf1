import { joinBytes } from './bcd-frame.ts';
import type { Field } from './field-frame.ts';
import { readTlv, type TlvDraft, type TlvObject, writeTlv } from './tlv-frame.ts';

const CARD_NUMBER = 0x22;
const TLV_FIELD = 0x06;
/** Tracks 1 to 3, chip data and the printed code. */
const SECRETS: ReadonlySet<number> = new Set([0x23, 0x24, 0x2d, 0x2e, 0x3a]);

/** EMV's own tags of a card number and its tracks. */
export const CARD_TAGS: ReadonlySet<string> = new Set(['5A', '56', '57', '9F1F', '9F20', '9F6B']);

/** All that a driver asks for; whatever else a terminal tells of a card is none of its business. */
const WANTED: ReadonlySet<number> = new Set([
  ...[0x04, 0x06, 0x0b, 0x0c, 0x0d, 0x19, 0x22, 0x27, 0x29, 0x37, 0x3b, 0x49, 0x60, 0x87, 0x88, 0x8a],
]);

/** How many digits of a card number may be shown at each end (PCI DSS 3.4.1). */
const SHOWN_FIRST = 6;
const SHOWN_LAST = 4;

/**
 * What is left of a message before anything else sees it: of a card its number's last four digits, and no more.
 * Throws Fault 'peer-misbehaved' where its container cannot be read.
 */
export function withoutCard(fields: readonly Field[]): Field[] {
  return fields
    .filter(({ id }) => WANTED.has(id))
    .map((field) => {
      if (field.id === CARD_NUMBER) return { ...field, value: masked(field.value, 0) };
      return field.id === TLV_FIELD ? { ...field, value: withoutCardTags(field.value) } : field;
    });
}

function withoutCardTags(container: Uint8Array): Uint8Array {
  const kept = (objects: readonly TlvObject[]): TlvDraft[] =>
    objects
      .filter(({ tag }) => !CARD_TAGS.has(tag))
      .map(({ tag, value, children }) => [tag, children ? kept(children) : value]);
  return writeTlv(kept(readTlv(container)));
}

/** For people who look at a message: a card number with its first six and last four digits, as receipts mask it. */
export function maskCard(fields: readonly Field[]): Field[] {
  return fields.map((field) =>
    field.id === CARD_NUMBER || SECRETS.has(field.id)
      ? { ...field, value: masked(field.value, SHOWN_FIRST) }
      : field,
  );
}

/** Digits become E, the nibble that masks; a separator (D) of a track and what pads (F) stay. */
function masked(value: Uint8Array, shownFirst: number): Uint8Array {
  const nibbles = Array.from(value).flatMap((byte) => [byte >> 4, byte & 0x0f]);
  const separator = nibbles.findIndex((nibble) => nibble === 0x0d || nibble === 0x0f);
  const end = separator === -1 ? nibbles.length : separator;
  const shown = nibbles.map((nibble, at) => {
    const isShown = at < end && (at < shownFirst || at >= end - SHOWN_LAST) && end > shownFirst + SHOWN_LAST;
    return nibble <= 9 && !isShown ? 0x0e : nibble;
  });
  return joinBytes(value.map((_, at) => ((shown[at * 2] ?? 0) << 4) | (shown[at * 2 + 1] ?? 0)));
}
