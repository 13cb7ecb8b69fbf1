import { expect, it } from 'vitest';
import { TestTerminal, testTransaction } from '../../test/terminal.ts';
import { ScaledTerminal } from './scaled-terminal.ts';
import { TerminalAmount } from './terminal-amount.ts';

const ORDER = { id: 'p-1', amountMinor: 1500, currency: 'ISK', language: 'is' } as const;

function scaled() {
  const inner = new TestTerminal();
  return { inner, terminal: new ScaledTerminal(inner, new TerminalAmount('ISK', 2)) };
}

/** Pays, and returns what the till received of the approval. */
async function approve(approvedMinor: number) {
  const { inner, terminal } = scaled();
  const reported: number[] = [];
  const paid = terminal.pay(ORDER, {
    onPrompt: () => undefined,
    async onApproval({ amountMinor }) {
      reported.push(amountMinor);
      return true;
    },
  });
  const { order, events, end } = inner.paying();
  const stands = await events.onApproval(testTransaction(approvedMinor));
  end({ kind: 'approved', transaction: testTransaction(approvedMinor), receipt: [] });
  return { asked: order.amountMinor, reported, stands, outcome: await paid };
}

it('asks and answers in the currency’s own unit', async () => {
  expect(await approve(150_000)).toMatchObject({
    asked: 150_000,
    reported: [1500],
    stands: true,
    outcome: { kind: 'approved', transaction: { amountMinor: 1500 } },
  });
});

it('refuses an approval that is no whole amount', async () => {
  expect(await approve(150_050)).toMatchObject({ reported: [], stands: false, outcome: { kind: 'unknown' } });
});

it('remembers, takes back and sums up in the currency’s own unit', async () => {
  const { inner, terminal } = scaled();
  inner.last = { kind: 'transaction', transaction: testTransaction(150_000), reversed: false };
  expect(await terminal.lastResult()).toMatchObject({ transaction: { amountMinor: 1500 } });
  await terminal.reverse(testTransaction(1500));
  expect(inner.reversed).toMatchObject([{ amountMinor: 150_000 }]);
  const cards = [{ type: 'visa' as const, count: 1, amountMinor: 150_000 }];
  inner.totals = { totals: { cards, currency: 'ISK', receipt: [] }, problem: null };
  expect(await terminal.endOfDay()).toMatchObject({ totals: { cards: [{ amountMinor: 1500 }] } });
  inner.last = { kind: 'transaction', transaction: testTransaction(150_050), reversed: false };
  expect(await terminal.lastResult()).toMatchObject({ kind: 'unavailable' });
});
