import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { Card } from './card.ts';

const YEAR = new Date().getFullYear();
const typed = { number: '4176 6699 9900 0104', ccv: '012', expire: `12/${YEAR + 1}` };
const read = (change: Partial<typeof typed>) => Card.read({ ...typed, ...change });

it('reads a card as a driver types it', () => {
  const card = read({ expire: `12/${String(YEAR + 1).slice(2)}` });
  expect(card).toMatchObject({ brand: 'visa', lastFour: '0104', securityCode: '012' });
  expect(card).toMatchObject({ number: '4176669999000104', expiryMonth: 12, expiryYear: YEAR + 1 });
});

it.each([
  ['visa', '4111111111111111'],
  ['mastercard', '2223000010246699'],
  ['american-express', '378282246310005', '1234'],
  ['diners-club', '36259600000004'],
  ['discover', '6011000990139424'],
  ['jcb', '3530111333300000'],
  ['unionpay', '6240008631401148'],
  ['maestro', '6304000000000000'],
  ['elo', '5066991111111118'],
  ['mir', '2200000000000053'],
  ['hiper', '6370950000000005'],
  ['hipercard', '6062826786276634'],
])('takes %s', (brand, number, ccv = '123') => {
  expect(read({ number, ccv })).toMatchObject({ brand });
});

it('takes no brand that the specification does not name', () => {
  // Troy and Verve
  expect(read({ number: '9792000000000003' })).toEqual({ mistakes: ['brand'] });
  expect(read({ number: '5061460410120223210', ccv: '123' })).toEqual({ mistakes: ['brand'] });
});

it('takes a card that expires up to 19 years from now, and none that has expired', () => {
  expect(read({ expire: `01/${YEAR + 19}` })).toBeInstanceOf(Card);
  expect(read({ expire: `01/${YEAR + 20}` })).toEqual({ mistakes: ['expire'] });
  expect(read({ expire: `12/${YEAR - 1}` })).toEqual({ mistakes: ['expire'] });
});

it('names all mistakes at once', () => {
  expect(read({ number: '4176669999000105', ccv: '12', expire: '13/30' })).toEqual({
    mistakes: ['number', 'expire', 'ccv'],
  });
  expect(read({ number: '378282246310005', ccv: '123' })).toEqual({ mistakes: ['ccv'] });
});

it('shows nothing of itself in a log, an error or a row', () => {
  const card = read({});
  const texts = [
    JSON.stringify({ card }),
    `${String(card)}`,
    inspect({ card }, { depth: 9, showHidden: true }),
  ];
  for (const text of texts) {
    expect(text).toContain('[card]');
    expect(text).not.toMatch(/0104|012\b/);
  }
  expect(Object.entries(card)).toEqual([['brand', 'visa']]);
  expect({ ...card }).toEqual({ brand: 'visa' });
});
