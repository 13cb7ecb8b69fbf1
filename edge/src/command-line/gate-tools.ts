import { isAlarm } from '@hlid/protocol/device';
import { DEVICE_STATE_WORDS } from '@hlid/protocol/words/device-words';
import { z } from 'zod';
import { askDaemon, findDaemon } from './ask-daemon.ts';
import type { Command } from './command.ts';
import type { ExitCode, Shell } from './shell.ts';
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

const OutcomeSchema = z.enum(['done', 'refused', 'unreachable', 'unknown']);
const MovedSchema = z.object({ lanes: z.array(z.object({ laneId: z.string(), outcome: OutcomeSchema })) });

const OUTCOME_WORDS: Record<z.infer<typeof OutcomeSchema>, string> = {
  done: 'done',
  refused: 'refused: the gate said no; are user and password right, and can it do that?',
  unreachable: 'unreachable: nothing was done; status may say why',
  unknown: 'no answer: it may have moved',
};

/** Shows how the gates of the running daemon stand. */
export async function gateList(
  { json }: Extract<Command, { kind: 'gate-list' }>,
  shell: Shell,
): Promise<ExitCode> {
  const daemon = findDaemon(shell);
  if (!daemon) return 1;
  const answer = await askDaemon(daemon, shell, '/api/lanes');
  if (!answer) return 1;
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
    return 0;
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
  return 0;
}

/** What is wrong with it, for a technician; null: nothing, as far as is known. */
function troubleOf(device: ToldDevice | undefined): string | null {
  if (!device || !isAlarm(device.state)) return null;
  const words = DEVICE_STATE_WORDS.en[device.state];
  return device.detail === '' ? words : `${words} (${device.detail})`;
}

/** Has the running daemon move a gate, or all. Fails where one did not do it. */
export async function gateMove(
  { action, laneId, why, json }: Extract<Command, { kind: 'gate-move' }>,
  shell: Shell,
): Promise<ExitCode> {
  const daemon = findDaemon(shell);
  if (!daemon) return 1;
  const answer = await askDaemon(daemon, shell, '/api/gates', { body: { action, laneId, why } });
  if (!answer) return 1;
  const { lanes } = MovedSchema.parse(answer);
  if (json) shell.print(JSON.stringify({ lanes }));
  else for (const lane of lanes) shell.print(`${lane.laneId}: ${OUTCOME_WORDS[lane.outcome]}`);
  return lanes.every(({ outcome }) => outcome === 'done') ? 0 : 1;
}
