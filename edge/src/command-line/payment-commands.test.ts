import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestBoard } from '../../test/board.ts';
import { testContext } from '../../test/payments.ts';
import { runAtTerminal } from '../../test/shell.ts';
import { createTestSite } from '../../test/site.ts';
import { TestTerminal, testTransaction } from '../../test/terminal.ts';
import { writeTechnicianKey } from '../local-api/technician-key.ts';
import { PaymentService } from '../payment/payment-service.ts';

let folder: string;
let site: ReturnType<typeof createTestSite>;
let terminal: TestTerminal;
let payments: PaymentService;
let board: ReturnType<typeof createTestBoard>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-payments-'));
  site = createTestSite();
  site.price(500);
  terminal = new TestTerminal();
  payments = new PaymentService(testContext(site), {
    terminalId: 'pos-1',
    terminal,
    stays: site.core.stays,
    records: site.core.paymentRecords,
    dayClosesAt: '04:00',
    timeZone: () => 'Atlantic/Reykjavik',
    timing: { firstPauseMs: 1, maxPauseMs: 2 },
  });
  payments.start();
  board = createTestBoard({ payments });
  const { url } = await board.api.start();
  writeTechnicianKey(folder, { url, secret: 'the-secret' });
});
afterEach(async () => {
  await payments.stop();
  await board.api.stop();
  site.close();
  rmSync(folder, { recursive: true });
});

const run = (line: string) => runAtTerminal(line.split(' '), { environment: { HLID_DATA_DIR: folder } });
const stored = (id: string) => site.core.paymentRecords.store.get(id)?.payment;

async function begin(): Promise<string> {
  await site.read('in-1', 'ABX12');
  site.wait(2 * HOUR_MS);
  const visitId = site.core.stays.visits.openByPlate('ABX12')?.id ?? '';
  const answer = await payments.order({ visitId, language: 'is' }, crypto.randomUUID());
  if (!answer.ok) throw new Error(answer.reason);
  await expect.poll(() => terminal.isPaying()).toBe(true);
  return answer.payment.id;
}

/** The line breaks, and what the terminal reports afterwards settles nothing. */
async function unknown(): Promise<string> {
  const id = await begin();
  terminal.last = { kind: 'transaction', transaction: testTransaction(999), reversed: false };
  terminal.paying().end({ kind: 'unknown', problem: 'no line' });
  await expect.poll(() => stored(id)?.needsPerson).toBe(true);
  return id;
}

/** The driver has gone, the terminal has booked it all the same and does not take it back. */
async function kept(): Promise<string> {
  const id = await begin();
  await payments.cancel(id);
  terminal.reverses = 'not-possible';
  const transaction = testTransaction(500);
  expect(await terminal.paying().events.onApproval(transaction)).toBe(false);
  terminal.paying().end({ kind: 'approved', transaction, receipt: [] });
  await expect.poll(() => stored(id)?.needsPerson).toBe(true);
  return id;
}

it('payment list shows whatever waits for a person', async () => {
  expect(await run('payment list')).toMatchObject({ code: 0, printed: ['No payment waits for a person.'] });
  expect(payments.signs().payments.state).toBe('ok');
  const id = await unknown();
  const { printed } = await run('payment list');
  expect(printed.join()).toMatch(
    new RegExp(`^${id}  .*ISK.500.*pos-1  the latest .* another payment  booked, not-booked or given-back`),
  );
  const scripted = await run('payment list --json');
  expect(JSON.parse(scripted.printed.join())).toMatchObject({ payments: [{ id, state: 'unknown' }] });
});

describe('the finding of a person resolves it', () => {
  it.each([
    ['booked', 'settled', 1],
    ['not-booked', 'cancelled', 0],
    ['given-back', 'reversed', 0],
  ] as const)('a payment of unknown outcome was %s', async (finding, state, unitsMet) => {
    const id = await unknown();
    expect(await run(`payment ${finding} ${id}`)).toMatchObject({ code: 0, printed: [`${id}: ${finding}`] });
    expect(stored(id)).toMatchObject({ state, needsPerson: false, reason: 'person: technician' });
    expect(site.visits()).toMatchObject([{ unitsMet, flags: [] }]);
    expect(payments.signs().payments.state).toBe('ok');
    expect(await run(`payment ${finding} ${id}`)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining(id),
    });
  });

  it.each([
    ['booked', 'settled', 1],
    ['given-back', 'reversed', 0],
  ] as const)('money that should go back and could not was %s', async (finding, state, unitsMet) => {
    const id = await kept();
    expect(payments.signs().payments.state).toBe('failing');
    const { printed } = await run('payment list');
    expect(printed.join()).toContain(
      'visa 1111  pos-1 0001  the terminal could not reverse it  to be given back',
    );
    expect(await run(`payment not-booked ${id}`)).toMatchObject({ code: 1 });
    expect(await run(`payment ${finding} ${id}`)).toMatchObject({ code: 0 });
    expect(stored(id)).toMatchObject({ state, needsPerson: false });
    // Money that went back does not open the exit.
    expect(site.visits()).toMatchObject([{ unitsMet, paidUntil: unitsMet > 0 ? expect.anything() : null }]);
    expect(payments.signs().payments.state).toBe('ok');
  });
});

it('says what it needs', async () => {
  expect(await run('payment booked')).toMatchObject({ code: 2 });
  expect(await run('payment booked one two')).toMatchObject({ code: 2 });
  expect(await run('payment booked 0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11')).toMatchObject({ code: 1 });
});
