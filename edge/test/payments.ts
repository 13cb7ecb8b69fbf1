import type { Payment, PaymentState } from '@hlid/protocol/records/payment';
import { pino } from 'pino';
import { expect } from 'vitest';
import type { EdgeContext } from '../src/outbox/edge-context.ts';
import type { PaymentRecords } from '../src/payment/payment-records.ts';
import { PaymentService } from '../src/payment/payment-service.ts';
import type { ResolverTiming } from '../src/payment/resolve-payments.ts';
import type { PayOutcome, TerminalTransaction } from '../src/terminal/terminal.ts';
import { createTestSite } from './site.ts';
import { TestTerminal, testTransaction } from './terminal.ts';

export const HOUR = 3_600_000;

/**
 * A site at which drivers pay: its rules and its database are real, its terminal is controlled by the test.
 */
export interface TestPayments {
  site: ReturnType<typeof createTestSite>;
  terminal: TestTerminal;
  payments: PaymentService;
  records: PaymentRecords;
  /** Lets a car in, and time go by. @returns its visit */
  inside(plate?: string, hours?: number): Promise<string>;
  order(visitId: string, more?: object, key?: string): ReturnType<PaymentService['order']>;
  /** Orders, and waits until the terminal has the order. @returns the payment */
  begin(visitId: string, more?: object): Promise<string>;
  ended(id: string): Promise<void>;
  /** @returns whether it was to stand */
  approve(id: string, amountMinor?: number): Promise<boolean>;
  /** The payment states of the events, in their order. */
  states(): PaymentState[];
  stored(id: string): Payment | undefined;
  /** Ends and begins again, with the terminal of that name. */
  restart(terminalId: string): Promise<void>;
  close(): Promise<void>;
}

/** The context of a test site, without a log. */
export function testContext({ db, core, now }: ReturnType<typeof createTestSite>): EdgeContext {
  const { commit, events } = core;
  return { db, commit, events, clock: { now: () => new Date(now()) }, log: pino({ enabled: false }) };
}

export function createTestPayments(options: { timing?: Partial<ResolverTiming> } = {}): TestPayments {
  const site = createTestSite();
  const records = site.core.paymentRecords;
  const terminal = new TestTerminal();
  let payments = startPayments('pos-1');

  function startPayments(terminalId: string) {
    const started = new PaymentService(testContext(site), {
      terminalId,
      terminal,
      stays: site.core.stays,
      records: site.core.paymentRecords,
      dayClosesAt: '04:00',
      timeZone: () => 'Atlantic/Reykjavik',
      timing: {
        firstPauseMs: 1,
        maxPauseMs: 2,
        triesWhileConnected: 3,
        letOutAfterMs: 60_000,
        ...options.timing,
      },
      stopTimeoutMs: 50,
    });
    started.start();
    return started;
  }

  const order: TestPayments['order'] = (visitId, more = {}, key = crypto.randomUUID()) =>
    payments.order({ visitId, language: 'is', ...more }, key);

  async function ended(id: string): Promise<void> {
    await expect.poll(() => payments.isActive(id)).toBe(false);
  }

  return {
    site,
    terminal,
    records,
    get payments() {
      return payments;
    },
    async inside(plate = 'ABX12', hours = 2) {
      await site.read('in-1', plate);
      site.wait(hours * HOUR);
      return site.core.stays.visits.openByPlate(plate)?.id ?? '';
    },
    order,
    async begin(visitId, more = {}) {
      const answer = await order(visitId, more);
      if (!answer.ok) throw new Error(answer.reason);
      await expect.poll(() => terminal.isPaying()).toBe(true);
      return answer.payment.id;
    },
    ended,
    async approve(id, amountMinor = 500) {
      const { events, end } = terminal.paying();
      const transaction: TerminalTransaction = testTransaction(amountMinor);
      const stands = await events.onApproval(transaction);
      const outcome: PayOutcome = stands
        ? { kind: 'approved', transaction, receipt: ['KVITTUN'] }
        : { kind: 'cancelled', code: null };
      end(outcome);
      await ended(id);
      return stands;
    },
    states: () =>
      site.events().flatMap(({ body }) => (body.type === 'payment.changed' ? [body.payment.state] : [])),
    stored: (id) => records.store.get(id)?.payment,
    async restart(terminalId) {
      await payments.stop();
      payments = startPayments(terminalId);
    },
    async close() {
      await payments.stop();
      site.close();
    },
  };
}
