import { type Apdu, readHead } from './apdu-frame.ts';
import { COMMANDS } from './command-names.ts';
import type { Lead, ZvtMessage } from './message-frame.ts';
import { RESULT } from './result-codes.ts';
import { SEE_TEXT } from './terminal-prompts.ts';

/**
 * A message with unreadable data, if its kind alone determines the answer. A sale must not fail for a prompt
 * or a line of a receipt, and an end is one whatever it contains. Null: only the content determines the
 * meaning.
 */
export function bareMessage(bytes: Uint8Array): ZvtMessage | null {
  const head = readHead(bytes);
  switch (head?.control) {
    case COMMANDS.printLine:
    case COMMANDS.printTextBlock:
    case COMMANDS.completion:
    case COMMANDS.setTime:
      return bare(head, {});
    case COMMANDS.intermediateStatus:
      return bare(head, { status: bytes[head.dataStart] ?? SEE_TEXT });
    case COMMANDS.abortByTerminal:
      return bare(head, { resultCode: bytes[head.dataStart] ?? RESULT.cancelled });
    default:
      return null;
  }
}

function bare({ control, lengthForm }: Pick<Apdu, 'control' | 'lengthForm'>, lead: Lead): ZvtMessage {
  return { control, lengthForm, lead, fields: [] };
}
