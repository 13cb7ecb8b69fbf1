import { expect, it } from 'vitest';
import { eventForVersion } from './first-version.ts';

const visit = { id: 'v', plate: 'ABX12', status: 'new', unitsMet: 1, flags: ['lost-exit', 'clock-set'] };
const lines = [
  { rule: 'unit', units: 1, amountMinor: 500 },
  { rule: 'step', units: 3, amountMinor: 300, minutes: 15 },
];
const price = { amountMinor: 800, currency: 'ISK', lines, service: 'x' };
const event = (body: object) => JSON.stringify({ seq: 1, at: 'now', body });

it('a visit is told to the first version without what came later, and with all of its price', () => {
  const told = eventForVersion(
    1,
    event({ type: 'visit.ended', visit: { ...visit, price, paidMinor: 5 }, feedAt: 2 }),
  );
  expect(JSON.parse(told)).toEqual({
    seq: 1,
    at: 'now',
    body: {
      type: 'visit.ended',
      feedAt: 2,
      visit: {
        ...visit,
        flags: ['lost-exit'],
        price: {
          amountMinor: 800,
          currency: 'ISK',
          lines: [lines[0], { rule: 'unit', units: 0, amountMinor: 300 }],
        },
      },
    },
  });
});

it('everything else, and everything to later versions, is told as it is', () => {
  const alert = event({ type: 'lane.alert', laneId: 'in-1', new: true });
  const ended = event({ type: 'visit.ended', visit: { ...visit, price: null, paidMinor: 5 } });
  expect(eventForVersion(1, alert)).toBe(alert);
  expect(eventForVersion(2, ended)).toBe(ended);
});
