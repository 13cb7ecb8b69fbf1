import { DeviceKindSchema, DeviceStateSchema, isAlarm } from '@hlid/protocol/device';
import { DEVICE_KIND_WORDS, DEVICE_STATE_WORDS, deviceAdvice } from '@hlid/protocol/words/device-words';
import { z } from 'zod';
import { askDaemon, findDaemon } from './ask-daemon.ts';
import type { Command } from './command.ts';
import type { ExitCode, Terminal } from './terminal-streams.ts';

/** As far as it is shown; the daemon may be of another version than this tool. */
const DeviceSchema = z.looseObject({
  kind: DeviceKindSchema,
  id: z.string(),
  state: DeviceStateSchema,
  since: z.string().nullish(),
  detail: z.string().default(''),
});
type Device = z.infer<typeof DeviceSchema>;

const HealthSchema = z.looseObject({
  status: z.enum(['ok', 'attention', 'failing']),
  software: z.string(),
  startedAt: z.string(),
  site: z.looseObject({ name: z.string() }),
  faults: z.array(z.string()),
  concerns: z.array(z.looseObject({ device: z.string(), problem: z.string() })),
  devices: z.array(z.unknown()).default([]),
  lanes: z.array(
    z.looseObject({ id: z.string(), name: z.string(), gate: z.looseObject({ state: z.string() }) }),
  ),
});
type Health = z.infer<typeof HealthSchema>;

/** The id of what there is only one of. */
const SITE_WIDE = 'site';

const EXIT_CODES = { ok: 0, attention: 1, failing: 2 } as const;
const STATUS_WORDS = {
  ok: 'all is well',
  attention: 'it works, and something wants looking at',
  failing: 'it does not do its work',
} as const;

const NOT_THERE =
  'Start it: npm run edge (or the service that runs it), and look at its log if it ends again.';

/** Says how the running daemon and its devices are, and what to do where they are not well. */
export async function status(
  { json }: Extract<Command, { kind: 'status' }>,
  terminal: Terminal,
): Promise<ExitCode> {
  const daemon = findDaemon(terminal);
  // What is failing says so with 503.
  const answer = daemon && (await askDaemon(daemon, terminal, '/health', { accepts: [503] }));
  if (answer === null) {
    if (json) terminal.print(JSON.stringify({ status: 'not-running' }));
    else terminal.complain(NOT_THERE);
    return 2;
  }
  const health = HealthSchema.parse(answer);
  if (json) terminal.print(JSON.stringify(answer));
  else for (const line of inWords(health)) terminal.print(line);
  return EXIT_CODES[health.status];
}

function inWords(health: Health): string[] {
  const { site, software, startedAt, faults } = health;
  const devices = health.devices.flatMap((device) => DeviceSchema.safeParse(device).data ?? []);
  const alarms = devices.filter(({ state }) => isAlarm(state));
  const concerns = otherConcerns(health, alarms);
  const troubled = new Set(health.concerns.map(({ device }) => device));
  const quiet = devices.filter((device) => !isAlarm(device.state) && !troubled.has(referenceOf(device)));
  return [
    `${site.name}: ${STATUS_WORDS[health.status]}.`,
    `The daemon (${software}) runs since ${startedAt}.`,
    ...block('Broken', faults),
    ...block('To look at', [...alarms.flatMap(alarmWords), ...concerns]),
    ...block(
      'Works',
      quiet.filter(({ state }) => state === 'ok').map((device) => stateWords(device, health)),
    ),
    ...block(
      'Nothing known yet',
      quiet.filter(({ state }) => state === 'unknown').map(({ kind, id }) => nameOf(kind, id)),
    ),
  ];
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

function alarmWords({ kind, id, state, since, detail }: Device): string[] {
  if (!isAlarm(state)) return [];
  const what = [DEVICE_STATE_WORDS.en[state], since && `since ${since}`].filter(Boolean).join(' ');
  return [
    `${nameOf(kind, id)}: ${what}${detail === '' ? '' : ` (${detail})`}`,
    `    ${deviceAdvice('en', kind, state)}`,
  ];
}

/** What is no state of a device, such as a gate that somebody holds open. */
function otherConcerns({ concerns }: Health, alarms: readonly Device[]): string[] {
  const told = new Set(alarms.map(referenceOf));
  return concerns
    .filter(({ device }) => !told.has(device))
    .map(({ device, problem }) => `${device.replace(':', ' ')}: ${problem}`);
}

/** As a concern names a device. */
function referenceOf({ kind, id }: Device): string {
  return id === SITE_WIDE ? kind : `${kind}:${id}`;
}

function stateWords({ kind, id, state, detail }: Device, { lanes }: Health): string {
  const gate = kind === 'gate' ? lanes.find((lane) => lane.id === id)?.gate.state : undefined;
  return `${nameOf(kind, id)}: ${[DEVICE_STATE_WORDS.en[state], gate, detail].filter(Boolean).join(', ')}`;
}

/** Of what there is only one, the id says nothing. */
function nameOf(kind: Device['kind'], id: string): string {
  const word = DEVICE_KIND_WORDS.en[kind];
  return id === SITE_WIDE ? word : `${word} ${id}`;
}
