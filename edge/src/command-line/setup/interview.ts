import { createInterface, type Interface } from 'node:readline';
import { Writable } from 'node:stream';
import type { z } from 'zod';
import type { Shell } from '../shell.ts';
import type { SetupWords } from './setup-words.ts';

export type Answer<T> = { ok: true; value: T } | { ok: false; wrong: string };

interface TextQuestion<T> {
  ask: string;
  /** The value of an empty line; null: there must be an answer. */
  preset?: string | null | undefined;
  /** The preset is not shown, and at a terminal neither is what is typed. */
  isSecret?: boolean;
  read(text: string): Answer<T>;
}

/** The person has gone: Ctrl-C, Ctrl-D, or the end of piped answers. */
export class Stopped extends Error {}

/** Leaves an optional value out. */
const NONE = '-';

/**
 * Asks a person, or a file of answers, line by line. It uses only lines, so that it works over a serial
 * console, by SSH from a telephone, and in a pipe. Libraries that draw their prompts lose the lines that come
 * before their question.
 */
export class Interview {
  readonly say: (line: string) => void;
  readonly #words: SetupWords;
  readonly #output: Writable | null;
  readonly #line: Interface;
  readonly #lines: AsyncIterator<string>;
  #isMuted = false;

  /** @param shell its output is used at a terminal only, for what is typed there */
  constructor({ input, output }: Shell, parts: { words: SetupWords; say: (line: string) => void }) {
    this.#words = parts.words;
    this.say = parts.say;
    const isTerminal = 'isTTY' in input && input.isTTY === true;
    const echo = new Writable({
      write: (piece, _encoding, done) => {
        if (!this.#isMuted) output.write(piece);
        done();
      },
    });
    this.#output = isTerminal ? output : null;
    this.#line = createInterface(
      isTerminal ? { input, output: echo, terminal: true, historySize: 0 } : { input },
    );
    this.#line.setPrompt('> ');
    this.#line.on('SIGINT', () => this.#line.close());
    this.#lines = this.#line[Symbol.asyncIterator]();
  }

  close(): void {
    this.#line.close();
  }

  /** Asks until the answer is right. Throws Stopped where there are no more answers. */
  async text<T>({ ask, preset = null, isSecret = false, read }: TextQuestion<T>): Promise<T> {
    const shown = preset === null ? '' : ` [${isSecret ? this.#words.kept : preset}]`;
    for (;;) {
      this.say(`${ask}${shown}:`);
      const typed = (await this.#nextLine(isSecret)).trim();
      const text = typed === '' ? preset : typed;
      const answer: Answer<T> = text === null ? { ok: false, wrong: this.#words.needed } : read(text);
      if (answer.ok) return answer.value;
      this.say(`  ${answer.wrong}`);
    }
  }

  /** The same for a value that may be left out, by a dash; null: it is. */
  async optional<T>({ preset, read, ...question }: TextQuestion<T>): Promise<T | null> {
    return await this.text<T | null>({
      ...question,
      preset: preset ?? NONE,
      read: (text) => (text === NONE ? { ok: true, value: null } : read(text)),
    });
  }

  /** One of several, by its number or its own word. */
  async choose<T extends string>(
    ask: string,
    choices: readonly { value: T; words: string }[],
    preset: T | null,
  ): Promise<T> {
    choices.forEach(({ value, words }, at) => {
      this.say(`  ${String(at + 1).padStart(2)}  ${words}${words.includes(value) ? '' : ` (${value})`}`);
    });
    const values = choices.map(({ value }) => value);
    return await this.text({
      ask,
      preset: preset !== null && values.includes(preset) ? String(values.indexOf(preset) + 1) : null,
      read: (text) => {
        const chosen = values.find(
          (value, at) => text === String(at + 1) || text.toLowerCase() === value.toLowerCase(),
        );
        if (chosen !== undefined) return { ok: true, value: chosen };
        return { ok: false, wrong: this.#words.notAChoice({ n: choices.length }) };
      },
    });
  }

  async confirm(ask: string, preset: boolean): Promise<boolean> {
    const { yes, no } = this.#words;
    return await this.text({
      ask,
      preset: preset ? yes : no,
      read: (text) => {
        const word = text.toLowerCase();
        if (['y', 'yes', 'j', 'já', 'ja'].includes(word)) return { ok: true, value: true };
        if (['n', 'no', 'nei'].includes(word)) return { ok: true, value: false };
        return { ok: false, wrong: this.#words.yesOrNo };
      },
    });
  }

  async #nextLine(isSecret: boolean): Promise<string> {
    if (this.#output) this.#line.prompt();
    this.#isMuted = isSecret && this.#output !== null;
    const next = await this.#lines.next();
    if (this.#isMuted || next.done) this.#output?.write('\n');
    this.#isMuted = false;
    if (next.done) throw new Stopped();
    return next.value;
  }
}

/** Reads a text by the schema of its setting. @param wrong the message for any other text */
export function bySchema<T>(schema: z.ZodType<T>, wrong: string): (text: string) => Answer<T> {
  return (text) => {
    const { success, data } = schema.safeParse(text);
    return success ? { ok: true, value: data } : { ok: false, wrong };
  };
}

/** Reads a whole number by the schema of its setting. */
export function numberBySchema(schema: z.ZodType<number>, wrong: string): (text: string) => Answer<number> {
  return (text) => {
    const { success, data } = schema.safeParse(/^\d{1,9}$/.test(text) ? Number(text) : text);
    return success ? { ok: true, value: data } : { ok: false, wrong };
  };
}
