import { defineCommand, EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { DeviceKindSchema, isAlarm } from '@hlid/protocol/records/device';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';
import { z } from 'zod';
import { deviceReference } from '../health/device-ref.ts';
import { callDaemon, DAEMON_WORDS } from './call-daemon.ts';
import { deviceLines, deviceName, type ReportedDevice, readDevices } from './reported-device.ts';
import type { Shell } from './shell.ts';

/** The fields that are shown: the daemon may have another version than this tool. */
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
  attention: 'it works, but something needs attention',
  failing: 'it does not work',
} as const;

const NOT_RUNNING =
  'Start it: systemctl start hlid-edge (in a clone: npm run edge). If it stops again, the log shows why.';

export const status = defineCommand({
  name: 'status',
  summary: 'Show what works, what does not, and what to do about it',
  about: `${DAEMON_WORDS} Exit codes: 0 all is well; 1 something needs attention, the daemon fails, or none runs.`,
  examples: ['status', 'status --json'],
  run: ({ json }, shell: Shell) => showStatus(json, shell),
});

async function showStatus(json: boolean, shell: Shell): Promise<ExitCode> {
  // 503: the daemon reports that it is failing.
  const answer = await callDaemon(shell, '/health', { accepts: [503] });
  if (answer === null) {
    if (json) shell.print(JSON.stringify({ status: 'not-running' }));
    else shell.complain(NOT_RUNNING);
    return EXIT.failed;
  }
  const health = HealthSchema.parse(answer);
  if (json) shell.print(JSON.stringify(answer));
  else for (const line of healthLines(health)) shell.print(line);
  return health.status === 'ok' ? EXIT.done : EXIT.failed;
}

function healthLines(health: Health): string[] {
  const { site, software, startedAt, faults } = health;
  const devices = readDevices(health.devices);
  const alarms = devices.filter(({ state }) => isAlarm(state));
  const concerns = otherConcerns(health, alarms);
  const troubled = new Set(health.concerns.map(({ device }) => device));
  const quiet = devices.filter((device) => !isAlarm(device.state) && !troubled.has(deviceReference(device)));
  return [
    `${site.name}: ${STATUS_WORDS[health.status]}.`,
    `The daemon (${software}) has been running since ${startedAt}.`,
    ...block('Broken', faults),
    ...block('Needs attention', [...alarms.flatMap(deviceLines), ...concerns]),
    ...block(
      'Works',
      quiet.filter(({ state }) => state === 'ok').map((device) => stateLine(device, health)),
    ),
    ...block('Not known yet', quiet.filter(({ state }) => state === 'unknown').map(deviceName)),
  ];
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)];
}

/** Concerns that are not states of devices, such as a gate that is held open. */
function otherConcerns({ concerns }: Health, alarms: readonly ReportedDevice[]): string[] {
  const shown = new Set(alarms.map(deviceReference));
  return concerns
    .filter(({ device }) => !shown.has(device))
    .map(({ device, problem }) => `${concernName(device)}: ${problem}`);
}

/** Written like the name of a device; unchanged where this tool does not know it. */
function concernName(device: string): string {
  const [kind = '', id] = device.split(':');
  const known = DeviceKindSchema.safeParse(kind).data;
  return [known ? CODE_WORDS.en.deviceKind[known] : kind, id].filter(Boolean).join(' ');
}

function stateLine(device: ReportedDevice, { lanes }: Health): string {
  const { kind, id, state, detail } = device;
  const gateState = kind === 'gate' ? lanes.find((lane) => lane.id === id)?.gate.state : undefined;
  const gate = gateState === 'unknown' ? 'position not known' : gateState;
  return `${deviceName(device)}: ${[CODE_WORDS.en.deviceState[state], gate, detail].filter(Boolean).join(', ')}`;
}
