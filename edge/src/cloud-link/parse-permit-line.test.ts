import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import type { Permit } from '@hlid/protocol/records/whitelist';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { testPermit } from '../../test/site.ts';
import { parseSnapshotLine } from './parse-feed.ts';
import { parsePermitLine } from './parse-permit-line.ts';

/** The line of a permit, as the cloud writes it. */
const lineOf = (permit: object, id: string) =>
  `{"kind":"permit","id":${JSON.stringify(id)},"item":${canonicalJson(permit)}}`;
const permitLine = (more: Partial<Permit> = {}) => {
  const permit = testPermit('ABX12', more);
  return { permit, text: lineOf(permit, permit.id) };
};

describe('the line of a permit', () => {
  const rules = [
    { weekdays: [1, 2, 5], from: '08:00', to: '16:59' },
    { weekdays: [7], from: '22:00', to: '06:00' },
  ];
  it.each<[string, Partial<Permit>]>([
    ['that holds for ever', {}],
    [
      'for a time',
      { type: 'time', activeFrom: '2026-11-21T08:00:00.000Z', expireAt: '2028-02-29T23:59:59.999Z' },
    ],
    ['of a visit', { type: 'visit', visitId: '01933333-7777-7777-8777-123456789abc', effect: 'block' }],
    ['for some days of the week', { rules, status: 'paused' }],
    ['of an account with limits', { arrivalsOnly: true, parkedMinutes: 120 }],
    ['for a plate with letters of other countries', { plate: 'ÞÓR무1' }],
  ])('%s is read without taking it apart', (_which, more) => {
    const { permit, text } = permitLine(more);
    const { id, plate } = permit;
    expect(parsePermitLine(text)).toEqual({ kind: 'permit', id, plate, body: canonicalJson(permit) });
  });

  it.each<[string, string]>([
    ['in another order', JSON.stringify({ kind: 'permit', id: 'a', item: testPermit('ABX12', { id: 'a' }) })],
    ['with a field that is not known', lineOf({ ...testPermit('ABX12', { id: 'a' }), note: 'x' }, 'a')],
    ['with a day that there is not', permitLine({ expireAt: '2026-02-29T00:00:00.000Z' }).text],
    ['without a plate', permitLine({ plate: '' }).text],
    ['with an escape', permitLine({ plate: 'A"B' }).text],
    ['of another id than its item', lineOf(testPermit('ABX12'), 'other')],
    ['with a space', permitLine().text.replace(',', ', ')],
    ['with more behind it', `${permitLine().text}{}`],
    ['that is cut off', permitLine().text.slice(0, -1)],
    ['of a vehicle', permitLine().text.replace('"kind":"permit"', '"kind":"vehicle"')],
  ])('%s is left to the schema', (_which, text) => {
    expect(parsePermitLine(text)).toBeNull();
  });
});

test('what it takes, the schema takes too, and reads the same, whatever happened to the line', () => {
  const Text = fc.string({
    maxLength: 4,
    unit: fc.constantFrom(...'AB12CD þ무𐀀\u2028"\\\n'),
  });
  const Time = fc.option(
    fc
      .date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((at) => at.toISOString()),
  );
  const Clock = fc
    .tuple(fc.nat(24), fc.nat(60))
    .map((parts) => parts.map((n) => `${n}`.padStart(2, '0')).join(':'));
  const Rule = fc.record({
    weekdays: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 3 }),
    from: Clock,
    to: Clock,
  });
  const AnyPermit = fc.record({
    id: Text,
    plate: Text,
    effect: fc.constantFrom('allow', 'block', 'allow', 'other'),
    type: fc.constantFrom('permanent', 'time', 'visit'),
    visitId: fc.option(Text),
    activeFrom: Time,
    expireAt: Time,
    status: fc.constantFrom('active', 'paused'),
    rules: fc.array(Rule, { maxLength: 2 }),
  });
  let taken = 0;
  fc.assert(
    fc.property(AnyPermit, fc.nat(400), fc.constantFrom('', '', '"', '9', ','), (permit, at, typo) => {
      const whole = lineOf(permit, permit.id);
      const written = typo === '' ? whole : whole.slice(0, at) + typo + whole.slice(at + 1);
      // The line goes through bytes once, as it does on its way here.
      const text = Buffer.from(written).toString();
      const read = parsePermitLine(text);
      if (!read) return;
      taken++;
      const line = JSON.parse(text);
      const reported = parseSnapshotLine(line);
      expect(reported.success && reported.data).toEqual(line);
      const { id, plate, body } = read;
      expect({ id, plate, body }).toEqual({
        id: line.id,
        plate: line.item.plate,
        body: canonicalJson(line.item),
      });
    }),
    { numRuns: 500 },
  );
  expect(taken).toBeGreaterThan(5);
});
