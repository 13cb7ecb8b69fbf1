import { defineCommand, EXIT, type ExitCode } from '@hlid/protocol/command-line/command';
import { isAlarm } from '@hlid/protocol/device';
import { DEVICE_STATE_WORDS } from '@hlid/protocol/words/device-words';
import { z } from 'zod';
import { askDaemon, DAEMON_WORDS, findDaemon } from './ask-daemon.ts';
import type { Shell } from './shell.ts';
import { type ToldDevice, toldDevices } from './told-device.ts';

/** As far as it is shown; the daemon may be of another version than this tool. */
const LanesSchema = z.looseObject({
  lanes: z.array(
    z.looseObject({
      id: z.string(),
      name: z.string(),
      direction: z.string(),
      gate: z.looseObject({
        state: z.string(),
        lastError: z.string().nullable(),
        order: z
          .looseObject({
            since: z.string(),
            by: z.string(),
            why: z.string(),
            lapsesAt: z.string().nullable(),
            told: z.boolean(),
          })
          .nullable(),
      }),
    }),
  ),
});
const DevicesSchema = z.looseObject({ devices: z.array(z.unknown()) });

export const gateList = defineCommand({
  name: 'gate list',
  summary: 'Show how the gates stand, and which of them somebody holds open or keeps closed',
  about: DAEMON_WORDS,
  examples: ['gate list'],
  run: ({ json }, shell: Shell) => listGates(json, shell),
});

async function listGates(json: boolean, shell: Shell): Promise<ExitCode> {
  const daemon = findDaemon(shell);
  if (!daemon) return EXIT.failed;
  const answer = await askDaemon(daemon, shell, '/api/lanes');
  if (!answer) return EXIT.failed;
  const { lanes } = LanesSchema.parse(answer);
  const health = await askDaemon(daemon, shell, '/api/devices');
  const devices = health === null ? [] : toldDevices(DevicesSchema.parse(health).devices);
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
  for (const { laneId, name, direction, state, order, trouble, lastError } of gates) {
    const notes = [
      order &&
        `by ${order.by} since ${order.since}${order.lapsesAt ? ` until ${order.lapsesAt}` : ''}: ${order.why}`,
      order && !order.told && 'its device does not know yet',
      trouble ?? lastError,
    ].filter(Boolean);
    const columns = [laneId.padEnd(ids), name.padEnd(names), direction.padEnd(5), state.padEnd(states)];
    shell.print([...columns, notes.join('; ')].join('  ').trimEnd());
  }
  return EXIT.done;
}

/** What is wrong with it, for a technician; null: nothing, as far as is known. */
function troubleOf(device: ToldDevice | undefined): string | null {
  if (!device || !isAlarm(device.state)) return null;
  const words = DEVICE_STATE_WORDS.en[device.state];
  return device.detail === '' ? words : `${words} (${device.detail})`;
}
