import { COMMANDS, isPositive } from '@hlid/edge/terminal/zvt/command-names';
import { writeMessage, type ZvtMessage } from '@hlid/edge/terminal/zvt/message-frame';
import { abortMessage, intermediate, type PrintStyle, printed, receiptsOf } from './zvt-answers.ts';
import type { ZvtEntry } from './zvt-book.ts';
import type { ZvtTalk } from './zvt-talk.ts';

/** The messages that a simulated terminal sends on its own, as far as the registered till accepts them. */
export interface ZvtVoice {
  /** 04 FF with a text. */
  show(status: number, text: string): Promise<void>;
  /** The merchant's and the customer's receipt; false: one of them was not taken. */
  print(entry: ZvtEntry): Promise<boolean>;
  /** Sends a report for the operator, such as a diagnosis. */
  report(lines: readonly string[]): Promise<void>;
  /** 06 0F. */
  complete(content?: Partial<Pick<ZvtMessage, 'lead' | 'fields'>>): Promise<void>;
  /** 06 1E. */
  abort(code: number): Promise<void>;
}

/** Bits of the registration: the till prints payment and admin receipts; it shows what is to be done; as text. */
const PRINTS = 0x02;
const PRINTS_REPORTS = 0x04;
const WANTS_INTERMEDIATE = 0x08;
const AS_TEXT = 0x80;

/** The data of a till at its registration. */
export interface RegisteredTill {
  config: number;
  /** It has sent a container, so it gets some. */
  takesTlv: boolean;
  /** It has named 06 D3 among the commands that it takes. */
  takesBlocks: boolean;
}

export function createZvtVoice(
  { ask, askLast }: Pick<ZvtTalk, 'ask' | 'askLast'>,
  messages: {
    till: () => RegisteredTill | null;
    terminalId: string;
    style: PrintStyle;
    /** The timeout T4 that its intermediate statuses set. */
    minutes: number | null;
    texts: Readonly<Record<string, string>>;
  },
): ZvtVoice {
  const wants = (bits: number) => ((messages.till()?.config ?? 0) & bits) !== 0;

  const style = () => ({
    ...messages.style,
    byLines: messages.style.byLines || messages.till()?.takesBlocks !== true,
  });

  async function areTaken(messages: readonly Uint8Array[]): Promise<boolean> {
    for (const message of messages) {
      const answer = await ask(message);
      if (!answer || !isPositive(answer.control)) return false;
    }
    return true;
  }

  return {
    async show(status, text) {
      if (!wants(WANTS_INTERMEDIATE)) return;
      const shown = messages.till()?.takesTlv ? (messages.texts[text] ?? text) : null;
      await ask(intermediate(status, shown, messages.minutes));
    },
    async print(entry) {
      if (!wants(PRINTS) || !wants(AS_TEXT)) return true;
      const receipts = receiptsOf(entry, messages.terminalId);
      return areTaken(receipts.flatMap(({ type, lines }) => printed(type, lines, style())));
    },
    async report(lines) {
      if (wants(PRINTS_REPORTS) && wants(AS_TEXT)) await areTaken(printed(3, lines, style()));
    },
    async complete(content = {}) {
      await askLast(writeMessage({ control: COMMANDS.completion, ...content }));
    },
    async abort(code) {
      await askLast(abortMessage(code));
    },
  };
}
