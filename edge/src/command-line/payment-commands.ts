import { formatMoney } from '@hlid/protocol/base/money';
import { defineCommand, EXIT, type ExitCode, operand, textOption } from '@hlid/protocol/command-line/command';
import { z } from 'zod';
import { type Finding, FindingSchema, type PaymentCall } from '../local-api/technician-calls.ts';
import { callDaemon, DAEMON_WORDS } from './call-daemon.ts';
import type { Shell } from './shell.ts';

export const paymentList = defineCommand({
  name: 'payment list',
  summary: 'Show the card payments that wait for a person, and why',
  about: `${DAEMON_WORDS} A payment waits if its outcome is still unknown after the terminal was queried, or if its money should
be given back and the terminal refused (settled). Look it up in the terminal’s own list of the day.`,
  examples: ['payment list'],
  run: ({ json }, shell: Shell) => listPayments(json, shell),
});

export const paymentCode = defineCommand({
  name: 'payment code',
  operand: operand('CODE', ', as the driver’s phone shows it'),
  summary: 'Accept the code of a payment by phone that the site could not hear of',
  about: `${DAEMON_WORDS} The visit of the plate is paid, once, and an exit where its car waits opens. It works without the cloud.`,
  options: { plate: textOption('PLATE', 'the plate of the car, as the site has read it') },
  examples: ['payment code 7KQ2-M4XA --plate ABX12'],
  run: async ({ operand: code, options, json }, shell: Shell) => {
    if (options.plate === null) {
      shell.complain('Say which car the code is for: --plate PLATE.');
      return EXIT.wrongUsage;
    }
    const body: PaymentCall = { action: 'code', plate: options.plate, code };
    const answer = await callDaemon(shell, '/api/payments', { body });
    if (answer === null) return EXIT.failed;
    shell.print(json ? JSON.stringify(answer) : `${options.plate}: paid`);
    return EXIT.done;
  },
});

const FINDING_SUMMARIES: Record<Finding, string> = {
  booked: 'Record that the terminal has taken the money, and keeps it: the visit is paid',
  'not-booked': 'Record that the terminal has taken no money: the visit is not paid',
  'given-back': 'Record that the money was given back by hand',
};

/** The commands by which a person records what the terminal's list has about a payment. */
export const paymentFindings = FindingSchema.options.map((finding) =>
  defineCommand({
    name: `payment ${finding}`,
    operand: operand('PAYMENT', '; payment list shows them'),
    summary: FINDING_SUMMARIES[finding],
    about: DAEMON_WORDS,
    examples: [`payment ${finding} 01a1fc93-bdd6-7682-9b18-8dd0566e2420`],
    run: ({ operand: payment, json }, shell: Shell) =>
      recordFinding({ action: 'found', payment, finding }, { json, shell }),
  }),
);

/** The fields that are shown: the daemon may have another version than this tool. */
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

const QUESTIONS: Record<string, string> = {
  unknown: 'booked, not-booked or given-back?',
  settled: 'to be given back: given-back, or booked if it is kept?',
};

const REASON_WORDS: Record<string, string> = {
  'no-such-terminal':
    'its terminal is not in the configuration any more (put it back with the same id, and it is queried again)',
  'another-booking': 'the latest booking of the terminal is another payment',
  'nothing-booked-any-more': 'the terminal has no bookings any more',
  'terminal-does-not-report': 'the terminal does not report the outcome',
  'reverse-not-possible': 'the terminal could not reverse it',
};

async function listPayments(json: boolean, shell: Shell): Promise<ExitCode> {
  const body: PaymentCall = { action: 'list' };
  const answer = await callDaemon(shell, '/api/payments', { body });
  if (answer === null) return EXIT.failed;
  const { payments } = PaymentsSchema.parse(answer);
  if (json) shell.print(JSON.stringify(answer));
  else if (payments.length === 0) shell.print('No payment waits for a person.');
  else for (const payment of payments) shell.print(lineOf(payment));
  return EXIT.done;
}

async function recordFinding(
  call: PaymentCall & { action: 'found' },
  { json, shell }: { json: boolean; shell: Shell },
): Promise<ExitCode> {
  const answer = await callDaemon(shell, '/api/payments', { body: call });
  if (answer === null) return EXIT.failed;
  shell.print(json ? JSON.stringify(answer) : `${call.payment}: ${call.finding}`);
  return EXIT.done;
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
    id,
    createdAt,
    formatMoney({ amountMinor, currency }, 'en'),
    card && `${card.type} ${card.lastFour ?? ''}`.trim(),
    `${terminalId}${reference === null ? '' : ` ${reference}`}`,
    reason && (REASON_WORDS[reason] ?? reason),
    QUESTIONS[state],
  ];
  return parts.filter(Boolean).join('  ');
}
