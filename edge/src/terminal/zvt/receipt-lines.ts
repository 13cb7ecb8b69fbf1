import { hideCardNumbers } from '@hlid/protocol/card-number';
import { COMMANDS } from './command-names.ts';
import { tlvOf } from './explain-tlv.ts';
import type { ZvtMessage } from './message-frame.ts';
import { type Charset, charsetOfTag14, guessCharset, readText } from './text-frame.ts';
import { findTlv, type TlvObject } from './tlv-frame.ts';

type TextCharset = Charset | 'auto';

const LINE_FEEDS = 0xff;
/** Receipt types of tag 1F07. */
const CUSTOMER = 2;

export interface ReceiptBook {
  /** A printed line (06 D1) or block of text (06 D3). */
  take(message: ZvtMessage): void;
  /**
   * The customer's receipt, or all that was printed where nothing says whose it is; or all of it, a report's. No card
   * number stands in it.
   */
  lines(whose?: 'customer' | 'all'): string[];
}

/** Puts together what a terminal would have printed. */
export function createReceiptBook(charset: TextCharset): ReceiptBook {
  const printed: { type: number | null; text: Uint8Array | null; charset: Charset | null }[] = [];

  function takeLine({ lead, fields }: ZvtMessage): void {
    const type = typeOf(tlvOf(fields) ?? []);
    const [feeds = 0] = lead.text ?? [];
    if (lead.attribute !== LINE_FEEDS) printed.push({ type, text: lead.text ?? null, charset: null });
    else for (let line = 0; line < feeds; line++) printed.push({ type, text: null, charset: null });
  }

  function takeBlock({ fields }: ZvtMessage): void {
    const tlv = tlvOf(fields) ?? [];
    const named = announcedCharset(tlv);
    for (const { tag, value } of findTlv(tlv, '25')?.children ?? []) {
      if (tag === '07') printed.push({ type: typeOf(tlv), text: value, charset: named });
    }
  }

  return {
    take(message) {
      if (message.control === COMMANDS.printTextBlock) takeBlock(message);
      else takeLine(message);
    },
    lines(whose = 'customer') {
      const own = printed.filter(({ type }) => type === CUSTOMER);
      const customers = own.length > 0 ? own : printed.filter(({ type }) => type === null);
      const kept = whose === 'all' ? printed : customers;
      const guess = chosen(
        charset,
        kept.flatMap(({ text }) => text ?? []),
      );
      return kept.map(({ text, charset: named }) =>
        text === null ? '' : hideCardNumbers(readText(text, named ?? guess)).trimEnd(),
      );
    },
  };
}

function typeOf(tlv: readonly TlvObject[]): number | null {
  return findTlv(tlv, '1F07')?.value[0] ?? null;
}

/** Tag 14; null: nothing is said. */
export function announcedCharset(tlv: readonly TlvObject[]): Charset | null {
  const announced = findTlv(tlv, '14');
  return announced && charsetOfTag14(announced.value);
}

function chosen(charset: TextCharset, texts: readonly Uint8Array[]): Charset {
  return charset === 'auto' ? guessCharset(texts) : charset;
}

/** What the terminal shows, of an intermediate status; null: it did not say. */
export function shownText(message: ZvtMessage, charset: TextCharset): string | null {
  const tlv = tlvOf(message.fields) ?? [];
  const display = findTlv(tlv, '24');
  const lines = (display?.children ?? []).filter(({ tag }) => tag === '07').map(({ value }) => value);
  const used = announcedCharset(tlv) ?? chosen(charset, lines);
  const text = lines.map((line) => readText(line, used).trim()).filter(Boolean);
  return text.length === 0 ? null : hideCardNumbers(text.join('\n'));
}
