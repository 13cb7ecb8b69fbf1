import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hexOf } from './bcd-frame.ts';
import { writeSerialFrame } from './serial-frame.ts';
import {
  abort,
  authorisation,
  diagnosis,
  endOfDay,
  initialisation,
  logOff,
  negative,
  positive,
  registration,
  repeatReceipt,
  reversal,
  statusEnquiry,
} from './zvt-commands.ts';

const FILE = new URL('../../../../tests/fixtures/zvt/vectors.json', import.meta.url);
const VECTORS: { name: string; hex: string }[] = JSON.parse(readFileSync(FILE, 'utf8'));
const vector = (name: string) => VECTORS.find((one) => one.name === name)?.hex;
const password = '123456';

describe('what we send', () => {
  it.each<[string, Uint8Array]>([
    ['port-ack', positive()],
    ['port-goods-wait', negative(0x9c)],
    ['port-goods-failed', negative(0x66)],
    ['spec-log-off', logOff()],
    ['ev-end-of-day', endOfDay({ password })],
    ['ser-ack', writeSerialFrame(positive())],
    ['ser-nack-9c', writeSerialFrame(negative(0x9c))],
    ['ser-diagnosis', writeSerialFrame(diagnosis())],
    ['ser-status-enquiry', writeSerialFrame(statusEnquiry({ password }))],
  ])('is to the byte what was captured: %s', (name, bytes) => {
    expect(hexOf(bytes)).toBe(vector(name));
  });

  it.each<[string, Uint8Array, string]>([
    [
      'registers with receipts as blocks of text',
      registration({ password: '000000', currency: 352, receipts: true }),
      '060015000000be0352060d26040a0206d312 0128 1a02ffff',
    ],
    [
      'registers without receipts',
      registration({ password: '000000', currency: 352, receipts: false }),
      '0600150000003e0352060d26040a0206d312 0128 1a02ffff',
    ],
    // ISK has no minor unit: 1500 kr. are 1500. The terminal decides how the card is read, and may ask ten times.
    [
      'orders 1500 kr.',
      authorisation({ amountMinor: 1500, currency: 352 }),
      '06010e 04000000001500 490352 1940 020a',
    ],
    [
      'takes receipt 47 back',
      reversal({ password, receiptNumber: 47, amountMinor: 1500, currency: 352 }),
      '063010 123456 870047 04000000001500 490352',
    ],
    ['asks for the newest transaction', repeatReceipt({ password }), '062007 123456 0303 0600'],
    ['initialises', initialisation({ password }), '069303 123456'],
    ['gives up', abort(), '06b000'],
  ])('%s', (_what, bytes, hex) => {
    expect(hexOf(bytes)).toBe(hex.replace(/ /g, ''));
  });

  it('refuses an amount that does not fit', () => {
    expect(() => authorisation({ amountMinor: 1_000_000_000_000, currency: 352 })).toThrow(RangeError);
    expect(() => authorisation({ amountMinor: 10.5, currency: 352 })).toThrow(RangeError);
    expect(() => authorisation({ amountMinor: -1, currency: 352 })).toThrow(RangeError);
  });
});
