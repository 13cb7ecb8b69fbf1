import { hexOf } from './bcd-frame.ts';
import { CARD_TAGS } from './card-secrets.ts';
import type { Field } from './field-frame.ts';
import { readTlv, type TlvObject } from './tlv-frame.ts';

const TLV_FIELD = 0x06;

/**
 * Tags with a text as their value: lines, language, error text, application names, EMV print data, device and
 * software, …
 */
const TEXT_TAGS: ReadonlySet<string> = new Set([
  '07',
  '15',
  '42',
  '44',
  '45',
  '46',
  '47',
  '1F17',
  '1F40',
  '1F41',
  '1F62',
  '1F63',
]);

/** The objects of the container; null: the message has none. Throws Fault 'peer-misbehaved'. */
export function tlvOf(fields: readonly Field[]): TlvObject[] | null {
  const container = fields.find(({ id }) => id === TLV_FIELD);
  return container ? readTlv(container.value) : null;
}

export function textsOfTlv(objects: readonly TlvObject[]): Uint8Array[] {
  return objects.flatMap(({ tag, value, children }) => {
    if (children) return textsOfTlv(children);
    return TEXT_TAGS.has(tag) ? [value] : [];
  });
}

export function explainTlv(objects: readonly TlvObject[], read: (bytes: Uint8Array) => string): object[] {
  return objects.map(({ tag, value, children }) => {
    const length = value.length;
    if (children) return { tag, length, children: explainTlv(children, read) };
    if (CARD_TAGS.has(tag)) return { tag, length, hex: '[hidden]' };
    return TEXT_TAGS.has(tag) ? { tag, length, text: read(value) } : { tag, length, hex: hexOf(value) };
  });
}
