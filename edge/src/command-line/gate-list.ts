import { defineCommand, EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { isAlarm } from '@hlid/protocol/records/device';
import { GateReasonSchema } from '@hlid/protocol/records/gate-reason';
import { CODE_WORDS } from '@hlid/protocol/words/codes/code-words';
import { gateReasonText } from '@hlid/protocol/words/codes/gate-reason-text';
import { z } from 'zod';
import { callDaemon, DAEMON_WORDS } from './call-daemon.ts';
import { type ReportedDevice, readDevices } from './reported-device.ts';
import type { Shell } from './shell.ts';

/** The fields that are shown: the daemon may have another version than this tool. */
const LanesSchema = z.looseObject({
  lanes: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      direction: z.string(),
      gate: z.looseObject({
        state: z.string(),
        lastError: z.string().nullable(),
        hold: z
          .looseObject({
            since: z.string(),
            by: z.string(),
            name: z.string().nullable(),
            reasonCode: GateReasonSchema.nullable(),
            reason: z.string(),
            lapsesAt: z.string().nullable(),
            confirmed: z.boolean(),
          })
          .nullable(),
      }),
    }),
  ),
});
const DevicesSchema = z.looseObject({ devices: z.array(z.unknown()) });

export const gateList = defineCommand({
  name: 'gate list',
  summary: 'Show the state of the gates, and which are held open or kept closed by hand',
  about: DAEMON_WORDS,
  examples: ['gate list'],
  run: ({ json }, shell: Shell) => listGates(json, shell),
});

async function listGates(json: boolean, shell: Shell): Promise<ExitCode> {
  const answer = await callDaemon(shell, '/api/lanes');
  if (!answer) return EXIT.failed;
  const { lanes } = LanesSchema.parse(answer);
  const health = await callDaemon(shell, '/api/devices');
  const devices = health === null ? [] : readDevices(DevicesSchema.parse(health).devices);
  const gates = lanes.map(({ id, name, direction, gate }) => {
    const device = devices.find((one) => one.kind === 'gate' && one.id === id);
    return {
      laneId: id,
      name,
      direction,
      ...gate,
      health: device?.state ?? 'unknown',
      trouble: troubleOf(device),
    };
  });
  if (json) {
    shell.print(JSON.stringify({ gates }));
    return EXIT.done;
  }
  const widest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));
  const ids = widest(gates.map(({ laneId }) => laneId));
  const names = widest(gates.map(({ name }) => name));
  const states = widest(gates.map(({ state }) => state));
  for (const { laneId, name, direction, state, hold, trouble, lastError } of gates) {
    const notes = [
      hold &&
        `by ${hold.name ?? hold.by} since ${hold.since}${hold.lapsesAt ? ` until ${hold.lapsesAt}` : ''}: ${gateReasonText({ ...hold, note: hold.reason }, CODE_WORDS.en)}`,
      hold && !hold.confirmed && 'its device has not confirmed it yet',
      trouble ?? lastError,
    ].filter(Boolean);
    const columns = [laneId.padEnd(ids), name.padEnd(names), direction.padEnd(5), state.padEnd(states)];
    shell.print([...columns, notes.join('; ')].join('  ').trimEnd());
  }
  return EXIT.done;
}

/** The fault of a gate, for a technician; null: none is known. */
function troubleOf(device: ReportedDevice | undefined): string | null {
  if (!device || !isAlarm(device.state)) return null;
  const words = CODE_WORDS.en.deviceState[device.state];
  return device.detail === '' ? words : `${words} (${device.detail})`;
}
