import { hideCardNumbers } from '@hlid/protocol/base/card-number';
import { COMMANDS } from './command-names.ts';
import { tlvOf } from './explain-tlv.ts';
import type { ZvtMessage } from './message-frame.ts';
import { type Charset, charsetOfTag14, guessCharset, readText } from './text-frame.ts';
import { findTlv, type TlvObject } from './tlv-frame.ts';

type TextCharset = Charset | 'auto';

const LINE_FEEDS = 0xff;
/** Receipt types of tag 1F07. */
const CUSTOMER = 2;

/** The lines that a terminal would have printed. */
export class ReceiptLines {
  readonly #charset: TextCharset;
  readonly #printed: { type: number | null; text: Uint8Array | null; charset: Charset | null }[] = [];

  constructor(charset: TextCharset) {
    this.#charset = charset;
  }

  /** A printed line (06 D1) or block of text (06 D3). */
  add(message: ZvtMessage): void {
    if (message.control === COMMANDS.printTextBlock) this.#addBlock(message);
    else this.#addLine(message);
  }

  /**
   * The customer's receipt, or all that was printed if the parts are not marked; or `all` of it, such as a
   * report. No card number is in it.
   */
  lines(whose: 'customer' | 'all' = 'customer'): string[] {
    const own = this.#printed.filter(({ type }) => type === CUSTOMER);
    const customers = own.length > 0 ? own : this.#printed.filter(({ type }) => type === null);
    const kept = whose === 'all' ? this.#printed : customers;
    const guess = chosen(
      this.#charset,
      kept.flatMap(({ text }) => text ?? []),
    );
    return kept.map(({ text, charset }) =>
      text === null ? '' : hideCardNumbers(readText(text, charset ?? guess)).trimEnd(),
    );
  }

  #addLine({ lead, fields }: ZvtMessage): void {
    const type = typeOf(tlvOf(fields) ?? []);
    const [feeds = 0] = lead.text ?? [];
    if (lead.attribute !== LINE_FEEDS) this.#printed.push({ type, text: lead.text ?? null, charset: null });
    else for (let line = 0; line < feeds; line++) this.#printed.push({ type, text: null, charset: null });
  }

  #addBlock({ fields }: ZvtMessage): void {
    const tlv = tlvOf(fields) ?? [];
    const charset = announcedCharset(tlv);
    for (const { tag, value } of findTlv(tlv, '25')?.children ?? []) {
      if (tag === '07') this.#printed.push({ type: typeOf(tlv), text: value, charset });
    }
  }
}

function typeOf(tlv: readonly TlvObject[]): number | null {
  return findTlv(tlv, '1F07')?.value[0] ?? null;
}

/** The character set of tag 14; null: there is none. */
export function announcedCharset(tlv: readonly TlvObject[]): Charset | null {
  const announced = findTlv(tlv, '14');
  return announced && charsetOfTag14(announced.value);
}

function chosen(charset: TextCharset, texts: readonly Uint8Array[]): Charset {
  return charset === 'auto' ? guessCharset(texts) : charset;
}

/** The text that the terminal shows, of an intermediate status; null: it sent none. */
export function shownText(message: ZvtMessage, charset: TextCharset): string | null {
  const tlv = tlvOf(message.fields) ?? [];
  const display = findTlv(tlv, '24');
  const lines = (display?.children ?? []).filter(({ tag }) => tag === '07').map(({ value }) => value);
  const used = announcedCharset(tlv) ?? chosen(charset, lines);
  const text = lines.map((line) => readText(line, used).trim()).filter(Boolean);
  return text.length === 0 ? null : hideCardNumbers(text.join('\n'));
}
