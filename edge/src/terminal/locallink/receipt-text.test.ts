import { describe, expect, it } from 'vitest';
import { receiptContradicts, receiptLines } from './receipt-text.ts';

/** A receipt of Rapyd's Postman collection. */
const RECEIPT = [
  ['logo'],
  ['EINTAK SÖLUAÐILA', '5', 'C', 'B'],
  [],
  ['06/11/23', '13:04', '5', 'S', 'N'],
  ['541333******0036', '5', 'L', 'N'],
  ['5.000 ISK', '9', 'C', 'B'],
  ['A0000000041010', '1', 'L', 'N'],
  ['https://receipts.example/1', '5', 'QR', 'N'],
  ['B'],
];
const LINES = [
  'EINTAK SÖLUAÐILA',
  '',
  '06/11/23  13:04',
  '541333******0036',
  '5.000 ISK',
  'A0000000041010',
  'B',
];

describe('the lines of a receipt', () => {
  it('come as a list, or as its JSON', () => {
    expect(receiptLines(RECEIPT)).toEqual(LINES);
    expect(receiptLines(JSON.stringify(RECEIPT))).toEqual(LINES);
  });

  it.each([[undefined], [null], ['Custom receipt JSON'], ['{"a":1}'], [{}], [[{ text: 'x' }, 5]]])(
    'are none in %j',
    (receipt) => {
      expect(receiptLines(receipt)).toEqual([]);
    },
  );

  it('hide card numbers', () => {
    expect(receiptLines([['KORT 4556 7375 8689 9855', '5', 'L', 'N']])).toEqual(['KORT **** **** **** 9855']);
  });
});

describe('an amount on a receipt', () => {
  it.each([
    ['5.000 ISK', 'ISK', 5000],
    ['ISK 5.000', 'ISK', 5000],
    ['1.234.567 ISK', 'ISK', 1_234_567],
    ['500 ISK', 'ISK', 500],
    ['500,00 ISK', 'ISK', 500],
    ['12,50 EUR', 'EUR', 1250],
    ['EUR 1,234.50', 'EUR', 123_450],
    ['12,5 EUR', 'EUR', 1250],
  ])('%s', (line, currency, amountMinor) => {
    expect(receiptContradicts([line], { amountMinor, currency })).toBe(false);
    for (const other of [amountMinor * 100, amountMinor / 100, amountMinor + 1]) {
      expect(receiptContradicts([line], { amountMinor: other, currency })).toBe(true);
    }
  });

  it('may stand beside others, such as a tip of nothing', () => {
    const lines = ['Tip 0 ISK', 'Total 5.000 ISK'];
    expect(receiptContradicts(lines, { amountMinor: 5000, currency: 'ISK' })).toBe(false);
  });

  it('proves nothing without a currency, or if there is none', () => {
    const lines = ['£1.00', 'Númer: 1414', '800573916121001  34550576'];
    expect(receiptContradicts(lines, { amountMinor: 1, currency: 'GBP' })).toBe(false);
  });
});
