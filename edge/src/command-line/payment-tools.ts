import { formatMoney } from '@hlid/protocol/money';
import { z } from 'zod';
import { askDaemon, findDaemon } from './ask-daemon.ts';
import type { Command } from './command.ts';
import type { ExitCode, Shell } from './shell.ts';

/** As far as it is shown; the daemon may be of another version than this tool. */
const WaitingSchema = z.looseObject({
  id: z.string(),
  terminalId: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  amountMinor: z.int(),
  currency: z.string(),
  createdAt: z.string(),
  transaction: z
    .looseObject({
      reference: z.string(),
      card: z.looseObject({ type: z.string(), lastFour: z.string().nullable() }),
    })
    .nullable(),
});
const PaymentsSchema = z.looseObject({ payments: z.array(WaitingSchema) });

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
  shell: Shell,
): Promise<ExitCode> {
  const answer = await ask({ action: 'list' }, shell);
  if (answer === null) return 1;
  const { payments } = PaymentsSchema.parse(answer);
  if (json) shell.print(JSON.stringify(answer));
  else if (payments.length === 0) shell.print('No payment waits for anybody.');
  else for (const payment of payments) shell.print(lineOf(payment));
  return 0;
}

/** Tells the running daemon what a person has found out of one. */
export async function paymentFound(
  { paymentId, finding, json }: Extract<Command, { kind: 'payment-found' }>,
  shell: Shell,
): Promise<ExitCode> {
  const answer = await ask({ action: 'found', payment: paymentId, finding }, shell);
  if (answer === null) return 1;
  shell.print(json ? JSON.stringify(answer) : `${paymentId}: ${finding}`);
  return 0;
}

async function ask(body: object, shell: Shell): Promise<unknown> {
  const daemon = findDaemon(shell);
  return daemon && (await askDaemon(daemon, shell, '/api/payments', { body }));
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
}: z.infer<typeof WaitingSchema>): string {
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
