import { withTimeout } from '@hlid/node/with-timeout';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { isFault, messageOf } from '@hlid/protocol/base/fault';
import { controlOf, readApdu } from './apdu-frame.ts';
import type { ApduLine } from './apdu-line.ts';
import { bareMessage } from './bare-message.ts';
import { COMMANDS, isAnswer, isPositive } from './command-names.ts';
import { readMessage, type ZvtMessage } from './message-frame.ts';
import { RESULT } from './result-codes.ts';
import { abort, MAX_STATUS_INFOS, negative, positive } from './zvt-commands.ts';

/** How a command came to its end. */
export type DialogueEnd =
  /** `code`: the code of the completion itself (field 27); null: none. */
  | { kind: 'completed'; code: number | null; message: ZvtMessage }
  | { kind: 'aborted'; code: number; message: ZvtMessage }
  /** Answered with 84 xx: nothing was begun. */
  | { kind: 'refused'; code: number }
  /** It certainly never got there. */
  | { kind: 'not-sent'; problem: string }
  /** It is unknown how it ended. `line`: not the terminal is silent, but the way to it. */
  | { kind: 'lost'; problem: string; line: boolean };

/** The reply to a status-information (04 0F): 80 00 00, or 84 66 00, after which the terminal reverses the sale. */
export type ApprovalReply = 'accept' | 'refuse';

export interface DialogueEvents {
  onStatus?(message: ZvtMessage): ApprovalReply | Promise<ApprovalReply>;
  /** Whether the reply has reached the terminal, as far as that can be known. */
  onAnswered?(reply: ApprovalReply, delivered: boolean): void;
  onIntermediate?(message: ZvtMessage): void;
  onPrint?(message: ZvtMessage): void;
}

export interface DialogueTiming {
  /** T3: for the answer to a command. */
  replyMs: number;
  /** T4: between two messages of the terminal while it is at work. */
  completionMs: number;
  /** How long the reply to an approval may take before the terminal has to repeat it (84 9C). */
  approvalMs: number;
}

interface Running {
  events: DialogueEvents;
  phase: 'asked' | 'at-work' | 'over';
  wantsAbort: boolean;
  completionMs: number;
  timer: NodeJS.Timeout | undefined;
  waits: number;
  end(end: DialogueEnd): void;
}

/** Runs a command and its dialogue; never rejects. */
export type CommandRunner = Pick<Dialogues, 'run'>;

/**
 * Commands on one line and what follows them, one at a time: the till sends a command, and the terminal is master until
 * it has completed or given up.
 */
export class Dialogues {
  readonly #line: ApduLine;
  readonly #timing: DialogueTiming;
  readonly #onEnd: (end: DialogueEnd) => void;
  #running: Running | null = null;
  /** Messages are answered one after the other. */
  #answering: Promise<void> = Promise.resolve();

  /** @param onEnd called at the end of each command, before `run` resolves */
  constructor(line: ApduLine, timing: DialogueTiming, onEnd: (end: DialogueEnd) => void = () => undefined) {
    this.#line = line;
    this.#timing = timing;
    this.#onEnd = onEnd;
  }

  run(command: Uint8Array, events: DialogueEvents = {}): Promise<DialogueEnd> {
    return new Promise((resolve) => {
      const done = (end: DialogueEnd) => {
        this.#onEnd(end);
        resolve(end);
      };
      void this.#send(this.#begin(events, done), command);
    });
  }

  /** A command without a completion, such as log-off: resolves at its answer. */
  async runToAnswer(command: Uint8Array): Promise<void> {
    await new Promise<unknown>((resolve) => {
      const dialogue = this.#begin({}, resolve);
      dialogue.completionMs = 0;
      void this.#send(dialogue, command);
    });
  }

  /** Sends 06 B0 to the running command. Its end shows whether the terminal aborted it. */
  abort(): void {
    if (!this.#running) return;
    this.#running.wantsAbort = true;
    if (this.#running.phase === 'at-work') void this.#answer(abort());
  }

  /** A message from the line. */
  receive(bytes: Uint8Array): void {
    const control = controlOf(bytes);
    // The answer to a command comes before whatever follows it; it waits for no reply.
    if (isAnswer(control)) {
      if (this.#running) this.#onCommandAnswer(this.#running, control);
      return;
    }
    this.#answering = this.#answering
      .then(() => this.#inTurn(bytes))
      .catch((error: unknown) =>
        this.#running?.end({ kind: 'lost', problem: messageOf(error), line: false }),
      );
  }

  /** The line is gone. */
  lose(problem: string): void {
    this.#running?.end({ kind: 'lost', problem, line: true });
  }

  #begin(events: DialogueEvents, done: (end: DialogueEnd) => void): Running {
    const dialogue: Running = {
      events,
      phase: 'asked',
      wantsAbort: false,
      completionMs: this.#timing.completionMs,
      timer: undefined,
      waits: 0,
      end: (end) => {
        if (dialogue.phase === 'over') return;
        dialogue.phase = 'over';
        clearTimeout(dialogue.timer);
        if (this.#running === dialogue) this.#running = null;
        done(end);
      },
    };
    this.#running = dialogue;
    return dialogue;
  }

  async #send(dialogue: Running, command: Uint8Array): Promise<void> {
    try {
      await this.#line.send(command);
      if (dialogue.phase === 'asked') arm(dialogue, this.#timing.replyMs, 'the terminal does not answer');
    } catch (error) {
      // The answer proves that the command has arrived after all.
      if (dialogue.phase !== 'asked') return;
      const problem = messageOf(error);
      const unsent = isFault(error, 'link-refused');
      dialogue.end(unsent ? { kind: 'not-sent', problem } : { kind: 'lost', problem, line: true });
    }
  }

  async #answer(apdu: Uint8Array): Promise<boolean> {
    try {
      await this.#line.send(apdu);
      return true;
    } catch {
      // The line reports by itself that it is gone, or the next silence does.
      return false;
    }
  }

  #onCommandAnswer(dialogue: Running, control: number): void {
    // A terminal that is at work answers an abort.
    if (dialogue.phase !== 'asked') rest(dialogue);
    else if (!isPositive(control)) dialogue.end({ kind: 'refused', code: control & 0xff });
    else {
      dialogue.phase = 'at-work';
      rest(dialogue);
      if (dialogue.wantsAbort) void this.#answer(abort());
    }
  }

  async #inTurn(bytes: Uint8Array): Promise<void> {
    const apdu = readApdu(bytes);
    const message = apdu.ok ? readMessage(apdu.value) : apdu;
    if (!message.ok) return await this.#onUnreadable(bytes);
    if (this.#running?.phase === 'at-work') return await this.#onMessage(this.#running, message.value);
    return await this.#onStray(message.value);
  }

  async #onMessage(dialogue: Running, message: ZvtMessage): Promise<void> {
    clearTimeout(dialogue.timer);
    switch (message.control) {
      case COMMANDS.statusInformation:
        await this.#onStatus(dialogue, message);
        break;
      case COMMANDS.intermediateStatus:
        dialogue.completionMs = minutesOf(message) ?? this.#timing.completionMs;
        dialogue.events.onIntermediate?.(message);
        await this.#answer(positive());
        break;
      case COMMANDS.printLine:
      case COMMANDS.printTextBlock:
        dialogue.events.onPrint?.(message);
        await this.#answer(positive());
        break;
      case COMMANDS.setTime:
        await this.#answer(positive());
        break;
      case COMMANDS.completion:
        await this.#answer(positive());
        return dialogue.end({ kind: 'completed', code: resultCodeOf(message), message });
      case COMMANDS.abortByTerminal: {
        await this.#answer(positive());
        const code = message.lead.resultCode ?? RESULT.cancelled;
        return dialogue.end({ kind: 'aborted', code, message });
      }
      default:
        await this.#answer(negative(RESULT.functionNotPossible));
    }
    rest(dialogue);
  }

  async #onStatus(dialogue: Running, message: ZvtMessage): Promise<void> {
    // An approval without a reply is refused, whatever error it was.
    const reply = replyTo(dialogue, message).catch((): ApprovalReply => 'refuse');
    const soon = await withTimeout(reply, this.#timing.approvalMs, () => null);
    if (soon === null && dialogue.waits < MAX_STATUS_INFOS - 1) {
      dialogue.waits++;
      await this.#answer(negative(RESULT.busy));
      return;
    }
    const final = soon ?? 'refuse';
    const delivered = await this.#answer(final === 'accept' ? positive() : negative(RESULT.processingError));
    dialogue.events.onAnswered?.(final, delivered);
  }

  /** Answers a message without a dialogue, or after the end of one: an approval in it is refused. */
  async #onStray(message: ZvtMessage): Promise<void> {
    // Some show what is to be done before they have answered the command.
    if (message.control === COMMANDS.intermediateStatus) this.#running?.events.onIntermediate?.(message);
    await this.#answer(isApproval(message) ? negative(RESULT.processingError) : positive());
  }

  async #onUnreadable(bytes: Uint8Array): Promise<void> {
    const known = bareMessage(bytes);
    if (known && this.#running?.phase === 'at-work') return await this.#onMessage(this.#running, known);
    // An approval that cannot be read is refused too: the terminal reverses it.
    await this.#answer(known ? positive() : negative(RESULT.functionNotPossible));
    if (this.#running?.phase === 'at-work') rest(this.#running);
  }
}

function arm(dialogue: Running, ms: number, problem: string): void {
  clearTimeout(dialogue.timer);
  if (dialogue.phase !== 'over') {
    dialogue.timer = setTimeout(() => dialogue.end({ kind: 'lost', problem, line: false }), ms);
  }
}

function rest(dialogue: Running): void {
  arm(dialogue, dialogue.completionMs, 'the terminal says nothing any more');
}

/** An approval without a running sale belongs to an older payment and is refused. */
async function replyTo({ events }: Running, message: ZvtMessage): Promise<ApprovalReply> {
  if (events.onStatus) return await events.onStatus(message);
  return isApproval(message) ? 'refuse' : 'accept';
}

function isApproval(message: ZvtMessage): boolean {
  return message.control === COMMANDS.statusInformation && resultCodeOf(message) === RESULT.ok;
}

function resultCodeOf({ fields }: ZvtMessage): number | null {
  return fields.find(({ id }) => id === 0x27)?.value[0] ?? null;
}

/** The T4 that an intermediate status sets, in minutes of BCD. */
function minutesOf({ lead: { timeoutMinutes } }: ZvtMessage): number | null {
  if (timeoutMinutes === undefined) return null;
  const minutes = (timeoutMinutes >> 4) * 10 + (timeoutMinutes & 0x0f);
  return minutes > 0 ? minutes * MINUTE_MS : null;
}
