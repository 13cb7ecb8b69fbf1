import { readApdu } from '@hlid/edge/terminal/zvt/apdu-frame';
import { isAnswer } from '@hlid/edge/terminal/zvt/command-names';
import { readWholeMessage, writeMessage, type ZvtMessage } from '@hlid/edge/terminal/zvt/message-frame';
import type { LineFaults, TerminalPort } from './zvt-port.ts';
import { openSerialPort, openTcpPort } from './zvt-port.ts';

/** The terminal has lost its power in the middle of something. */
export class PowerCut extends Error {}

/** The terminal's side of the conversation with the till. */
export interface ZvtTalk {
  port: TerminalPort;
  /** Control fields of all that the till has sent. */
  received: string[];
  /** 80 00 00, or 84 and a code. Throws PowerCut. */
  reply(control: number): Promise<void>;
  /**
   * Sends a message and waits for its answer; null: there was none. Throws PowerCut where that came
   * meanwhile.
   */
  ask(apdu: Uint8Array, meanwhile?: () => Promise<void>): Promise<ZvtMessage | null>;
  /** The same; whatever it is answered, the till may ask again. */
  askLast(apdu: Uint8Array): Promise<void>;
  later(ms: number): Promise<void>;
  /** Keeps the terminal busy for this time. Throws PowerCut if that came meanwhile. */
  spend(ms: number): Promise<void>;
  /** Ends all sending and receiving. */
  fallSilent(): void;
  speakAgain(): void;
  /** The line breaks. */
  cut(): void;
  /** Everything under way ends where it is. */
  cutPower(): void;
  close(): Promise<void>;
}

interface TalkParts {
  line: 'tcp' | 'serial';
  port: number;
  paceMs: number;
  answerMs: number;
  faults: LineFaults;
  /** A command, or an abort; answers are not among them. */
  onCommand(message: ZvtMessage): void;
  /** The till may ask again. */
  onFree(): void;
  /** Called before it sends a message; a fault that is ordered for it happens now. */
  onMessage(): void;
}

export async function openZvtTalk(parts: TalkParts): Promise<ZvtTalk> {
  const { paceMs, answerMs, faults } = parts;
  const received: string[] = [];
  const timers = new Set<NodeJS.Timeout>();
  let silent = false;
  let closed = false;
  let powerCuts = 0;
  /** The next answer ends the command. */
  let isLast = false;
  let answered: ((message: ZvtMessage | null) => void) | null = null;

  const listener = {
    onApdu: hear,
    onConnected() {
      silent = false;
    },
    onGone: () => answered?.(null),
  };
  const port =
    parts.line === 'serial'
      ? await openSerialPort(listener, faults)
      : await openTcpPort(parts.port, listener, faults);

  function hear(bytes: Uint8Array): void {
    if (silent || closed) return;
    const apdu = readApdu(bytes);
    const message = apdu.ok ? readWholeMessage(apdu.value) : apdu;
    if (!message.ok) {
      void reply(0x8483).catch(() => {});
      return;
    }
    const { control } = message.value;
    received.push(control.toString(16).padStart(4, '0').toUpperCase());
    if (!isAnswer(control)) {
      parts.onCommand(message.value);
      return;
    }
    // The till may ask again at once, in the same segment.
    if (isLast) parts.onFree();
    isLast = false;
    answered?.(message.value);
  }

  function later(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, ms);
      timers.add(timer);
    });
  }

  async function reply(control: number): Promise<void> {
    const before = powerCuts;
    parts.onMessage();
    if (before !== powerCuts) throw new PowerCut();
    if (!silent) await port.send(writeMessage({ control }));
  }

  function nextAnswer(): Promise<ZvtMessage | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(null), answerMs);
      timers.add(timer);
      function settle(message: ZvtMessage | null): void {
        clearTimeout(timer);
        timers.delete(timer);
        if (answered === settle) answered = null;
        resolve(message);
      }
      answered = settle;
    });
  }

  async function ask(apdu: Uint8Array, meanwhile?: () => Promise<void>): Promise<ZvtMessage | null> {
    const before = powerCuts;
    await later(paceMs);
    if (before === powerCuts) parts.onMessage();
    if (before !== powerCuts) throw new PowerCut();
    if (silent) return null;
    const answer = nextAnswer();
    const [sent] = await Promise.all([port.send(apdu), meanwhile?.()]);
    if (!sent) answered?.(null);
    const message = await answer;
    if (before !== powerCuts) throw new PowerCut();
    return message;
  }

  function cutPower(): void {
    powerCuts++;
    isLast = false;
    port.powerOff();
    answered?.(null);
  }

  return {
    port,
    received,
    reply,
    ask,
    async askLast(apdu) {
      await ask(apdu, async () => {
        isLast = true;
      });
      isLast = false;
    },
    later,
    async spend(ms) {
      const before = powerCuts;
      await later(ms);
      if (before !== powerCuts) throw new PowerCut();
    },
    fallSilent() {
      silent = true;
      answered?.(null);
    },
    speakAgain() {
      silent = false;
    },
    cut() {
      port.cut();
      answered?.(null);
    },
    cutPower,
    async close() {
      closed = true;
      cutPower();
      for (const timer of timers) clearTimeout(timer);
      await port.close();
    },
  };
}
