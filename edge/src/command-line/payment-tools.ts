import { formatMoney } from '@hlid/protocol/money';
import type { WaitingPayment } from '../local-api/payment-calls.ts';
import { askDaemon, findDaemon } from './ask-daemon.ts';
import type { Command } from './command.ts';
import type { ExitCode, Terminal } from './terminal-streams.ts';

const WAITS_FOR: Record<string, string> = {
  unknown: 'booked, not-booked or given-back?',
  settled: 'to be given back: given-back, or booked where it stays?',
};

const WHY_WORDS: Record<string, string> = {
  'no-such-terminal':
    'its terminal is not in the configuration any more (with the same id there again, it is asked itself)',
  'another-booking': 'the newest that the terminal has booked is another one',
  'nothing-booked-any-more': 'the terminal has forgotten what it booked',
  'terminal-does-not-tell': 'the terminal does not tell what became of it',
  'reverse-not-possible': 'the terminal could not take it back',
};

/** Shows the payments of the running daemon that wait for a person. */
export async function paymentList(
  { json }: Extract<Command, { kind: 'payment-list' }>,
  terminal: Terminal,
): Promise<ExitCode> {
  const answer = await ask({ action: 'list' }, terminal);
  if (answer === null) return 1;
  const { payments } = answer as { payments: WaitingPayment[] };
  if (json) terminal.print(JSON.stringify({ payments }));
  else if (payments.length === 0) terminal.print('No payment waits for anybody.');
  else for (const payment of payments) terminal.print(lineOf(payment));
  return 0;
}

/** Tells the running daemon what a person has found out of one. */
export async function paymentFound(
  { paymentId, finding, json }: Extract<Command, { kind: 'payment-found' }>,
  terminal: Terminal,
): Promise<ExitCode> {
  const answer = await ask({ action: 'found', payment: paymentId, finding }, terminal);
  if (answer === null) return 1;
  terminal.print(json ? JSON.stringify(answer) : `${paymentId}: ${finding}`);
  return 0;
}

async function ask(body: object, terminal: Terminal): Promise<unknown> {
  const daemon = findDaemon(terminal);
  return daemon && (await askDaemon(daemon, terminal, '/api/payments', { body }));
}

function lineOf({
  id,
  terminalId,
  state,
  reason,
  amountMinor,
  currency,
  createdAt,
  transaction,
}: WaitingPayment): string {
  const { reference, card } = transaction ?? { reference: null, card: null };
  const parts = [
    ...[id, createdAt, formatMoney({ amountMinor, currency }, 'en')],
    card && `${card.type} ${card.lastFour ?? ''}`.trim(),
    `${terminalId}${reference === null ? '' : ` ${reference}`}`,
    reason && (WHY_WORDS[reason] ?? reason),
    WAITS_FOR[state],
  ];
  return parts.filter(Boolean).join('  ');
}
