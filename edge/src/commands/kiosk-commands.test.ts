import { utcTime } from '@hlid/protocol/base/utc-time';
import type { KioskFault } from '@hlid/protocol/pages/kiosk-api';
import type { Payment } from '@hlid/protocol/records/payment';
import type { NotMineCommand, TerminalCommand } from '@hlid/protocol/site-link/commands';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { TestTerminal } from '../../test/terminal.ts';
import { CommandAge } from './command-age.ts';
import { isFromKiosk, KioskCommands } from './kiosk-commands.ts';

const NOW = new Date('2026-11-21T08:00:00.000Z');
const COMMAND: NotMineCommand = {
  v: 1,
  id: '01a1fc93-bdd6-7682-9b18-8dd0566e2411',
  action: 'not-mine',
  visitId: '01a1fc93-bdd6-7682-9b18-8dd0566e2412',
  plate: 'BTE97',
  by: 'token:1',
  sentAt: utcTime(NOW),
  expiresAt: utcTime(NOW.getTime() + 1000),
  echo: null,
};

const PAYMENT: Payment = {
  id: '01a1fc93-bdd6-7682-9b18-8dd0566e2414',
  visitId: COMMAND.visitId,
  terminalId: 'pos-1',
  state: 'settled',
  amountMinor: 500,
  currency: 'ISK',
  units: 1,
  transaction: null,
  reason: null,
  needsPerson: false,
  receipt: [],
  language: 'is',
  createdAt: utcTime(NOW),
  changedAt: utcTime(NOW),
};

function commandsThatAnswer(fault: KioskFault | null) {
  const asked: { visitId: string; typed: string }[] = [];
  const clock = { now: () => NOW };
  const commands = new KioskCommands(
    { clock, log: pino({ enabled: false }) },
    {
      payments: null,
      paymentOf: async (id) => (id === PAYMENT.id ? PAYMENT : null),
      async disown(claim) {
        asked.push(claim);
        return fault;
      },
      claim: async () => fault,
      age: new CommandAge(clock),
    },
  );
  return { commands, asked };
}

it('an operator has a payment reversed at the terminal that took it', async () => {
  const { action: _, visitId: _visit, plate: _plate, ...common } = COMMAND;
  const paymentId = '01a1fc93-bdd6-7682-9b18-8dd0566e2413';
  const command: TerminalCommand = {
    ...common,
    action: 'reverse-payment',
    terminalId: 'pos-1',
    paymentId,
    by: 'account:1',
  };
  expect(isFromKiosk(command)).toBe(true);
  const reversed: unknown[] = [];
  const clock = { now: () => NOW };
  const commands = new KioskCommands(
    { clock, log: pino({ enabled: false }) },
    {
      payments: {
        terminalId: 'pos-1',
        status: () => new TestTerminal().status(),
        order: () => Promise.reject(new Error('nobody pays')),
        async reverse(...order) {
          reversed.push(order);
          return { ok: false, reason: 'not-reversible' };
        },
      },
      paymentOf: async () => null,
      disown: async () => null,
      claim: async () => null,
      age: new CommandAge(clock),
    },
  );
  expect(await commands.handle(command)).toMatchObject({ outcome: 'refused', reason: 'not-reversible' });
  expect(await commands.handle({ ...command, terminalId: 'pos-2' })).toMatchObject({ reason: 'no-terminal' });
  expect(reversed).toEqual([[paymentId, 'account:1']]);
  const question: TerminalCommand = { ...command, action: 'payment-state' };
  expect(isFromKiosk(question)).toBe(true);
  expect(await commands.handle(question)).toMatchObject({ outcome: 'refused', reason: 'not-found' });
});

it('the state of a payment is known of whatever terminal took it, also where there is none any more', async () => {
  const { action: _, visitId: _visit, plate: _plate, ...common } = COMMAND;
  const { commands } = commandsThatAnswer(null);
  const ask = (paymentId: string) =>
    commands.handle({ ...common, action: 'payment-state', terminalId: 'pos-9', paymentId });
  expect(await ask(PAYMENT.id)).toMatchObject({ outcome: 'done', payment: PAYMENT });
  expect(await ask(COMMAND.id)).toMatchObject({ outcome: 'refused', reason: 'not-found' });
});

describe('a driver who says at a kiosk of the cloud that a visit is not his', () => {
  it('has the exit open', async () => {
    const { commands, asked } = commandsThatAnswer(null);
    expect(isFromKiosk(COMMAND)).toBe(true);
    expect(await commands.handle(COMMAND)).toMatchObject({ id: COMMAND.id, outcome: 'done' });
    expect(asked).toEqual([{ visitId: COMMAND.visitId, typed: 'BTE97' }]);
  });

  it('hears why it does not, and not at all once the command is old', async () => {
    const { commands } = commandsThatAnswer('not-in-doubt');
    expect(await commands.handle(COMMAND)).toMatchObject({ outcome: 'refused', reason: 'not-in-doubt' });
    const old = { ...COMMAND, sentAt: utcTime(0), expiresAt: utcTime(1000) };
    const late = commandsThatAnswer(null);
    expect(await late.commands.handle(old)).toMatchObject({ outcome: 'expired' });
    expect(late.asked).toEqual([]);
  });
});
