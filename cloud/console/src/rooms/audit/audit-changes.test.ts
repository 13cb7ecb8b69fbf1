import { describe, expect, it } from 'vitest';
import { type FieldWords, fieldChanges } from './audit-changes.ts';

const NAMES: Readonly<Record<string, string>> = {
  name: 'Name',
  capacity: 'Capacity',
  lanes: 'Lanes',
  plate: 'Plate',
  status: 'State',
  amountMinor: 'Amount',
  endedAt: 'Left',
  siteId: 'Site',
  customerId: 'Customer',
  tariff: 'Tariff',
};
const WORDS: FieldWords = {
  fieldName: (field) => NAMES[field],
  codeText: (code) => (code === 'need-payment' ? 'to be paid' : code),
  moneyText: (amountMinor, currency) => `${currency} ${amountMinor}`,
  numberText: String,
  momentText: (at) => `at ${at.slice(11, 16)}`,
  siteName: (id) => (id === 's' ? 'Harbour' : 'Airport'),
  laneName: (id) => (id === 'in-1' ? 'Entrance 1' : 'Entrance 2'),
  yes: 'Yes',
  no: 'No',
  changed: 'changed',
};

describe('fieldChanges', () => {
  it('names what differs, at any depth, with lanes and sites by their names', () => {
    const before = { name: 'Cellar', settings: { capacity: 80, lanes: ['in-1', 'in-2'] }, siteId: 's' };
    const after = { name: 'Basement', settings: { capacity: null, lanes: ['in-1'] }, siteId: 't' };
    expect(fieldChanges(before, after, WORDS)).toEqual({
      changes: [
        { field: 'Name', before: 'Cellar', after: 'Basement' },
        { field: 'Capacity', before: '80', after: '' },
        { field: 'Lanes', before: 'Entrance 1, Entrance 2', after: 'Entrance 1' },
        { field: 'Site', before: 'Harbour', after: 'Airport' },
      ],
      hidden: 0,
    });
  });

  it('writes amounts with their currency, and moments and codes in words', () => {
    const after = {
      amountMinor: 500,
      currency: 'ISK',
      status: 'need-payment',
      endedAt: '2026-11-28T07:30:00.000Z',
    };
    expect(fieldChanges(null, after, WORDS).changes).toEqual([
      { field: 'Amount', before: '', after: 'ISK 500' },
      { field: 'State', before: '', after: 'to be paid' },
      { field: 'Left', before: '', after: 'at 07:30' },
    ]);
  });

  it('counts what people have no name for, and what is an id', () => {
    const id = '0192f0c1-2222-7abc-8def-1234567890ab';
    expect(fieldChanges(null, { customerId: id, exitPatienceMs: 5 }, WORDS)).toEqual({
      changes: [],
      hidden: 2,
    });
  });

  it('names a part that is not read field by field as a whole', () => {
    const config = { tariff: { lines: [{ kind: 'flat', amountMinor: 500 }] } };
    expect(fieldChanges({ config }, null, WORDS).changes).toEqual([
      { field: 'Tariff', before: '', after: 'changed' },
    ]);
  });

  it('shows the rows of what was deleted', () => {
    expect(fieldChanges({ rows: [{ plate: 'AB123' }] }, null, WORDS).changes).toEqual([
      { field: 'Plate', before: 'AB123', after: '' },
    ]);
  });
});
