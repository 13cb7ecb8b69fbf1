import { isFault } from '../base/fault.ts';
import { nearestWord } from '../base/nearest-word.ts';
import { hideUrlLogins } from '../base/url-login.ts';
import {
  type Command,
  type CommandReading,
  EXIT,
  type ExitCode,
  type GivenWords,
  type Program,
  type Shell,
} from './command.ts';
import { commandHelp, programHelp, usageOf } from './help-text.ts';

export type ProgramReading<S extends Shell> =
  | { kind: 'help' | 'version'; text: string }
  | { kind: 'wrong'; mistakes: string[]; hint: string }
  | (Extract<CommandReading<S>, { ok: true }> & { kind: 'run'; command: string });

/** Does what the words behind the program's name ask for; nothing is started where one of them is wrong. */
export async function runProgram<S extends Shell>(
  program: Program<S>,
  words: readonly string[],
  given: S,
): Promise<ExitCode> {
  const shell = withoutUrlLogins(given);
  const { HLID_TYPED: typed = program.typed } = shell.environment;
  const reading = readProgram({ ...program, typed }, words);
  switch (reading.kind) {
    case 'help':
    case 'version':
      shell.print(reading.text);
      return EXIT.done;
    case 'wrong':
      for (const mistake of reading.mistakes) shell.complain(mistake);
      shell.complain(reading.hint);
      return EXIT.wrongUsage;
    case 'run':
      try {
        return await reading.run(shell);
      } catch (error) {
        // A fault reports what is wrong and what to do; its place in the code helps no user.
        if (!isFault(error)) throw error;
        shell.complain(error.message);
        return isFault(error, 'config-invalid') ? EXIT.wrongUsage : EXIT.failed;
      }
    default:
      return reading satisfies never;
  }
}

/** The same shell, to which nothing that is printed brings the login of an address. */
function withoutUrlLogins<S extends Shell>(shell: S): S {
  return {
    ...shell,
    print: (line: string) => shell.print(hideUrlLogins(line)),
    complain: (line: string) => shell.complain(hideUrlLogins(line)),
  };
}

/** Reads the words that follow the program's name. Pure. */
export function readProgram<S extends Shell>(
  program: Program<S>,
  words: readonly string[],
): ProgramReading<S> {
  const { commands } = program;
  const end = words.indexOf('--');
  const own = end === -1 ? words : words.slice(0, end);
  const asksHelp = own[0] === 'help' || own.includes('--help') || own.includes('-h');
  const typed = own[0] === 'help' ? words.slice(1) : words;
  const found = findCommand(commands, typed);
  if (asksHelp && (found === null || found.command.name === '')) {
    const names = leadingWords(typed);
    return names.length === 0 || isNoun(commands, names) || found
      ? { kind: 'help', text: programHelp(program) }
      : wrong(program, [unknownCommand(commands, names)]);
  }
  if (asksHelp && found) return { kind: 'help', text: commandHelp(program, found.command) };
  if (own.includes('--version')) return { kind: 'version', text: program.software };
  if (found === null) return wrong(program, [unknownCommand(commands, leadingWords(typed))]);
  const { command, rest } = found;
  const { given, mistakes } = splitWords(rest, command, commands);
  if (mistakes.length > 0) return wrong(program, mistakes, command);
  const reading = command.read(given, command.name || program.typed);
  if (!reading.ok) return wrong(program, reading.mistakes, command);
  return { kind: 'run', command: command.name, ...reading };
}

function wrong<S extends Shell>(
  program: Program<S>,
  mistakes: string[],
  command: Command<S> | null = null,
): Extract<ProgramReading<S>, { kind: 'wrong' }> {
  const hint = command
    ? `${usageOf(program, command)}\n(--help says more)`
    : `(${program.typed} --help names every command)`;
  return { kind: 'wrong', mistakes, hint };
}

/** The names before the first option. */
function leadingWords(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => word.startsWith('-'));
  return end === -1 ? words : words.slice(0, end);
}

function isNoun<S extends Shell>(commands: readonly Command<S>[], words: readonly string[]): boolean {
  return words.length === 1 && commands.some(({ name }) => name.startsWith(`${words[0]} `));
}

/** The command that the first words name, or else the one that needs no name. */
function findCommand<S extends Shell>(commands: readonly Command<S>[], words: readonly string[]) {
  const names = leadingWords(words);
  for (const length of [2, 1]) {
    const name = names.slice(0, length).join(' ');
    const command = names.length >= length && commands.find((one) => one.name === name);
    if (command) return { command, rest: words.slice(length) };
  }
  const unnamed = commands.find(({ name }) => name === '');
  if (!unnamed || (names.length > 0 && unnamed.operandWord === '' && commands.length > 1)) return null;
  return { command: unnamed, rest: words };
}

function unknownCommand<S extends Shell>(commands: readonly Command<S>[], words: readonly string[]): string {
  const names = commands.map(({ name }) => name).filter(Boolean);
  const [noun = '', verb] = words;
  const verbs = names.filter((name) => name.startsWith(`${noun} `));
  const typed = verb === undefined ? noun : `${noun} ${verb}`;
  const meant = nearestWord(typed, names) ?? nearestWord(noun, names);
  if (noun === '') return 'the name of a command is missing';
  const hint =
    meant !== null ? `; did you mean ${meant}?` : verbs.length > 0 ? `; there are: ${verbs.join(', ')}` : '';
  return `there is no command "${words.join(' ')}"${hint}`;
}

/** Separates options, which may stand anywhere, from the other words. */
function splitWords<S extends Shell>(
  words: readonly string[],
  command: Command<S>,
  commands: readonly Command<S>[],
): { given: GivenWords; mistakes: string[] } {
  const options = new Map<string, (string | null)[]>();
  const operands: string[] = [];
  const mistakes: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word);
      continue;
    }
    const [, name = '', inline] = /^--?([^=]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const option =
      word.startsWith('--') && Object.hasOwn(command.options, name) ? command.options[name] : null;
    if (!option) {
      mistakes.push(unknownOption(word.replace(/=[\s\S]*$/, ''), command, commands));
      continue;
    }
    let text: string | null = inline ?? null;
    if (option.value === null) {
      if (text !== null) mistakes.push(`--${name} takes no value`);
    } else if (text === null) {
      const next = words[at + 1];
      if (next === undefined || (next.startsWith('-') && next !== '-')) {
        mistakes.push(`--${name} needs a value: --${name} ${option.value}`);
      } else {
        text = next;
        at++;
      }
    }
    options.set(name, [...(options.get(name) ?? []), text]);
  }
  return { given: { options, operands }, mistakes };
}

function unknownOption<S extends Shell>(
  typed: string,
  command: Command<S>,
  commands: readonly Command<S>[],
): string {
  const name = typed.replace(/^-+/, '');
  const owners = commands.filter(({ options }) => Object.hasOwn(options, name));
  if (typed.startsWith('--') && owners.length > 0) {
    const named = owners.map((owner) => owner.name).filter(Boolean);
    return `--${name} belongs to ${named.length > 4 ? 'a command' : named.join(', ')}`;
  }
  const known = [...Object.keys(command.options), 'help', 'version'];
  const meant = nearestWord(name, known);
  return `there is no option ${typed}${meant === null ? '' : `; did you mean --${meant}?`}`;
}
