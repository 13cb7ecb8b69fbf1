import { defineCommand, EXIT, type ExitCode, operand } from '@hlid/protocol/command-line/command';
import { formatMoney } from '@hlid/protocol/money';
import { z } from 'zod';
import type { PersonFinding } from '../payment/payment-transitions.ts';
import { askDaemon, DAEMON_WORDS, findDaemon } from './ask-daemon.ts';
import type { Shell } from './shell.ts';

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

export const paymentList = defineCommand({
  name: 'payment list',
  summary: 'Show the card payments that wait for a person, and why',
  about: `${DAEMON_WORDS} A payment waits where asking the terminal did not settle what became of it (unknown), or where its
money should go back and the terminal would not (settled). Look for it in the terminal’s own list of the day.`,
  examples: ['payment list'],
  run: ({ json }, shell: Shell) => listPayments(json, shell),
});

export const paymentBooked = paymentFinding(
  'booked',
  'Record that the terminal has taken its money, which stays: its visit is paid',
);
export const paymentNotBooked = paymentFinding(
  'not-booked',
  'Record that the terminal has taken nothing: its visit is not paid',
);
export const paymentGivenBack = paymentFinding('given-back', 'Record that its money was given back by hand');

/** The command by which a person records what he has found out about a payment. */
function paymentFinding(finding: PersonFinding, summary: string) {
  return defineCommand({
    name: `payment ${finding}`,
    operand: operand('PAYMENT', '; payment list shows them'),
    summary,
    about: DAEMON_WORDS,
    examples: [`payment ${finding} 01a1fc93-bdd6-7682-9b18-8dd0566e2420`],
    run: ({ operand: paymentId, json }, shell: Shell) => settle(paymentId, finding, { json, shell }),
  });
}

async function listPayments(json: boolean, shell: Shell): Promise<ExitCode> {
  const answer = await ask({ action: 'list' }, shell);
  if (answer === null) return EXIT.failed;
  const { payments } = PaymentsSchema.parse(answer);
  if (json) shell.print(JSON.stringify(answer));
  else if (payments.length === 0) shell.print('No payment waits for anybody.');
  else for (const payment of payments) shell.print(lineOf(payment));
  return EXIT.done;
}

async function settle(
  paymentId: string,
  finding: PersonFinding,
  { json, shell }: { json: boolean; shell: Shell },
): Promise<ExitCode> {
  const answer = await ask({ action: 'found', payment: paymentId, finding }, shell);
  if (answer === null) return EXIT.failed;
  shell.print(json ? JSON.stringify(answer) : `${paymentId}: ${finding}`);
  return EXIT.done;
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
