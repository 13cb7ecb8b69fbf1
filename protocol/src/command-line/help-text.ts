import type { Command, Option, Program, Shell } from './command.ts';

const EXIT_CODES = `Exit codes: 0 done; 1 failed, refused, or something wants attention; 2 wrong usage or configuration,
and nothing was started.`;

/** The help of a program, with all its commands. */
export function programHelp<S extends Shell>(program: Program<S>): string {
  const { software, title, typed, commands } = program;
  const named = commands.filter(({ name }) => name !== '');
  const unnamed = commands.find(({ name }) => name === '');
  if (unnamed && named.length === 0) return commandHelp(program, unnamed);
  const lines = commands.map(
    ({ name, operandWord, summary }) => [`${name || '(nothing)'} ${operandWord}`.trimEnd(), summary] as const,
  );
  const [name = software] = software.split('/');
  return [
    `${name}: ${title}`,
    `Usage: ${typed} ${unnamed ? '[COMMAND]' : 'COMMAND'}`,
    table(lines),
    table([
      ['COMMAND --help, -h', 'more about one of them, with examples'],
      ['--version', 'the version'],
    ]),
    ...environmentOf(program),
    `Every COMMAND prints words for people on a terminal and JSON in a pipe or a file; --text and --json choose.
Results go to standard output, complaints to standard error.`,
    EXIT_CODES,
  ].join('\n\n');
}

/** The help of one command. */
export function commandHelp<S extends Shell>(program: Program<S>, command: Command<S>): string {
  const { name, summary, about, examples } = command;
  const options = Object.entries(command.options).map(
    ([key, { value, about: what }]) => [optionWord(key, value), what] as const,
  );
  const usual = [
    ['--help, -h', 'this text'],
    ['--version', 'the version'],
  ] as const;
  const [software = ''] = program.software.split('/');
  return [
    `${name || software}: ${summary}`,
    usageOf(program, command),
    ...(about === '' ? [] : [about]),
    `Options:\n${table([...options, ...usual])}`,
    ...(name === '' ? environmentOf(program) : []),
    ['Examples:', ...examples.map((example) => `  ${exampleOf(program, example)}`)].join('\n'),
    EXIT_CODES,
  ].join('\n\n');
}

/** One line: what follows a mistake. */
export function usageOf<S extends Shell>({ typed }: Program<S>, command: Command<S>): string {
  const { name, operandWord, options } = command;
  const given = Object.entries(options)
    .filter(([key]) => !operandWord.includes(`--${key}`))
    .map(([key, { value }]) => `[${optionWord(key, value)}]`);
  const words = [name, operandWord, ...given].filter(Boolean);
  return `Usage: ${words.length === 0 ? typed.replace(/ --$/, '') : [typed, ...words].join(' ')}`;
}

function environmentOf<S extends Shell>({ environment }: Program<S>): string[] {
  return environment.length === 0 ? [] : [`Environment:\n${table(environment)}`];
}

function table(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.map(([name, about]) => `  ${name.padEnd(width)}  ${about}`).join('\n');
}

function optionWord(name: string, value: Option<unknown>['value']): string {
  return value === null ? `--${name}` : `--${name} ${value}`;
}

/** A variable that is set for a command stands before the program. */
function exampleOf<S extends Shell>({ typed }: Program<S>, example: string): string {
  const [, variable, rest = example] = /^(HLID_\S+) ?(.*)$/.exec(example) ?? [];
  const command = rest === '' ? typed.replace(/ --$/, '') : `${typed} ${rest}`;
  return variable === undefined ? command : `${variable} ${command}`;
}
