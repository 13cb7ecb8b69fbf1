import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BatchToMatch, type EntryToMatch, matchBank } from './match-bank.ts';
import { type BookedMovement, matchSettlement, type RowToMatch } from './match-settlement.ts';

const sale = (fields: Partial<BookedMovement>): BookedMovement => ({
  paymentId: 'p1',
  kind: 'sale',
  currency: 'ISK',
  amountMinor: 500,
  day: '2026-11-18',
  references: ['psp1', 'p1'],
  ownReferences: [],
  authorisation: null,
  lastFour: null,
  ...fields,
});
const row = (key: string, fields: Partial<RowToMatch> = {}): RowToMatch => ({
  key,
  kind: 'sale',
  reference: 'psp1',
  ownReference: null,
  merchantReference: null,
  authorisation: null,
  lastFour: null,
  bookedOn: '2026-11-18',
  currency: 'ISK',
  grossMinor: 500,
  ...fields,
});
const found = (rows: RowToMatch[], booked: BookedMovement[], taken: BookedMovement[] = []) =>
  Object.fromEntries(
    [...matchSettlement(rows, booked, taken)].map(([key, { paymentId, match }]) => [
      key,
      `${match} ${paymentId}`,
    ]),
  );

describe('rows of a settlement file', () => {
  it('are matched by the provider’s reference, and by ours', () => {
    const other = sale({ paymentId: 'p2', references: ['psp2', 'p2'] });
    const rows = [row('a'), row('b', { reference: null, merchantReference: 'p2' })];
    expect(found(rows, [sale({}), other])).toEqual({ a: 'matched p1', b: 'matched p2' });
  });

  it('show another amount, a sale that is settled twice, and a refund that we did not book', () => {
    expect(found([row('a', { grossMinor: 400 })], [sale({})])).toEqual({ a: 'other-amount p1' });
    expect(found([row('a'), row('b')], [sale({})])).toEqual({ a: 'matched p1', b: 'duplicate p1' });
    expect(found([row('a')], [sale({})], [sale({})])).toEqual({ a: 'duplicate p1' });
    expect(found([row('a', { kind: 'refund', grossMinor: -500 })], [sale({})])).toEqual({
      a: 'not-booked p1',
    });
    expect(found([row('a', { reference: 'other' })], [sale({})])).toEqual({ a: 'none null' });
    expect(found([row('a', { currency: 'EUR' })], [sale({})])).toEqual({ a: 'other-amount p1' });
  });

  it('of partial refunds are matched by their own reference, and else by their amounts', () => {
    const refund = (own: string, amountMinor: number) =>
      sale({ kind: 'refund', amountMinor, ownReferences: [own] });
    const part = (key: string, ownReference: string | null, grossMinor: number) =>
      row(key, { kind: 'refund', ownReference, grossMinor });
    const booked = [sale({}), refund('r1', 100), refund('r2', 100), refund('r3', 50)];
    const rows = [part('a', 'r2', -100), part('b', null, -100), part('c', null, -50), part('d', null, -70)];
    expect(found(rows, booked)).toEqual({
      a: 'matched p1',
      b: 'matched p1',
      c: 'matched p1',
      d: 'not-booked p1',
    });
  });

  it('of terminals are matched by authorisation, amount and day, unless two fit', () => {
    const [one, two] = [
      sale({ authorisation: 'A1', references: [] }),
      sale({ paymentId: 'p2', authorisation: 'A1', references: [], day: '2026-11-19' }),
    ];
    const unnamed = row('a', { reference: null, authorisation: 'A1' });
    expect(found([unnamed], [one])).toEqual({ a: 'matched p1' });
    expect(found([unnamed], [one, two])).toEqual({ a: 'ambiguous null' });
    expect(found([unnamed], [{ ...one, lastFour: '1' }])).toEqual({ a: 'matched p1' });
    expect(found([{ ...unnamed, lastFour: '2' }], [{ ...one, lastFour: '1' }])).toEqual({ a: 'none null' });
    expect(found([{ ...unnamed, bookedOn: '2026-11-23' }], [one])).toEqual({ a: 'none null' });
  });

  it('are matched the same in any order, and nothing twice', () => {
    const kinds = ['sale', 'refund', 'chargeback'] as const;
    const nameOf = (n: number) => `psp${n}`;
    const movements = fc.array(
      fc.record({
        payment: fc.nat(3),
        kind: fc.constantFrom(...kinds),
        amountMinor: fc.constantFrom(100, 200),
        authorisation: fc.constantFrom('A', 'B', null),
        own: fc.constantFrom('x', 'y', null),
      }),
      { maxLength: 12 },
    );
    const rows = fc.array(
      fc.record({
        reference: fc.option(fc.nat(4).map(nameOf), { nil: null }),
        kind: fc.constantFrom(...kinds, 'fee' as const),
        grossMinor: fc.constantFrom(100, 200, -100, -200),
        authorisation: fc.constantFrom('A', 'B', null),
        ownReference: fc.constantFrom('x', 'y', 'z', null),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(movements, rows, fc.array(fc.nat(100)), (given, asked, shuffle) => {
        const booked = given.map(({ payment, own, ...one }) =>
          sale({
            ...one,
            paymentId: `p${payment}`,
            references: [nameOf(payment)],
            ownReferences: own === null ? [] : [`${payment}${own}`],
          }),
        );
        const toMatch = asked.map((one, n) => row(`r${n}`, one));
        const shuffled = [...toMatch].sort((a, b) => order(shuffle, a.key) - order(shuffle, b.key));
        const once = matchSettlement(toMatch, booked, []);
        expect(new Map([...matchSettlement(shuffled, booked, [])].sort())).toEqual(new Map([...once].sort()));
        expect(once.size).toBe(toMatch.length);
        for (const kind of kinds) {
          for (const { paymentId } of booked) {
            const taken = toMatch.filter(({ key, kind: own }) => {
              const match = once.get(key);
              const isTaking = match?.match === 'matched' || match?.match === 'other-amount';
              return own === kind && isTaking && match.paymentId === paymentId;
            });
            const ours = booked.filter((one) => one.paymentId === paymentId && one.kind === kind);
            expect(taken.length).toBeLessThanOrEqual(ours.length);
          }
        }
      }),
    );
  });
});

function order(shuffle: readonly number[], key: string): number {
  return shuffle[Number(key.slice(1)) % Math.max(1, shuffle.length)] ?? 0;
}

const batch = (id: string, fields: Partial<BatchToMatch> = {}): BatchToMatch => ({
  id,
  reference: `S-${id}`,
  currency: 'ISK',
  payoutMinor: 1000,
  paidOn: '2026-11-20',
  bankAccountId: null,
  ...fields,
});
const entry = (key: string, fields: Partial<EntryToMatch> = {}): EntryToMatch => ({
  key,
  accountId: 'bank',
  amountMinor: 1000,
  currency: 'ISK',
  bookedOn: '2026-11-21',
  texts: [],
  ...fields,
});
const paired = (entries: EntryToMatch[], batches: BatchToMatch[]) =>
  Object.fromEntries(
    [...matchBank(entries, batches)].map(([key, { batchId, match }]) => [key, `${match} ${batchId}`]),
  );

describe('entries of a bank', () => {
  it('are matched to a batch by amount and day', () => {
    expect(paired([entry('a')], [batch('100')])).toEqual({ a: 'matched 100' });
    expect(paired([entry('a', { amountMinor: 999 })], [batch('100')])).toEqual({ a: 'none null' });
    expect(paired([entry('a', { bookedOn: '2026-12-05' })], [batch('100')])).toEqual({ a: 'none null' });
    expect(paired([entry('a')], [batch('100', { bankAccountId: 'other' })])).toEqual({ a: 'none null' });
    expect(paired([entry('a', { currency: 'EUR' })], [batch('100')])).toEqual({ a: 'none null' });
  });

  it('are matched by the reference before the amount, and show another amount', () => {
    const named = entry('b', { texts: ['Rapyd s-200, uppgjör'] });
    expect(paired([entry('a'), named], [batch('100'), batch('200')])).toEqual({
      a: 'matched 100',
      b: 'matched 200',
    });
    expect(paired([{ ...named, amountMinor: 900 }], [batch('200')])).toEqual({ b: 'other-amount 200' });
    expect(paired([entry('a', { texts: ['S-2001'], amountMinor: 5 })], [batch('200')])).toEqual({
      a: 'none null',
    });
  });

  it('are ambiguous where two fit', () => {
    expect(paired([entry('a')], [batch('100'), batch('200')])).toEqual({ a: 'ambiguous null' });
    expect(paired([entry('a'), entry('b')], [batch('100')])).toEqual({
      a: 'ambiguous null',
      b: 'ambiguous null',
    });
  });

  it('take a payout that came back apart from the payout', () => {
    const back = batch('100:failed', { reference: 'po_100:failed', payoutMinor: -1000 });
    const out = batch('100', { reference: 'po_100' });
    const entries = [
      entry('a', { texts: ['po_100'] }),
      entry('b', { amountMinor: -1000, texts: ['po_100'] }),
    ];
    expect(paired(entries, [out, back])).toEqual({ a: 'matched 100', b: 'matched 100:failed' });
  });

  it('are matched the same in any order, and no batch twice', () => {
    const days = fc.constantFrom('2026-11-19', '2026-11-21', '2026-11-29');
    const batches = fc.array(fc.record({ payoutMinor: fc.constantFrom(1000, 2000, -1000), paidOn: days }), {
      maxLength: 8,
    });
    const entries = fc.array(
      fc.record({
        amountMinor: fc.constantFrom(1000, 2000, -1000),
        bookedOn: days,
        named: fc.option(fc.nat(8), { nil: null }),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(batches, entries, (given, asked) => {
        const all = given.map((one, n) => batch(`10${n}`, one));
        const open = asked.map(({ named, ...one }, n) =>
          entry(`e${n}`, { ...one, texts: named === null ? [] : [`greiðsla S-10${named}`] }),
        );
        const once = matchBank(open, all);
        const again = matchBank([...open].reverse(), [...all].reverse());
        expect(new Map([...again].sort())).toEqual(new Map([...once].sort()));
        const used = [...once.values()].flatMap(({ batchId }) => batchId ?? []);
        expect(new Set(used).size).toBe(used.length);
      }),
    );
  });
});
