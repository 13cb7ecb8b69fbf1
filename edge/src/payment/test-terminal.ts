import { utcTime } from '@hlid/protocol/utc-time';
import type {
  LastResult,
  PayEvents,
  PayOrder,
  PayOutcome,
  Terminal,
  TerminalConnection,
  TerminalStatus,
  TerminalTransaction,
} from '../terminal/terminal.ts';

/** A terminal that does what the test says, for rules alone; how real ones behave is for their simulators. */
export interface TestTerminal extends Terminal {
  connection: TerminalConnection;
  last: LastResult;
  reverses: Awaited<ReturnType<Terminal['reverse']>>;
  reversed: TerminalTransaction[];
  cancels: number;
  /** The payment at which it is; throws where there is none. */
  paying(): { order: PayOrder; events: PayEvents; end: (outcome: PayOutcome) => void };
  isPaying(): boolean;
  totals: Awaited<ReturnType<Terminal['endOfDay']>>;
}

export function testTerminal(): TestTerminal {
  let paying: ReturnType<TestTerminal['paying']> | null = null;
  const since = utcTime(new Date('2026-11-21T08:00:00.000Z'));
  const status = (): TerminalStatus => ({
    connection: terminal.connection,
    code: null,
    problem: null,
    since,
  });
  const terminal: TestTerminal = {
    connection: 'CONNECTED',
    last: { kind: 'none' },
    reverses: 'reversed',
    reversed: [],
    cancels: 0,
    totals: { totals: { cards: [], currency: 'ISK', receipt: [] }, problem: null },
    paying() {
      if (!paying) throw new Error('nobody pays');
      return paying;
    },
    isPaying: () => paying !== null,
    start: () => undefined,
    stop: async () => paying?.end({ kind: 'unknown', problem: 'stopped' }),
    status,
    onStatus: () => () => undefined,
    pay: (order, events) =>
      new Promise((resolve) => {
        paying = {
          order,
          events,
          end(outcome) {
            paying = null;
            resolve(outcome);
          },
        };
      }),
    async cancel() {
      terminal.cancels++;
    },
    async reverse(transaction) {
      terminal.reversed.push(transaction);
      return terminal.reverses;
    },
    lastResult: async () => terminal.last,
    endOfDay: async () => terminal.totals,
  };
  return terminal;
}

export function testTransaction(amountMinor: number, reference = '0001'): TerminalTransaction {
  return {
    ...{ reference, terminalId: '52500001', amountMinor, currency: 'ISK', authorisation: '123456' },
    ...{ card: { type: 'visa', lastFour: '1111' }, at: null, marks: {} },
  };
}
