import type { z } from 'zod';
import { inputWords } from '../base/mistakes/input-words.ts';
import { writtenWords } from '../base/mistakes/mistake-words.ts';

/** How a program ended, for the shell that started it: the same for every program and tool. */
export const EXIT = {
  done: 0,
  /** The command failed, or found something that needs attention. */
  failed: 1,
  /** Wrong usage or configuration; nothing was started. */
  wrongUsage: 2,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The streams and surroundings of a command, so that tests can replace a shell. */
export interface Shell {
  /** One line of result. */
  print(line: string): void;
  /** A complaint, for people. */
  complain(line: string): void;
  environment: Readonly<Record<string, string | undefined>>;
  /** Whether results go to a terminal, where a person reads them; a pipe or a file gets JSON. */
  isTerminal: boolean;
}

type Read<T> = { ok: true; value: T } | { ok: false; mistake: string };

/** An option of a command: how it is written, what it is for, and how its texts are read. */
export interface Option<T> {
  /** The word for its value in a usage line; null: a flag. */
  value: string | null;
  about: string;
  /** @param texts one for each time that it is given; null where it has no value */
  read(texts: readonly (string | null)[]): Read<T>;
}

/** The argument behind the name of a command that is no option. */
export interface Operand<T> {
  /** The operand's name in a usage line. */
  word: string;
  /** @param command its name, for the mistake */
  read(texts: readonly string[], command: string): Read<T>;
}

/** An option without a value. */
export function flag(about: string): Option<boolean> {
  return { value: null, about, read: (texts) => ({ ok: true, value: texts.length > 0 }) };
}

/** An option with a text as its value; null where it is not given. */
export function textOption(value: string, about: string): Option<string | null> {
  return { value, about, read: (texts) => ({ ok: true, value: texts.at(-1) ?? null }) };
}

/** An option with a value that a schema reads; null: it is not given. */
export function option<T>(value: string, about: string, schema: z.ZodType<T, string>): Option<T | null> {
  return {
    value,
    about,
    read(texts) {
      const text = texts.at(-1) ?? null;
      if (text === null) return { ok: true, value: null };
      const { data, error } = schema.safeParse(text);
      if (data !== undefined) return { ok: true, value: data };
      const [issue] = error?.issues ?? [];
      const words = issue ? inputWords(issue) : 'is wrong';
      const known = issue?.code === 'invalid_value' ? issue.values.map(String) : [];
      return { ok: false, mistake: `${words}${writtenWords(text, known)}` };
    },
  };
}

/** An option that may be given several times. */
export function listOption(value: string, about: string): Option<string[]> {
  return {
    value,
    about,
    read: (texts) => ({ ok: true, value: texts.flatMap((text) => text ?? []) }),
  };
}

const NO_OPERAND: Operand<null> = {
  word: '',
  read: (texts, command) =>
    texts.length === 0
      ? { ok: true, value: null }
      : { ok: false, mistake: `${command} takes no names, not ${texts.join(' ')}` },
};

/** @param hint what follows `… needs a LANE` */
export function operand(word: string, hint = ''): Operand<string> {
  return {
    word,
    read([text, ...more], command) {
      if (text === undefined) return { ok: false, mistake: `${command} needs a ${word}${hint}` };
      return onlyOne(text, { more, word, command });
    },
  };
}

export function optionalOperand(word: string): Operand<string | null> {
  return {
    word: `[${word}]`,
    read: ([text = null, ...more], command) => onlyOne(text, { more, word, command }),
  };
}

export function operandList(word: string): Operand<string[]> {
  return { word: `[${word} …]`, read: (texts) => ({ ok: true, value: [...texts] }) };
}

function onlyOne<T>(
  value: T,
  { more, word, command }: { more: readonly string[]; word: string; command: string },
): Read<T> {
  if (more.length === 0) return { ok: true, value };
  return { ok: false, mistake: `${command} takes one ${word}, not also ${more.join(' ')}` };
}

type Options = Readonly<Record<string, Option<unknown>>>;

/** The options and the operand that a command was given. */
export interface Given<Values, OperandValue> {
  options: Values;
  operand: OperandValue;
  /** JSON for scripts, or words for people. */
  json: boolean;
}

/** The parsed values of the options of a command. */
export type ValuesOf<O extends Options> = { [Name in keyof O]: O[Name] extends Option<infer T> ? T : never };

/** A command of a program; a file exports one. */
export interface CommandDefinition<O extends Options, T, S extends Shell> {
  /** The name as it is typed: `camera parse`. Empty: the command that runs without a name. */
  name: string;
  operand?: Operand<T>;
  /** One line, for the list of all. */
  summary: string;
  /** More about the command, for its help. */
  about?: string;
  options?: O;
  /** A program that runs until it is stopped prints a log and no results: it takes neither `--text` nor `--json`. */
  isService?: boolean;
  /** Whether the output is text in a pipe or a file too; `--json` prints JSON. */
  keepsWords?: boolean;
  examples: readonly string[];
  /** The mistakes of the options together. Pure. */
  check?(given: Given<ValuesOf<O>, T>): readonly string[];
  run(given: Given<ValuesOf<O>, T>, shell: S): ExitCode | Promise<ExitCode>;
}

/** A command, however its options are typed. */
export interface Command<S extends Shell> {
  name: string;
  operandWord: string;
  summary: string;
  about: string;
  /** All that it takes, beside `--help` and `--version`. */
  options: Options;
  examples: readonly string[];
  /** Reads what stands behind its name. Pure. */
  read(words: GivenWords, label: string): CommandReading<S>;
}

export interface GivenWords {
  /** The texts of each option that was given. */
  options: ReadonlyMap<string, readonly (string | null)[]>;
  operands: readonly string[];
}

export type CommandReading<S extends Shell> =
  | { ok: true; given: (isTerminal: boolean) => object; run: (shell: S) => Promise<ExitCode> }
  | { ok: false; mistakes: string[] };

const RESULT_OPTIONS = {
  text: flag('words for people, as on a terminal'),
  json: flag('JSON for scripts, as in a pipe or a file'),
};
const KEPT_RESULT_OPTIONS = { json: flag('JSON for scripts') };

/** @param definition its options and operand are read by their own types */
export function defineCommand<S extends Shell, const O extends Options = Record<never, never>, T = null>(
  definition: CommandDefinition<O, T, S>,
): Command<S> {
  const { name, summary, about = '', examples, isService = false, keepsWords = false } = definition;
  const ownOptions: Options = definition.options ?? {};
  // T is null if the command has no operand.
  const operandSpec = (definition.operand ?? NO_OPERAND) as Operand<T>;
  return {
    name,
    operandWord: operandSpec.word,
    summary,
    about,
    options: isService
      ? ownOptions
      : { ...ownOptions, ...(keepsWords ? KEPT_RESULT_OPTIONS : RESULT_OPTIONS) },
    examples,
    read(words, label) {
      const mistakes: string[] = [];
      const values: Record<string, unknown> = {};
      for (const [key, { read }] of Object.entries(ownOptions)) {
        const value = read(words.options.get(key) ?? []);
        if (value.ok) values[key] = value.value;
        else mistakes.push(`--${key} ${value.mistake}`);
      }
      const operandRead = operandSpec.read(words.operands, label);
      if (!operandRead.ok) mistakes.push(operandRead.mistake);
      const wantsText = words.options.has('text');
      const wantsJson = words.options.has('json');
      if (wantsText && wantsJson) mistakes.push('either --text or --json, not both');
      if (!operandRead.ok || mistakes.length > 0) return { ok: false, mistakes };
      const given = (isTerminal: boolean): Given<ValuesOf<O>, T> => ({
        // Read just above, each by its own option.
        options: values as ValuesOf<O>,
        operand: operandRead.value,
        json: wantsJson || (!wantsText && !isTerminal && !keepsWords),
      });
      const wrong = definition.check?.(given(true)) ?? [];
      if (wrong.length > 0) return { ok: false, mistakes: [...wrong] };
      return {
        ok: true,
        given,
        run: async (shell) => await definition.run(given(shell.isTerminal), shell),
      };
    },
  };
}

/** A program that a person starts by a name: its commands, and its work without one. */
export interface Program<S extends Shell = Shell> {
  /** The name with its version: `hlid-edge/0.2.0`. */
  software: string;
  title: string;
  /**
   * The text before a command: `npm run -s edge --`; HLID_TYPED overrides it where a package has a command.
   */
  typed: string;
  commands: readonly Command<S>[];
  /** The environment variables that it reads: the name of each, and its purpose. */
  environment: readonly (readonly [name: string, about: string])[];
}
