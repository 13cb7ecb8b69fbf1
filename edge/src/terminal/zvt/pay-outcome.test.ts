import { describe, expect, it } from 'vitest';
import type { TerminalTransaction } from '../terminal.ts';
import type { DialogueEnd } from './dialogue.ts';
import { type PayStatus, payOutcome } from './pay-outcome.ts';

const TRANSACTION: TerminalTransaction = {
  reference: '0001.000001',
  terminalId: '52500001',
  amountMinor: 1500,
  currency: 'ISK',
  authorisation: null,
  card: { type: 'visa', lastFour: '1111' },
  at: null,
  marks: {},
};
const message = { control: 0x060f, lengthForm: 'short', lead: {}, fields: [] } as const;

const COMPLETED: DialogueEnd = { kind: 'completed', code: null, message: { ...message, fields: [] } };
const LOST: DialogueEnd = { kind: 'lost', problem: 'gone', line: true };
const aborted = (code: number): DialogueEnd => ({
  kind: 'aborted',
  code,
  message: { ...message, fields: [] },
});
const refused = (code: number): DialogueEnd => ({ kind: 'refused', code });
const approved = (answer: 'none' | 'accepted' | 'refused'): PayStatus => {
  return { kind: 'approved', transaction: TRANSACTION, answer };
};

describe('the outcome of a payment', () => {
  it.each<[string, DialogueEnd, PayStatus | null, string]>([
    ['approved, taken and completed', COMPLETED, approved('accepted'), 'approved'],
    ['completed, and nothing said of money', COMPLETED, null, 'unknown'],
    ['completed although it was refused', COMPLETED, approved('refused'), 'unknown'],
    ['completed before our answer was out', COMPLETED, approved('none'), 'unknown'],
    ['completed and declined', COMPLETED, { kind: 'declined', code: 5 }, 'declined'],
    ['given up without a word', aborted(0x6c), null, 'cancelled'],
    ['given up for a fault', aborted(0x64), null, 'declined'],
    ['given up after a decline', aborted(0x6c), { kind: 'declined', code: 5 }, 'declined'],
    ['given up because nobody wants it', aborted(0x66), approved('refused'), 'cancelled'],
    [
      'given up because it was another amount',
      aborted(0x66),
      { kind: 'refused', reason: 'amount' },
      'declined',
    ],
    ['given up although it was taken', aborted(0x6c), approved('accepted'), 'unknown'],
    ['lost before anything', LOST, null, 'unknown'],
    ['lost after a decline', LOST, { kind: 'declined', code: 5 }, 'unknown'],
    ['lost after it was taken', LOST, approved('accepted'), 'unknown'],
    ['never sent', { kind: 'not-sent', problem: 'closed' }, null, 'not-sent'],
    ['busy', refused(0x9c), null, 'not-sent'],
    ['not registered', refused(0x6b), null, 'not-sent'],
    ['wrong currency', refused(0x6f), null, 'declined'],
  ])('%s', (_what, end, status, kind) => {
    expect(payOutcome(end, status, []).kind).toBe(kind);
  });

  it('names the reason as it was given', () => {
    expect(payOutcome(refused(0x6f), null, [])).toMatchObject({ reason: 'currency', code: '6F' });
    expect(payOutcome(aborted(0x78), null, [])).toMatchObject({ reason: 'card-expired' });
    expect(payOutcome(aborted(0x05), { kind: 'declined', code: 0x55 }, [])).toMatchObject({
      reason: 'wrong-pin',
    });
  });
});
