import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hideCardNumbers, isCardNumber } from './card-number.ts';

describe('card numbers in texts', () => {
  it.each([
    ['Nr: 4111111111111111', 'Nr: ************1111'],
    ['Nr: 4111 1111 1111 1111', 'Nr: **** **** **** 1111'],
    ['3782-822463-10005', '****-******-*0005'],
    // Something stands behind it, or before.
    ['4111 1111 1111 1111 0922', '**** **** **** 1111 0922'],
    ['41111111111111113012', '*************1113012'],
    ['0001 4111 1111 1111 1111', '0001 **** **** **** 1111'],
    ['4111111111111111 5555555555554444', '************1111 ************4444'],
  ])('%s', (text, shown) => {
    expect(hideCardNumbers(text)).toBe(shown);
  });

  it.each([
    ['masked already', 'Nr:  **** **** **** 5726'],
    ['an application', 'AID: A0000000041010'],
    ['a contract', 'VU-Nr:         100764992'],
    ['a moment', '05.03.2021      13:26:52'],
    ['one digit wrong', '4111111111111112'],
  ])('leaves %s as it is', (_what, text) => {
    expect(hideCardNumbers(text)).toBe(text);
  });

  it('leaves no whole one, whatever stands around it', () => {
    const before = fc.constantFrom('', ' ', '-', 'Nr: ', '1234 ', '0001-');
    const behind = fc.constantFrom('', ' ', '=', '0922', ' 0922', ' 1234 5678', 'D2212');
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 15, maxLength: 18 });
    const number = digits.map((list) => {
      const body = `4${list.slice(1).join('')}`;
      return Array.from({ length: 10 }, (_, check) => `${body}${check}`).find(isCardNumber) ?? body;
    });
    fc.assert(
      fc.property(before, number, behind, (left, card, right) => {
        expect(hideCardNumbers(`${left}${card}${right}`)).not.toContain(card);
      }),
    );
  });
});
