import { utcTime } from '@hlid/protocol/base/utc-time';
import { describe, expect, it } from 'vitest';
import { TerminalAmount } from '../terminal-amount.ts';
import type { LocallinkCalls, Reply } from './locallink-calls.ts';
import { findSaleOutcome } from './sale-outcome.ts';
import type { OpenSale } from './terminal-memory.ts';

const NOW = Date.parse('2026-11-21T10:00:00.000Z');
const MINUTE = 60_000;
const UTI = 'fcdaa106-e046-403f-ae12-5fc145c68130';

/** The terminal has forgotten the sale, or never named it; only its day's totals show it. */
function byTakings(
  sale: Partial<OpenSale> & { ageMs: number },
  taken: number,
  more: Partial<LocallinkCalls> = {},
) {
  const { ageMs, ...open } = sale;
  const asked: string[] = [];
  const says =
    <T>(what: string, reply: Reply<T>) =>
    async () => {
      asked.push(what);
      return reply;
    };
  const nothing = says<never>('nothing', { kind: 'refused', status: 400 });
  const calls: LocallinkCalls = {
    pair: nothing,
    sell: nothing,
    reverse: nothing,
    getTransaction: nothing,
    refuseOwnCard: nothing,
    closeDay: nothing,
    cancel: says('cancel', { kind: 'ok', value: null }),
    status: says('status', { kind: 'ok', value: { status: 'TERMINAL_AVAILABLE' } }),
    dayTotals: says('totals', { kind: 'ok', value: { totalSales: taken, totalRefunds: 0 } }),
    ...more,
  };
  const outcome = findSaleOutcome(
    {
      orderId: 'o',
      amountMinor: 1500,
      currency: 'ISK',
      uti: null,
      takenBefore: 0,
      at: utcTime(NOW - ageMs),
      ...open,
    },
    { calls, amounts: new TerminalAmount('ISK', 2), clock: { now: () => new Date(NOW) }, lateMs: 15_000 },
  );
  return { outcome, asked };
}

describe('a sale that the terminal does not know by a name', () => {
  it.each([
    ['has taken what it had taken before', { ageMs: MINUTE, takenBefore: 900 }, 900, 'not-booked'],
    ['had taken nothing, and has taken nothing', { ageMs: MINUTE }, 0, 'not-booked'],
    // The day may have been closed with it, and begun again.
    ['has taken nothing for longer', { ageMs: 6 * MINUTE }, 0, 'unavailable'],
    ['has had its day closed', { ageMs: MINUTE, takenBefore: null }, 0, 'unavailable'],
    ['has taken more', { ageMs: MINUTE }, 150_000, 'unavailable'],
    ['has taken less', { ageMs: MINUTE, takenBefore: 900 }, 0, 'unavailable'],
    ['has forgotten its name too', { ageMs: MINUTE, takenBefore: 900, uti: UTI }, 900, 'not-booked'],
    // The call may still be on its way.
    ['may hear of it yet', { ageMs: 1000, takenBefore: 900 }, 900, 'unavailable'],
    [
      'may hear of it yet, by a clock that was set back',
      { ageMs: -MINUTE, takenBefore: 900 },
      900,
      'unavailable',
    ],
  ] as const)('and that %s', async (_what, sale, taken, kind) => {
    expect((await byTakings(sale, taken).outcome).kind).toBe(kind);
  });

  it('is called off while the terminal is at work', async () => {
    const status = async () => ({ kind: 'ok', value: { status: 'TERMINAL_BUSY' } }) as const;
    const { outcome, asked } = byTakings({ ageMs: MINUTE, takenBefore: 900 }, 900, { status });
    expect((await outcome).kind).toBe('unavailable');
    expect(asked).toEqual(['cancel']);
  });
});
