import { expect, it } from 'vitest';
import type { PayOrder } from '../terminal.ts';
import { bytesOf } from './bcd-frame.ts';
import { COMMANDS } from './command-names.ts';
import type { ApprovalReply, CommandRunner } from './dialogue.ts';
import type { ZvtMessage } from './message-frame.ts';
import { takePayment } from './take-payment.ts';

const ORDER: PayOrder = { id: 'o', amountMinor: 1500, currency: 'ISK', language: 'is' };
const APPROVED = [
  { id: 0x27, value: bytesOf('00') },
  { id: 0x04, value: bytesOf('000000001500') },
  { id: 0x49, value: bytesOf('0352') },
  { id: 0x87, value: bytesOf('0007') },
];
const DECLINED = [{ id: 0x27, value: bytesOf('05') }];
/** An electronic purse reports a part of the card and no result. */
const NO_RESULT = [{ id: 0x8a, value: bytesOf('0a') }];

/** A payment in which the terminal sends these, is answered each time, and then completes. */
async function pay(messages: readonly ZvtMessage['fields'][], stands = true) {
  const answers: ApprovalReply[] = [];
  const dialogues: CommandRunner = {
    async run(_command, events = {}) {
      for (const fields of messages) {
        const message: ZvtMessage = {
          control: COMMANDS.statusInformation,
          lengthForm: 'short',
          lead: {},
          fields,
        };
        const verdict = (await events.onStatus?.(message)) ?? 'accept';
        answers.push(verdict);
        events.onAnswered?.(verdict, true);
      }
      const message: ZvtMessage = { control: COMMANDS.completion, lengthForm: 'short', lead: {}, fields: [] };
      return { kind: 'completed', code: null, message };
    },
  };
  const outcome = await takePayment(
    dialogues,
    ORDER,
    { onPrompt() {}, onApproval: async () => stands },
    { terminalId: null, currencyNumber: 352 },
    { charset: 'auto', repeatsAmount: true },
  );
  return { kind: outcome.kind, answers };
}

it.each([
  ['approved', [APPROVED], 'approved'],
  ['a second try after a wrong PIN', [DECLINED, APPROVED], 'approved'],
  ['declined', [DECLINED], 'declined'],
  // That must not count as declined: it may be booked.
  ['no result at all', [NO_RESULT], 'unknown'],
  ['no result, and then one', [NO_RESULT, APPROVED], 'approved'],
  ['declined, after its approval was confirmed', [APPROVED, DECLINED], 'unknown'],
  ['no result, after its approval was confirmed', [APPROVED, NO_RESULT], 'unknown'],
])('a terminal that says: %s', async (_what, messages, kind) => {
  expect((await pay(messages)).kind).toBe(kind);
});

it('does not take what was refused for taken because something else was acknowledged after it', async () => {
  expect(await pay([APPROVED, NO_RESULT], false)).toEqual({ kind: 'unknown', answers: ['refuse', 'accept'] });
});
