import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readApdu } from './apdu-frame.ts';
import { bytesOf } from './bcd-frame.ts';
import { COMMANDS } from './command-names.ts';
import { readMessage, type ZvtMessage } from './message-frame.ts';
import { ReceiptLines, shownText } from './receipt-lines.ts';
import { type TlvDraft, writeTlv } from './tlv-frame.ts';

const FILE = new URL('../../../../tests/fixtures/zvt/vectors.json', import.meta.url);
const VECTORS: { name: string; hex: string }[] = JSON.parse(readFileSync(FILE, 'utf8'));

function captured(name: string): ZvtMessage {
  const apdu = readApdu(bytesOf(VECTORS.find((one) => one.name === name)?.hex ?? ''));
  const message = apdu.ok ? readMessage(apdu.value) : apdu;
  if (!message.ok) throw new Error(`${name}: ${message.problem}`);
  return message.value;
}

const line = (text: string, more: Partial<ZvtMessage> = {}): ZvtMessage => ({
  control: COMMANDS.printLine,
  lengthForm: 'short',
  fields: [],
  lead: { attribute: 0, text: Buffer.from(text, 'latin1') },
  ...more,
});
const prompt = (...objects: TlvDraft[]): ZvtMessage => ({
  control: COMMANDS.intermediateStatus,
  lengthForm: 'short',
  lead: { status: 0x0a },
  fields: [{ id: 0x06, value: writeTlv(objects) }],
});
const text = (...bytes: number[]): TlvDraft => ['24', [['07', bytes]]];

describe('receipts', () => {
  it('are read from genuine terminals: the customer’s in CP437, which is not announced', () => {
    const receipt = new ReceiptLines('auto');
    receipt.add(captured('bez-text-block-merchant-receipt'));
    receipt.add(captured('port-text-block-customer-hobex'));
    const lines = receipt.lines();
    expect(lines).toContain('     für PORTALUM GmbH');
    expect(lines).toContain('L:************0000');
    expect(lines.join('\n')).not.toContain('HÄNDLERBELEG');
  });

  it('are kept apart: a merchant’s is not the customer’s; a report is kept whole', () => {
    const receipt = new ReceiptLines('auto');
    receipt.add(captured('bez-text-block-merchant-receipt'));
    expect(receipt.lines()).toEqual([]);
    expect(receipt.lines('all')).toContain('** HÄNDLERBELEG **');
  });

  it('are kept line by line, with line feeds, and never with a whole card number', () => {
    const receipt = new ReceiptLines('auto');
    receipt.add(line('Kvittun fyrir þig   '));
    receipt.add(line('\x02', { lead: { attribute: 0xff, text: Uint8Array.of(2) } }));
    receipt.add(line('Kort: 4111 1111 1111 1111'));
    expect(receipt.lines()).toEqual(['Kvittun fyrir þig', '', '', 'Kort: **** **** **** 1111']);
  });
});

describe('prompts', () => {
  it.each<[string, ZvtMessage, string | null]>([
    ['in CP437', prompt(text(0x4b, 0x94, 0x6c, 0x6e)), 'Köln'],
    ['in Latin-1', prompt(text(0xfe, 0xed, 0x6e)), 'þín'],
    ['in UTF-8', prompt(text(0xc3, 0xbe, 0xc3, 0xad, 0x6e)), 'þín'],
    ['in what tag 14 says', prompt(['14', [0x02]], text(0xb9, 0xbb)), 'šť'],
    [
      'of several lines',
      prompt([
        '24',
        [
          ['07', [0x41, 0x20]],
          ['07', []],
          ['07', [0x42]],
        ],
      ]),
      'A\nB',
    ],
    ['without a text', prompt(), null],
  ])('%s', (_what, message, shown) => {
    expect(shownText(message, 'auto')).toBe(shown);
  });

  it('are read in the character set that the terminal is known to have', () => {
    expect(shownText(prompt(text(0xfe)), 'cp437')).toBe('■');
  });
});
