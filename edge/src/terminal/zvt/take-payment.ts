import type { PayEvents, PayOrder, PayOutcome, TerminalTransaction } from '../terminal.ts';
import type { Dialogues, Verdict } from './dialogue.ts';
import type { ZvtMessage } from './message-frame.ts';
import { type PayStatus, payOutcome } from './pay-outcome.ts';
import { createReceiptBook, shownText } from './receipt-lines.ts';
import { RESULT } from './result-codes.ts';
import { readStatusInformation, type StatusFacts, transactionOf } from './status-information.ts';
import { promptOf, SEE_TEXT } from './terminal-prompts.ts';
import { authorisation } from './zvt-commands.ts';
import type { ZvtOptions } from './zvt-options.ts';

/** The terminal at the other end, as it has said at login. */
interface Known {
  terminalId: string | null;
  currencyNumber: number;
}

/** One authorisation, from 06 01 to its completion. */
export async function takePayment(
  dialogues: Dialogues,
  order: PayOrder,
  events: PayEvents,
  known: Known,
  options: Pick<ZvtOptions, 'charset' | 'repeatsAmount'>,
): Promise<PayOutcome> {
  const receipts = createReceiptBook(options.charset);
  let status: PayStatus | null = null;
  /** An approval is told once, however often the terminal says it. */
  let told: { reference: string; verdict: Promise<Verdict> } | null = null;

  function judge(message: ZvtMessage): Verdict | Promise<Verdict> {
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
      status = { kind: 'refused', why: wrong ?? 'terminal' };
      return 'refuse';
    }
    status = { kind: 'approved', transaction, answer: 'none' };
    if (told?.reference !== transaction.reference) {
      told = { reference: transaction.reference, verdict: ask(transaction) };
    }
    return told.verdict;
  }

  async function ask(transaction: TerminalTransaction): Promise<Verdict> {
    try {
      return (await events.onApproval(transaction)) ? 'accept' : 'refuse';
    } catch {
      return 'refuse';
    }
  }

  const end = await dialogues.run(
    authorisation({ amountMinor: order.amountMinor, currency: known.currencyNumber }),
    {
      onStatus: judge,
      onAnswered(verdict, delivered) {
        if (status?.kind !== 'approved' || !delivered) return;
        status = { ...status, answer: verdict === 'accept' ? 'accepted' : 'refused' };
      },
      onIntermediate: (message) =>
        events.onPrompt(promptOf(message.lead.status ?? SEE_TEXT), shownText(message, options.charset)),
      onPrint: receipts.take,
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
  // Without one it means EUR (PA00P015, field 49).
  const said = currency ?? (repeatsAmount ? 'EUR' : order.currency);
  if (said !== order.currency) return 'currency';
  if (amount !== order.amountMinor) return 'amount';
  const another = terminalId !== null && known.terminalId !== null && terminalId !== known.terminalId;
  return another ? 'terminal' : null;
}
