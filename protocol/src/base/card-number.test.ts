import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growsInProportion, growthOf } from '../../test/cost.ts';
import { hideCardNumbers, isCardNumber } from './card-number.ts';

describe('card numbers in texts', () => {
  it.each([
    ['Nr: 4111111111111111', 'Nr: ************1111'],
    ['Nr: 4111 1111 1111 1111', 'Nr: **** **** **** 1111'],
    ['4111  1111  1111  1111', '****  ****  ****  1111'],
    ['4111.1111.1111.1111', '****.****.****.1111'],
    ['4111/1111/1111/1111', '****/****/****/1111'],
    ['4111_1111_1111_1111', '****_****_****_1111'],
    ['4111:1111:1111:1111', '****:****:****:1111'],
    ['4111\u00a01111\u202f1111\u20071111', '****\u00a0****\u202f****\u20071111'],
    ['4111–1111—1111−1111', '****–****—****−1111'],
    ['4111 - 1111 - 1111 - 1111', '**** - **** - **** - 1111'],
    ['4111\u200b1111\u00ad1111\u20601111', '****\u200b****\u00ad****\u20601111'],
    ['4111\u00ff1111\u00ff1111\u00ff1111', '****\u00ff****\u00ff****\u00ff1111'],
    [
      '4111\ufffd1111\ufffd\ufffd\ufffd\ufffd\ufffd1111\ufffd1111',
      '****\ufffd****\ufffd\ufffd\ufffd\ufffd\ufffd****\ufffd1111',
    ],
    [
      '4111\u00a0\u00a0\u00a0\u00a0\u00a0\u00a01111\u00a01111\u00a01111',
      '****\u00a0\u00a0\u00a0\u00a0\u00a0\u00a0****\u00a0****\u00a01111',
    ],
    ['cvc 123', 'cvc ***'],
    ['CVV2: 1234, til 12/27', 'CVV2: ****, til 12/27'],
    ['öryggisnúmer er 987', 'öryggisnúmer er ***'],
    ['4111,1111|1111+1111', '****,****|****+1111'],
    ['4111 1111\n1111 1111', '**** ****\n**** 1111'],
    ['4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1', '* * * * * * * * * * * * 1 1 1 1'],
    ['41 11 11 11 11 11 11 11', '** ** ** ** ** ** 11 11'],
    ['41:11:11:11:11:11:11:11', '**:**:**:**:**:**:11:11'],
    ['3782-822463-10005', '****-******-*0005'],
    ['3056 930902 5904', '**** ****** 5904'],
    ['٤١١١١١١١١١١١١١١١', '************١١١١'],
    ['４１１１ １１１１ １１１１ １１１１', '**** **** **** １１１１'],
    ['४१११११११११११११११', '************११११'],
    ['𝟒𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏 𝟏𝟏𝟏𝟏', '**** **** **** 𝟏𝟏𝟏𝟏'],
    // Something stands behind it, or before.
    ['4111 1111 1111 1111 0922', '**** **** **** 1111 0922'],
    ['4111 1111 1111 11110922', '**** **** **** 11110922'],
    ['41111111111111113012', '************11113012'],
    ['0001 4111 1111 1111 1111', '0001 **** **** **** 1111'],
    ['4111111111111111 5555555555554444', '************1111 ************4444'],
    ['12.05.2026 14:30 4111111111111111', '12.05.2026 14:30 ************1111'],
    ['+4111111111111111', '+************1111'],
    ['6304000000000000000', '***************0000'],
    ['2200 0000 0000 0053', '**** **** **** 0053'],
  ])('%s', (text, shown) => {
    expect(hideCardNumbers(text)).toBe(shown);
    expect(hideCardNumbers(shown)).toBe(shown);
  });

  it.each([
    ['masked already', 'Nr:  **** **** **** 5726'],
    ['an application', 'AID: A0000000041010'],
    ['a contract', 'VU-Nr:         100764992'],
    ['a moment', '05.03.2021      13:26:52'],
    ['a moment that begins as Diners Club does', '30.04.2026 15:10:09'],
    ['a moment in UTC', '2026-11-21T15:10:34.885Z'],
    ['milliseconds', '1795360234885'],
    ['a UUID of digits', '45568375-8689-4853-8446-424242424242'],
    ['one digit wrong', '4111111111111112'],
    ['no brand', '9999999999999995'],
    ['a phone number', '+4676 123 45 67 891'],
    ['two phone numbers', '699 1234 / 698 5678'],
    ['national ids', '120160-3389, 530575-0209'],
    ['an article', '5690001234562'],
    ['plates', 'ABX12 KZD82 MK456 OTR24'],
    ['an amount', 'ISK 4.111.111.111'],
  ])('leaves %s as it is', (_what, text) => {
    expect(hideCardNumbers(text)).toBe(text);
  });

  const card = fc
    .tuple(
      fc.constantFrom('4', '51', '55', '2221', '35', '62', '6011'),
      fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 15, maxLength: 15 }),
    )
    .map(([start, list]) => {
      const body = `${start}${list.join('')}`.slice(0, 15);
      return Array.from({ length: 10 }, (_, check) => `${body}${check}`).find(isCardNumber) ?? body;
    });

  it('leaves no whole one, whatever stands around it', () => {
    const before = fc.constantFrom('', ' ', '-', 'Nr: ', '1234 ', '0001-');
    const behind = fc.constantFrom('', ' ', '=', '0922', ' 0922', ' 1234 5678', 'D2212');
    fc.assert(
      fc.property(before, card, behind, (left, number, right) => {
        expect(hideCardNumbers(`${left}${number}${right}`)).not.toContain(number);
      }),
    );
  });

  it('leaves no whole one, whatever stands between its digits', () => {
    const sign = fc
      .string({ unit: 'binary', maxLength: 2 })
      .filter((text) => !/[\p{L}\p{N}]/u.test(text.normalize('NFKC')));
    const groups = fc.constantFrom(
      [4, 4, 4, 4],
      [8, 8],
      [4, 6, 6],
      [2, 2, 2, 2, 2, 2, 2, 2],
      Array(16).fill(1),
    );
    fc.assert(
      fc.property(card, sign, groups, (number, between, sizes: number[]) => {
        let at = 0;
        const text = sizes
          .map((size) => {
            at += size;
            return number.slice(at - size, at);
          })
          .join(between);
        expect(hideCardNumbers(text).replaceAll(/[^0-9]/g, '')).toBe(number.slice(-4));
      }),
    );
  });

  it('are sought with work in proportion to the text', () => {
    for (const filling of ['1', '4111 ', '4', '1 ', '4111111111111111', 'x', '. ', '1.1.1970 ']) {
      const growth = growthOf((size) => {
        const text = filling.repeat(size / filling.length);
        return () => hideCardNumbers(text);
      }, 20_000);
      expect(growth, filling).toSatisfy(growsInProportion);
    }
  });
});
