import { deadline } from '@hlid/protocol/test/deadline';
import { describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { CARDS } from './zvt-cards.ts';
import type { ZvtFaults, ZvtStep } from './zvt-faults.ts';
import { order, startRig, witness } from './zvt-rig.ts';
import type { ZvtTerminalOptions } from './zvt-terminal.ts';

/**
 * A payment in which something breaks: its reported outcome is never wrong, a query finds the outcome, and
 * the next payment succeeds.
 *
 * @param booked whether the terminal has the sale in the end; null: it depends on which message was lost
 */
async function payAndBreak(
  line: NonNullable<ZvtTerminalOptions['line']>,
  fault: Partial<ZvtFaults>,
  booked: boolean | null,
): Promise<void> {
  const rig = await startRig(
    { line, answerMs: deadline(300) },
    { replyTimeoutMs: deadline(500), completionMs: deadline(500) },
  );
  const { sim, driver } = rig;
  try {
    await rig.ready();
    const before = await driver.lastResult();
    Object.assign(sim.faults, fault);
    sim.present(CARDS.visa);
    const outcome = await driver.pay(order(), witness().events);
    // Behind a serial line it cannot detect a new connection.
    sim.heal();
    const after = await waitFor(
      async () => {
        const result = await driver.lastResult();
        return result.kind === 'transaction' && result;
      },
      { what: 'the terminal to report its newest transaction' },
    );
    const isBooked = sim.book.sales.length === 1;
    if (booked !== null) expect(isBooked).toBe(booked);
    // A certain result may be reported; anything else is unknown.
    expect(outcome.kind === 'unknown' || (outcome.kind === 'approved') === isBooked).toBe(true);
    if (isBooked) expect(after).toMatchObject({ transaction: { amountMinor: 1500 }, reversed: false });
    else expect(after).toEqual(before);
    await rig.ready();
    sim.present(CARDS.visa);
    expect(await driver.pay(order(), witness().events)).toMatchObject({ kind: 'approved' });
    expect(sim.book.sales).toHaveLength(isBooked ? 2 : 1);
  } finally {
    await rig.close();
  }
}

/** Whether the terminal has a booking in the end, where it breaks at a step. */
const BOOKED: Record<ZvtStep, boolean> = {
  command: false,
  accepted: false,
  card: false,
  approval: false,
  'approval-sent': false,
  answered: false,
  stored: true,
  completed: true,
};
const STEPS = Object.entries(BOOKED).map(([step, booked]) => ({ step, booked }));

describe.each(['powerCutAt', 'lineCutAt', 'silentAt'] as const)('a payment over TCP (%s)', (fault) => {
  it.concurrent.each(STEPS)('breaks at $step', ({ step, booked }) =>
    payAndBreak('tcp', { [fault]: step }, booked),
  );
});

/** Its answer, two prompts, the approval, two receipts, the completion; and what is beyond. */
const MESSAGES = [1, 2, 3, 4, 5, 6, 7, 8];

describe.each(['silence', 'line-cut', 'power-cut'] as const)('a payment over a serial line (%s)', (fault) => {
  it.concurrent.each(MESSAGES)('breaks before message %i', (number) =>
    payAndBreak('serial', { atMessage: { number, fault } }, null),
  );
});
