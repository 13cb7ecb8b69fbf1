import { describe, expect, it } from 'vitest';
import { brandOf, cardMistakes, groupExpiry, groupNumber } from './card-rules.ts';

const NOW = new Date('2026-11-21T12:00:00Z');

describe('a card number', () => {
  it.each([
    ['2223000010246699', 'Mastercard', '2223 0000 1024 6699'],
    ['4176669999000104', 'Visa', '4176 6699 9900 0104'],
    ['378282246310005', 'American Express', '3782 822463 10005'],
    ['30569309025904', 'Diners Club', '3056 930902 5904'],
    ['6011111111111117', 'Discover', '6011 1111 1111 1117'],
    ['3530111333300000', 'JCB', '3530 1113 3330 0000'],
    ['5066991111111118', 'Elo', '5066 9911 1111 1118'],
    ['6370950000000005', 'Hiper', '6370 9500 0000 0005'],
    ['6062826786276634', 'Hipercard', '6062 8267 8627 6634'],
    ['6205500000000000004', 'UnionPay', '6205 5000 0000 0000 004'],
  ])('%s is of %s, and written %s', (number, brand, grouped) => {
    expect([brandOf(number)?.niceType, groupNumber(number)]).toEqual([brand, grouped]);
    const ccv = brand === 'American Express' ? '1234' : '123';
    expect(cardMistakes({ number: grouped, expire: '12/30', ccv }, NOW)).toEqual({});
  });

  it('is grouped the same however it is typed or pasted, and never longer than its brand', () => {
    expect(groupNumber('2223-0000 1024.6699 12')).toBe('2223 0000 1024 6699');
    expect(groupNumber('')).toBe('');
  });

  it('is reported with a wrong digit, too short, or without a brand', () => {
    const mistake = (number: string) => cardMistakes({ number, expire: '12/30', ccv: '123' }, NOW).number;
    expect(mistake('2223000010246698')).toBe('number');
    expect(mistake('2223 0000')).toBe('incomplete');
    expect(mistake('9999999999999995')).toBe('brand');
    // Troy is a brand, and none that the cloud takes.
    expect(mistake('9792030394440796')).toBe('brand');
  });
});

describe('an expiry date', () => {
  it.each([
    ['1230', '12/30'],
    ['12/2030', '12/30'],
    ['122030', '12/30'],
    ['9', '09'],
    ['9/29', '09/29'],
    ['12', '12'],
    // Browsers and password managers fill in these forms.
    ['2027-08', '08/27'],
    ['2027-8', '08/27'],
    ['2027-08-31', '08/27'],
    ['2027/08', '08/27'],
    ['2027 08', '08/27'],
    ['202708', '08/27'],
    ['2708', '08/27'],
    ['08/2027', '08/27'],
    ['8/27', '08/27'],
    ['0827', '08/27'],
    ['082027', '08/27'],
    ['08 - 2027', '08/27'],
    ['08.27', '08/27'],
    ['08 27', '08/27'],
    ['122030', '12/30'],
  ])('typed as %s is %s', (typed, shown) => expect(groupExpiry(typed)).toBe(shown));

  it('counts to the end of its month, for nineteen years', () => {
    const mistake = (expire: string) => cardMistakes({ number: '', expire, ccv: '' }, NOW).expire;
    expect(mistake('11/26')).toBeUndefined();
    expect(mistake('10/26')).toBe('expired');
    expect(mistake('13/28')).toBe('expire');
    expect(mistake('12/45')).toBeUndefined();
    expect(mistake('12/49')).toBe('expire');
    expect(mistake('12')).toBe('expire');
  });
});
