import { isFault, messageOf } from '@hlid/protocol/fault';
import { controlOf, readApdu } from './apdu-frame.ts';
import type { ApduLine } from './apdu-line.ts';
import { bareMessage } from './bare-message.ts';
import { COMMANDS, isAnswer, isPositive } from './command-names.ts';
import { readMessage, type ZvtMessage } from './message-frame.ts';
import { RESULT } from './result-codes.ts';
import { abort, MAX_STATUS_INFOS, negative, positive } from './zvt-commands.ts';

/** How a command came to its end. */
export type DialogueEnd =
  /** `code`: what the completion itself says of it (field 27); null: nothing. */
  | { kind: 'completed'; code: number | null; message: ZvtMessage }
  | { kind: 'aborted'; code: number; message: ZvtMessage }
  /** Answered with 84 xx: nothing was begun. */
  | { kind: 'refused'; code: number }
  /** It certainly never got there. */
  | { kind: 'not-sent'; problem: string }
  /** Nobody knows how it ended. `line`: not the terminal is silent, but the way to it. */
  | { kind: 'lost'; problem: string; line: boolean };

/** What a status-information (04 0F) is answered: 80 00 00, or 84 66 00, after which the terminal takes the sale back. */
export type Verdict = 'accept' | 'refuse';

export interface DialogueEvents {
  onStatus?(message: ZvtMessage): Verdict | Promise<Verdict>;
  /** Whether the answer has reached the terminal, as far as anybody can know. */
  onAnswered?(verdict: Verdict, delivered: boolean): void;
  onIntermediate?(message: ZvtMessage): void;
  onPrint?(message: ZvtMessage): void;
}

export interface DialogueTiming {
  /** T3: for the answer to a command. */
  replyMs: number;
  /** T4: between two messages of the terminal while it is at work. */
  completionMs: number;
  /** How long a verdict may take before the terminal is told to ask again (84 9C). */
  verdictMs: number;
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

export interface Dialogues {
  /** One at a time. Never rejects. */
  run(command: Uint8Array, events?: DialogueEvents): Promise<DialogueEnd>;
  /** 06 B0 to what is under way: a wish. */
  abort(): void;
  /** A command without a completion, such as log-off: resolves at its answer. */
  tell(command: Uint8Array): Promise<void>;
  /** What the line brings. */
  take(apdu: Uint8Array): void;
  /** The line is gone. */
  lose(problem: string): void;
}

const MINUTE_MS = 60_000;

/** Commands and what follows them: the till asks, and the terminal is master until it has completed or given up. */
export function createDialogues(line: ApduLine, timing: DialogueTiming): Dialogues {
  let running: Running | null = null;
  /** Messages are answered one after the other. */
  let answering: Promise<void> = Promise.resolve();

  function arm(dialogue: Running, ms: number, problem: string): void {
    clearTimeout(dialogue.timer);
    if (dialogue.phase !== 'over') {
      dialogue.timer = setTimeout(() => dialogue.end({ kind: 'lost', problem, line: false }), ms);
    }
  }

  function rest(dialogue: Running): void {
    arm(dialogue, dialogue.completionMs, 'the terminal says nothing any more');
  }

  async function answer(apdu: Uint8Array): Promise<boolean> {
    try {
      await line.send(apdu);
      return true;
    } catch {
      // The line tells by itself that it is gone, or the next silence does.
      return false;
    }
  }

  function begin(events: DialogueEvents, done: (end: DialogueEnd) => void): Running {
    const dialogue: Running = {
      events,
      phase: 'asked',
      wantsAbort: false,
      completionMs: timing.completionMs,
      timer: undefined,
      waits: 0,
      end(end) {
        if (dialogue.phase === 'over') return;
        dialogue.phase = 'over';
        clearTimeout(dialogue.timer);
        if (running === dialogue) running = null;
        done(end);
      },
    };
    running = dialogue;
    return dialogue;
  }

  async function send(dialogue: Running, command: Uint8Array): Promise<void> {
    try {
      await line.send(command);
      if (dialogue.phase === 'asked') arm(dialogue, timing.replyMs, 'the terminal does not answer');
    } catch (error) {
      // Its answer says that it has come through after all.
      if (dialogue.phase !== 'asked') return;
      const problem = messageOf(error);
      const unsent = isFault(error, 'link-refused');
      dialogue.end(unsent ? { kind: 'not-sent', problem } : { kind: 'lost', problem, line: true });
    }
  }

  function takeAnswer(dialogue: Running, control: number): void {
    // At work, it answers an abort.
    if (dialogue.phase !== 'asked') rest(dialogue);
    else if (!isPositive(control)) dialogue.end({ kind: 'refused', code: control & 0xff });
    else {
      dialogue.phase = 'at-work';
      rest(dialogue);
      if (dialogue.wantsAbort) void answer(abort());
    }
  }

  /** What nobody has asked for, or belongs to a dialogue that is over: an approval in it is not wanted. */
  async function takeStray(message: ZvtMessage): Promise<void> {
    // Some show what is to be done before they have answered the command.
    if (message.control === COMMANDS.intermediateStatus) running?.events.onIntermediate?.(message);
    await answer(isApproval(message) ? negative(RESULT.processingError) : positive());
  }

  async function takeStatus(dialogue: Running, message: ZvtMessage): Promise<void> {
    // Whatever goes wrong in it, a status that nobody has judged is not taken.
    const verdict = judge(dialogue, message).catch((): Verdict => 'refuse');
    const soon = await withinMs(verdict, timing.verdictMs);
    if (soon === null && dialogue.waits < MAX_STATUS_INFOS - 1) {
      dialogue.waits++;
      await answer(negative(RESULT.busy));
      return;
    }
    const final = soon ?? 'refuse';
    const delivered = await answer(final === 'accept' ? positive() : negative(RESULT.processingError));
    dialogue.events.onAnswered?.(final, delivered);
  }

  /** Where nobody waits for an approval it is an older payment's, and not wanted. */
  async function judge({ events }: Running, message: ZvtMessage): Promise<Verdict> {
    if (events.onStatus) return await events.onStatus(message);
    return isApproval(message) ? 'refuse' : 'accept';
  }

  async function takeCommand(dialogue: Running, message: ZvtMessage): Promise<void> {
    clearTimeout(dialogue.timer);
    switch (message.control) {
      case COMMANDS.statusInformation:
        await takeStatus(dialogue, message);
        break;
      case COMMANDS.intermediateStatus:
        dialogue.completionMs = minutesOf(message) ?? timing.completionMs;
        dialogue.events.onIntermediate?.(message);
        await answer(positive());
        break;
      case COMMANDS.printLine:
      case COMMANDS.printTextBlock:
        dialogue.events.onPrint?.(message);
        await answer(positive());
        break;
      case COMMANDS.setTime:
        await answer(positive());
        break;
      case COMMANDS.completion:
        await answer(positive());
        return dialogue.end({ kind: 'completed', code: resultCodeOf(message), message });
      case COMMANDS.abortByTerminal: {
        await answer(positive());
        const code = message.lead.resultCode ?? RESULT.cancelled;
        return dialogue.end({ kind: 'aborted', code, message });
      }
      default:
        await answer(negative(RESULT.functionNotPossible));
    }
    rest(dialogue);
  }

  async function takeUnreadable(bytes: Uint8Array): Promise<void> {
    const known = bareMessage(bytes);
    if (known && running?.phase === 'at-work') return takeCommand(running, known);
    // Also an approval that cannot be read: the terminal takes it back.
    await answer(known ? positive() : negative(RESULT.functionNotPossible));
    if (running?.phase === 'at-work') rest(running);
  }

  async function takeInTurn(bytes: Uint8Array): Promise<void> {
    const apdu = readApdu(bytes);
    const message = apdu.ok ? readMessage(apdu.value) : apdu;
    if (!message.ok) return takeUnreadable(bytes);
    if (running?.phase === 'at-work') return takeCommand(running, message.value);
    return takeStray(message.value);
  }

  return {
    run(command, events = {}) {
      return new Promise((resolve) => void send(begin(events, resolve), command));
    },
    async tell(command) {
      await new Promise<unknown>((resolve) => {
        const dialogue = begin({}, resolve);
        dialogue.completionMs = 0;
        void send(dialogue, command);
      });
    },
    abort() {
      if (!running) return;
      running.wantsAbort = true;
      if (running.phase === 'at-work') void answer(abort());
    },
    take(bytes) {
      const control = controlOf(bytes);
      // The answer to a command comes before whatever follows it; it waits for nobody's verdict.
      if (isAnswer(control)) {
        if (running) takeAnswer(running, control);
        return;
      }
      answering = answering
        .then(() => takeInTurn(bytes))
        .catch((error: unknown) => running?.end({ kind: 'lost', problem: messageOf(error), line: false }));
    },
    lose(problem) {
      running?.end({ kind: 'lost', problem, line: true });
    },
  };
}

function isApproval(message: ZvtMessage): boolean {
  return message.control === COMMANDS.statusInformation && resultCodeOf(message) === RESULT.ok;
}

function resultCodeOf({ fields }: ZvtMessage): number | null {
  return fields.find(({ id }) => id === 0x27)?.value[0] ?? null;
}

/** Of an intermediate status: its own T4, in minutes of BCD. */
function minutesOf({ lead: { timeoutMinutes } }: ZvtMessage): number | null {
  if (timeoutMinutes === undefined) return null;
  const minutes = (timeoutMinutes >> 4) * 10 + (timeoutMinutes & 0x0f);
  return minutes > 0 ? minutes * MINUTE_MS : null;
}

/** Null where it takes longer. */
async function withinMs<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), ms);
  });
  const first = await Promise.race([promise, late]);
  clearTimeout(timer);
  return first;
}
