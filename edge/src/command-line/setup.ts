import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { systemClock } from '@hlid/node/clock';
import { dataDirOf, PortTextSchema } from '@hlid/node/configuration';
import { type OfficeLanguage, OfficeLanguageSchema } from '@hlid/protocol/base/language';
import { defineCommand, EXIT, type ExitCode, option } from '@hlid/protocol/command-line/command';
import { placeholdersIn, readYaml } from '@hlid/protocol/command-line/read-yaml';
import { z } from 'zod';
import { EdgeFileSchema } from '../config/config.ts';
import { readEnrolled } from '../config/enrolment-file.ts';
import { configPath } from '../config/read-config.ts';
import { readTechnicianKey } from '../local-api/technician-key.ts';
import { ProbeTextSchema } from '../onvif/onvif-options.ts';
import { showConfig } from './config-check.ts';
import { askCameras } from './setup/ask-cameras.ts';
import { askDrivers } from './setup/ask-drivers.ts';
import { askLanes } from './setup/ask-lanes.ts';
import { askNetwork } from './setup/ask-network.ts';
import { askSite } from './setup/ask-site.ts';
import { askTerminal } from './setup/ask-terminal.ts';
import { Interview, Stopped } from './setup/interview.ts';
import { entriesOf, isUnfinished, type SetupContext, textOf, writtenIn } from './setup/setup-context.ts';
import { SETUP_PARTS, SetupDraft, type SetupPart } from './setup/setup-draft.ts';
import { SETUP_WORDS, type SetupWords } from './setup/setup-words.ts';
import type { Shell } from './shell.ts';

export const setup = defineCommand({
  name: 'setup',
  summary: 'Ask for the site, its lanes, gates, cameras and terminal, and write the configuration',
  about: `Each answer is checked at once; cameras and gates are tried, and a gate opens only if you agree. It can be stopped and
continued, and run again over a configuration: comments and what it does not ask for stay. It writes at the end, keeps the
former file beside the new one, and runs config check. Answers may come from a file, one a line.`,
  options: {
    language: option('LANGUAGE', 'is or en; default: that of this machine', OfficeLanguageSchema),
  },
  // The questions are for people, wherever the answers come from.
  keepsWords: true,
  examples: ['setup', 'setup --language is', 'setup < answers.txt'],
  async run({ options, json }, shell: Shell) {
    const language = options.language ?? languageOf(shell.environment);
    return await runSetup({ language, isChosen: options.language !== null, json }, shell);
  },
});

const ASK: Record<SetupPart, (context: SetupContext) => Promise<void>> = {
  site: askSite,
  lanes: askLanes,
  cameras: askCameras,
  terminal: askTerminal,
  drivers: askDrivers,
  network: askNetwork,
};

/** The language of the environment, by the variables in the order that programs for the command line use. */
function languageOf(environment: Shell['environment']): OfficeLanguage {
  const set = ['LC_ALL', 'LC_MESSAGES', 'LANG'].map((name) => environment[name]).find(Boolean);
  return set?.startsWith('is') ? 'is' : 'en';
}

async function runSetup(
  { language, isChosen, json }: { language: OfficeLanguage; isChosen: boolean; json: boolean },
  shell: Shell,
): Promise<ExitCode> {
  const { environment, complain } = shell;
  const words = SETUP_WORDS[language];
  const path = configPath(environment);
  const refusal = whyNot(path, words);
  if (refusal) {
    for (const line of refusal.lines) complain(line);
    return refusal.code;
  }
  // The standard output contains only the result with --json.
  const say = json ? complain : shell.print;
  const dataDir = dataDirOf(environment);
  const draft = new SetupDraft(path, dataDir);
  const enrolled = readEnrolled(dataDir);
  const interview = new Interview(shell, { words, say });
  const context: SetupContext = {
    interview,
    words,
    draft,
    hasCloud: hasCloud(draft, enrolled !== null),
    enrolledName: enrolled?.name ?? null,
    cameraPort: PortTextSchema.safeParse(environment['HLID_CAMERA_PORT']).data ?? 7071,
    probe: ProbeTextSchema.safeParse(environment['HLID_ONVIF_PROBE']).data ?? {},
    found: null,
  };
  try {
    if (!isChosen) say(words.otherLanguage);
    for (const line of words.intro.split('\n')) say(line);
    await interviewAll(context);
    return await finish(context, { json, shell });
  } catch (error) {
    if (!(error instanceof Stopped)) throw error;
    draft.keep();
    say(words.stopped);
    return EXIT.failed;
  } finally {
    interview.close();
  }
}

/** Why nothing can be asked. */
function whyNot(path: string, words: SetupWords): { code: ExitCode; lines: string[] } | null {
  try {
    accessSync(dirname(path), constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.R_OK);
  } catch {
    return { code: EXIT.failed, lines: [words.notWritable({ path })] };
  }
  if (!existsSync(path)) return null;
  // A text that is not YAML is refused. Missing and wrong settings are asked for.
  const read = readYaml(readFileSync(path, 'utf8'), z.looseObject({}).nullable());
  if (read.ok) return null;
  return {
    code: EXIT.wrongUsage,
    lines: [words.notYaml({ path }), ...read.mistakes.map((line) => `  ${line}`)],
  };
}

function hasCloud(draft: SetupDraft, isEnrolled: boolean): boolean {
  const written = draft.file.get(['cloud']);
  return written === undefined ? isEnrolled : written !== null;
}

async function interviewAll(context: SetupContext): Promise<void> {
  const { interview, words, draft } = context;
  if (draft.kept && !draft.kept.fits) interview.say(words.changedMeanwhile);
  if (draft.kept?.fits) {
    const names = draft.kept.finished.map((part) => words.partNames[part]);
    const done = names.length === 0 ? words.nothingYet : names.join(', ');
    if (await interview.confirm(words.continues({ done }), true)) draft.goOn();
  }
  for (const part of SETUP_PARTS) {
    if (draft.finished.has(part)) continue;
    interview.say('');
    interview.say(`— ${words.partNames[part]} —`);
    const isWanted = draft.isFirst || isOpen(context, part) || (await wantsChange(context, part));
    if (isWanted) await ASK[part](context);
    draft.keep(part);
  }
}

/** Whether something of the part is missing without which the daemon does not start. */
function isOpen(context: SetupContext, part: SetupPart): boolean {
  switch (part) {
    case 'site':
      return textOf(writtenIn(context.draft.file.get(['site'])), 'name') === null;
    case 'lanes':
      return entriesOf(context, 'lanes').length === 0 || entriesOf(context, 'lanes').some(isUnfinished);
    case 'cameras':
      return entriesOf(context, 'cameras').some(isUnfinished);
    case 'terminal':
    case 'drivers':
    case 'network':
      return false;
    default:
      return part satisfies never;
  }
}

async function wantsChange(context: SetupContext, part: SetupPart): Promise<boolean> {
  const { interview, words } = context;
  if (part === 'drivers' && context.hasCloud) return true;
  interview.say(`  ${summaryOf(context, part)}`);
  return await interview.confirm(words.change, false);
}

/** The configuration of a part, in a line. */
function summaryOf(context: SetupContext, part: SetupPart): string {
  const { draft, words } = context;
  const section = (...path: string[]) => writtenIn(draft.file.get(path));
  const texts = {
    site: () => ['name', 'timeZone', 'currency'].map((key) => textOf(section('site'), key)),
    lanes: () => entriesOf(context, 'lanes').map((lane) => textOf(lane, 'id')),
    cameras: () => entriesOf(context, 'cameras').map((camera) => textOf(camera, 'id')),
    terminal: () => ['id', 'kind'].map((key) => textOf(section('terminal'), key)),
    drivers: () => ['helpPhone', 'payOnline'].map((key) => textOf(section('site', 'settings'), key)),
    network: () =>
      [textOf({ cameraHost: draft.file.get(['cameraHost']) }, 'cameraHost')].concat(
        textOf(section('onSite', 'network'), 'host'),
      ),
  }[part]();
  return texts.filter((text) => text !== null).join(', ') || words.none;
}

/** Shows the remaining mistakes, writes with consent, and shows what to do next. */
async function finish(
  { interview, words, draft }: SetupContext,
  { json, shell }: { json: boolean; shell: Shell },
): Promise<ExitCode> {
  const { say } = interview;
  say('');
  const text = draft.file.text();
  const read = readYaml(text, EdgeFileSchema);
  const mistakes = [...(read.ok ? [] : read.mistakes), ...placeholdersIn(text)];
  if (draft.hasChanged()) {
    if (mistakes.length > 0) say(words.mistakes);
    for (const mistake of mistakes) say(`  ${mistake}`);
    const ask = mistakes.length > 0 ? words.writeAnyway : words.write({ path: draft.path });
    if (!(await interview.confirm(ask, mistakes.length === 0))) {
      say(words.notWritten);
      return EXIT.failed;
    }
    const written = draft.write(systemClock.now());
    if (!written.ok) {
      say(words.fileChanged({ path: draft.path }));
      return EXIT.failed;
    }
    if (written.backup !== null) say(words.wroteBackup({ path: written.backup }));
  } else {
    draft.forget();
    say(words.nothingChanged);
  }
  const code = await showConfig(json, shell);
  printNextSteps({ say, words, shell }, read.ok ? read.value : null);
  return code;
}

function printNextSteps(
  { say, words, shell }: { say: (line: string) => void; words: SetupWords; shell: Shell },
  file: z.output<typeof EdgeFileSchema> | null,
): void {
  const { environment } = shell;
  const typed =
    environment['HLID_TYPED'] === undefined ? 'npm run -s edge --' : `sudo ${environment['HLID_TYPED']}`;
  const dataDir = dataDirOf(environment);
  const isRunning = readTechnicianKey(dataDir) !== null;
  const [camera] = file?.cameras ?? [];
  say('');
  say(words.next);
  const steps = [
    ...(readEnrolled(dataDir) === null && !file?.cloud ? [words.nextEnrol({ typed })] : []),
    ...(file?.terminal && !isRunning ? [words.nextTerminal({ typed })] : []),
    isRunning ? words.nextRestart({ unit: 'hlid-edge' }) : words.nextStart({ unit: 'hlid-edge' }),
    words.nextStatus({ typed }),
    ...(camera ? [words.nextCamera({ typed, camera: camera.id })] : []),
  ];
  for (const step of steps) say(`  ${step}`);
}
