import { defineCommand, EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { DeviceKindSchema, isAlarm } from '@hlid/protocol/device';
import { DEVICE_KIND_WORDS, DEVICE_STATE_WORDS } from '@hlid/protocol/words/device-words';
import { z } from 'zod';
import { deviceReference } from '../health/device-ref.ts';
import { askDaemon, DAEMON_WORDS, findDaemon } from './ask-daemon.ts';
import { deviceName, deviceWords } from './device-words.ts';
import type { Shell } from './shell.ts';
import { type ToldDevice, toldDevices } from './told-device.ts';

/** As far as it is shown; the daemon may be of another version than this tool. */
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

const STATUS_WORDS = {
  ok: 'all is well',
  attention: 'it works, and something wants looking at',
  failing: 'it does not do its work',
} as const;

const NOT_THERE =
  'Start it: npm run edge (or the service that runs it), and look at its log if it ends again.';

export const status = defineCommand({
  name: 'status',
  summary: 'Show what works, what does not, and what to do about it',
  about: `${DAEMON_WORDS} Exit codes: 0 all is well; 1 something wants attention, is failing, or no daemon runs.`,
  examples: ['status', 'status --json'],
  run: ({ json }, shell: Shell) => showStatus(json, shell),
});

async function showStatus(json: boolean, shell: Shell): Promise<ExitCode> {
  const daemon = findDaemon(shell);
  // What is failing says so with 503.
  const answer = daemon && (await askDaemon(daemon, shell, '/health', { accepts: [503] }));
  if (answer === null) {
    if (json) shell.print(JSON.stringify({ status: 'not-running' }));
    else shell.complain(NOT_THERE);
    return EXIT.failed;
  }
  const health = HealthSchema.parse(answer);
  if (json) shell.print(JSON.stringify(answer));
  else for (const line of inWords(health)) shell.print(line);
  return health.status === 'ok' ? EXIT.done : EXIT.failed;
}

function inWords(health: Health): string[] {
  const { site, software, startedAt, faults } = health;
  const devices = toldDevices(health.devices);
  const alarms = devices.filter(({ state }) => isAlarm(state));
  const concerns = otherConcerns(health, alarms);
  const troubled = new Set(health.concerns.map(({ device }) => device));
  const quiet = devices.filter((device) => !isAlarm(device.state) && !troubled.has(deviceReference(device)));
  return [
    `${site.name}: ${STATUS_WORDS[health.status]}.`,
    `The daemon (${software}) has been running since ${startedAt}.`,
    ...block('Broken', faults),
    ...block('To look at', [...alarms.flatMap(deviceWords), ...concerns]),
    ...block(
      'Works',
      quiet.filter(({ state }) => state === 'ok').map((device) => stateWords(device, health)),
    ),
    ...block('Nothing known yet', quiet.filter(({ state }) => state === 'unknown').map(deviceName)),
  ];
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

/** What is no state of a device, such as a gate that somebody holds open. */
function otherConcerns({ concerns }: Health, alarms: readonly ToldDevice[]): string[] {
  const told = new Set(alarms.map(deviceReference));
  return concerns
    .filter(({ device }) => !told.has(device))
    .map(({ device, problem }) => `${spelled(device)}: ${problem}`);
}

/** A concern's device as the others are written; what this tool does not know, as it came. */
function spelled(device: string): string {
  const [kind = '', id] = device.split(':');
  const known = DeviceKindSchema.safeParse(kind).data;
  return [known ? DEVICE_KIND_WORDS.en[known] : kind, id].filter(Boolean).join(' ');
}

function stateWords(device: ToldDevice, { lanes }: Health): string {
  const { kind, id, state, detail } = device;
  const stands = kind === 'gate' ? lanes.find((lane) => lane.id === id)?.gate.state : undefined;
  const gate = stands === 'unknown' ? 'how it stands is not known' : stands;
  return `${deviceName(device)}: ${[DEVICE_STATE_WORDS.en[state], gate, detail].filter(Boolean).join(', ')}`;
}
