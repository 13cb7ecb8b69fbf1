import { tipOf } from '@hlid/protocol/rules/payment-transitions';
import type { PayEvents, PayOrder, PayOutcome, TerminalTransaction } from '../terminal.ts';
import type { ApprovalReply, CommandRunner } from './dialogue.ts';
import type { ZvtMessage } from './message-frame.ts';
import { type PayStatus, payOutcome } from './pay-outcome.ts';
import { ReceiptLines, shownText } from './receipt-lines.ts';
import { RESULT } from './result-codes.ts';
import { readStatusInformation, type StatusFacts, transactionOf } from './status-information.ts';
import { promptOf, SEE_TEXT } from './terminal-prompts.ts';
import { authorisation } from './zvt-commands.ts';
import type { ZvtOptions } from './zvt-options.ts';

/** The terminal at the other end, as it has reported at login. */
interface Known {
  terminalId: string | null;
  currencyNumber: number;
}

/** One authorisation, from 06 01 to its completion. */
export async function takePayment(
  dialogues: CommandRunner,
  order: PayOrder,
  events: PayEvents,
  known: Known,
  options: Pick<ZvtOptions, 'charset' | 'repeatsAmount'>,
): Promise<PayOutcome> {
  const receipts = new ReceiptLines(options.charset);
  let status: PayStatus | null = null;
  /** An approval is passed on once, however often the terminal repeats it. */
  let approval: { reference: string; reply: Promise<ApprovalReply> } | null = null;

  function replyTo(message: ZvtMessage): ApprovalReply | Promise<ApprovalReply> {
    const facts = readStatusInformation(message);
    if (facts.resultCode !== RESULT.ok) {
      const wasTaken = status?.kind === 'approved' && status.answer === 'accepted';
      const { resultCode: code } = facts;
      status = code === null || wasTaken ? { kind: 'doubtful' } : { kind: 'declined', code };
      return 'accept';
    }
    const asked = options.repeatsAmount ? null : { ...order, terminalId: known.terminalId };
    const transaction = transactionOf(facts, asked);
    const wrong = differenceOf(facts, order, known, options.repeatsAmount);
    if (!transaction || wrong) {
      status = { kind: 'refused', reason: wrong ?? 'terminal' };
      return 'refuse';
    }
    status = { kind: 'approved', transaction, answer: 'none' };
    if (approval?.reference !== transaction.reference) {
      approval = { reference: transaction.reference, reply: ask(transaction) };
    }
    return approval.reply;
  }

  async function ask(transaction: TerminalTransaction): Promise<ApprovalReply> {
    try {
      return (await events.onApproval(transaction)) ? 'accept' : 'refuse';
    } catch {
      return 'refuse';
    }
  }

  const end = await dialogues.run(
    authorisation({ amountMinor: order.amountMinor, currency: known.currencyNumber }),
    {
      onStatus: replyTo,
      onAnswered(reply, delivered) {
        if (status?.kind !== 'approved' || !delivered) return;
        status = { ...status, answer: reply === 'accept' ? 'accepted' : 'refused' };
      },
      onIntermediate: (message) =>
        events.onPrompt(promptOf(message.lead.status ?? SEE_TEXT), shownText(message, options.charset)),
      onPrint: (message) => receipts.add(message),
    },
  );
  return payOutcome(end, status, receipts.lines());
}

/** Every answer is checked against its order: 84 66 00 to what is another's. */
function differenceOf(
  facts: StatusFacts,
  order: PayOrder,
  known: Known,
  repeatsAmount: boolean,
): 'amount' | 'currency' | 'terminal' | null {
  const { amountMinor, currency, terminalId } = facts;
  const amount = repeatsAmount ? amountMinor : (amountMinor ?? order.amountMinor);
  // A missing currency means EUR (PA00P015, field 49).
  const approvedCurrency = currency ?? (repeatsAmount ? 'EUR' : order.currency);
  if (approvedCurrency !== order.currency) return 'currency';
  const booking = amount === null ? null : { amountMinor: amount, currency: order.currency };
  if (booking === null || tipOf(order, booking, order.takesTips ?? false) === null) return 'amount';
  const another = terminalId !== null && known.terminalId !== null && terminalId !== known.terminalId;
  return another ? 'terminal' : null;
}
