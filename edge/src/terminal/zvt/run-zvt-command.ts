import type { ApprovalReply, CommandRunner, DialogueEnd } from './dialogue.ts';
import { ReceiptLines } from './receipt-lines.ts';
import { codeText, RESULT } from './result-codes.ts';
import { readStatusInformation, type StatusFacts } from './status-information.ts';
import type { ZvtOptions } from './zvt-options.ts';

/** The result of a command other than a payment. */
export interface ZvtCommandResult {
  end: DialogueEnd;
  /** The newest status-information: the last one counts. */
  facts: StatusFacts | null;
  receipt: string[];
}

/** @param replyTo the reply to a status-information; without it all are accepted */
export async function runZvtCommand(
  dialogues: CommandRunner,
  command: Uint8Array,
  { charset }: Pick<ZvtOptions, 'charset'>,
  replyTo: (facts: StatusFacts) => ApprovalReply = () => 'accept',
): Promise<ZvtCommandResult> {
  const receipts = new ReceiptLines(charset);
  let facts: StatusFacts | null = null;
  const end = await dialogues.run(command, {
    onStatus(message) {
      facts = readStatusInformation(message);
      return replyTo(facts);
    },
    onPrint: (message) => receipts.add(message),
  });
  return { end, facts, receipt: receipts.lines('all') };
}

/** Whether the command succeeded: its completion, and the messages before it, have no code but 00. */
export function isDone({ end, facts }: ZvtCommandResult): boolean {
  return end.kind === 'completed' && [end.code, facts?.resultCode ?? null].every((code) => !code);
}

/** The terminal is at work for itself, and may be asked again soon. */
export function isBusy(end: DialogueEnd): boolean {
  if (end.kind === 'refused' || end.kind === 'aborted') return end.code === RESULT.busy || end.code === 0xa0;
  return end.kind === 'completed' && end.message.lead.terminalStatus === RESULT.busy;
}

/** Why it did not, for a technician. */
export function problemOfCommand({ end, facts }: ZvtCommandResult): string {
  switch (end.kind) {
    case 'lost':
    case 'not-sent':
      return end.problem;
    case 'aborted':
    case 'refused':
      return `the terminal refuses it (${codeText(end.code)})`;
    case 'completed':
      return `the terminal says ${codeText(facts?.resultCode || end.code || RESULT.ok)}`;
    default:
      return end satisfies never;
  }
}
