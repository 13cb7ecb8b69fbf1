import { type CommandEntry, type OptionEntry, optionsOf } from './command-entry.ts';
import { COMMANDS, type CommandName, findCommand } from './command-list.ts';

/** What comes before a command. */
export const RUN = 'npm run -s edge --';

const widest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));

const NAMES = widest(COMMANDS.map(({ name, operands }) => `${name} ${operands}`.trimEnd()));

/** Of the program. */
export const HELP_TEXT = `hlid-edge: the daemon of one car park, and its technician's tools

Usage: ${RUN} [COMMAND]

  ${'(nothing)'.padEnd(NAMES)}  Run the daemon until it is told to stop (SIGTERM or Ctrl-C)
${COMMANDS.map(({ name, operands, summary }) => `  ${`${name} ${operands}`.padEnd(NAMES)}  ${summary}`).join('\n')}

  COMMAND --help, -h    more about one of them, with examples
  --version             the version

Environment:
  HLID_DATA_DIR        where the daemon keeps its database (./data)
  HLID_EDGE_CONFIG     its configuration (edge.yaml in the data folder)
  HLID_EDGE_PORT       of the page of the lanes and the local API, on 127.0.0.1 (7070)
  HLID_CAMERA_PORT     to which the cameras post (7071)
  HLID_ONVIF_PASSWORD  of the user that camera snapshot and camera watch are told
  HLID_ONVIF_PROBE     HOST:PORT that camera discover asks, where the network lets no multicast through
  HLID_LOG_LEVEL       fatal, error, warn, info (usual), debug, trace or silent
  A port of 0 is any free one.

Every COMMAND takes --text (for people) and --json (for scripts). Results go to standard output, complaints to standard
error. Exit codes: 0 done, 1 failed or refused, 2 wrong usage or a configuration that is not right.
`;

/** Of one command. */
export function helpOf(name: CommandName): string {
  const entry = findCommand(name);
  return entry ? sections(entry).join('\n\n') : HELP_TEXT;
}

/** One line: what follows a mistake. */
export function usageOf(entry: CommandEntry): string {
  const { name, operands } = entry;
  const named = optionsOf(entry).filter((option) => !operands.includes(`--${option.name}`));
  const given = named.map((option) => `[${wordOf(option)}]`);
  return `Usage: ${RUN} ${[name, operands, ...given].filter(Boolean).join(' ')}`;
}

function sections(entry: CommandEntry): string[] {
  const { name, summary, about, examples } = entry;
  const options = optionsOf(entry);
  const words = widest(options.map(wordOf));
  return [
    `${name}: ${summary}`,
    usageOf(entry),
    ...(about === '' ? [] : [about]),
    ['Options:', ...options.map((option) => `  ${wordOf(option).padEnd(words)}  ${option.about}`)].join('\n'),
    ['Examples:', ...examples.map((example) => `  ${exampleOf(example)}`)].join('\n'),
  ];
}

function wordOf({ name, value }: OptionEntry): string {
  return value === null ? `--${name}` : `--${name} ${value}`;
}

/** What is set before a command stands before the program. */
function exampleOf(example: string): string {
  const [, set = '', rest = example] = /^(HLID_\S+ )(.*)$/.exec(example) ?? [];
  return `${set}${RUN} ${rest}`;
}
