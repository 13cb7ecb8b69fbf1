import { describe, expect, it } from 'vitest';
import { readTransaction, StartedSchema } from './locallink-answers.ts';

const UTI = 'fcdaa106-e046-403f-ae12-5fc145c68130';
const FINISHED = {
  uti: UTI,
  transApproved: true,
  transCancelled: false,
  totalAmount: '150000',
  currencyCode: '352',
  terminalId: '34550576',
};

describe('what a LocalLink terminal says of a sale', () => {
  it.each<[string, object]>([
    ['with no more than there must be', {}],
    [
      'with empty members instead of none',
      { authCode: null, messageId: null, voided: null, applicationId: null },
    ],
    [
      'with numbers for texts',
      { totalAmount: 150_000, currencyCode: 352, terminalId: 34_550_576, messageId: 7 },
    ],
    ['with members that nobody knows', { loyalty: { points: 3 }, statusDescription: 'Approved' }],
  ])('is read %s', (_what, more) => {
    expect(readTransaction({ ...FINISHED, ...more })).toMatchObject({
      kind: 'finished',
      result: {
        uti: UTI,
        transApproved: true,
        transCancelled: false,
        voided: false,
        totalAmount: 150_000,
        currency: 'ISK',
        terminalId: '34550576',
      },
    });
  });

  it('is no result where it does not say how much, or whether', () => {
    for (const missing of ['totalAmount', 'transApproved', 'currencyCode']) {
      const body = { ...FINISHED, [missing]: undefined };
      expect(readTransaction(body)).toEqual({ kind: 'unreadable' });
      expect(readTransaction({ ...body, statusDescription: 'Wait' })).toEqual({
        kind: 'progress',
        text: 'Wait',
      });
    }
  });

  it('has a name that stands in an address as it is', () => {
    expect(StartedSchema.safeParse({ uti: 'T-000123' }).success).toBe(true);
    expect(StartedSchema.safeParse({ uti: '' }).success).toBe(false);
    expect(StartedSchema.safeParse({ uti: '../status' }).success).toBe(false);
  });
});
