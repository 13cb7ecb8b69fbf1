import { isAlarm } from '@hlid/protocol/device';
import { DEVICE_STATE_WORDS } from '@hlid/protocol/words/device-words';
import { z } from 'zod';
import type { DeviceView } from '../health/health-book.ts';
import type { LaneView } from '../local-api/lane-board.ts';
import { askDaemon, findDaemon } from './ask-daemon.ts';
import type { Command } from './command.ts';
import type { ExitCode, Terminal } from './terminal-streams.ts';

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
  terminal: Terminal,
): Promise<ExitCode> {
  const daemon = findDaemon(terminal);
  if (!daemon) return 1;
  const answer = await askDaemon(daemon, terminal, '/api/lanes');
  if (!answer) return 1;
  const { lanes } = answer as { lanes: LaneView[] };
  const health = await askDaemon(daemon, terminal, '/api/devices');
  const devices = (health as { devices: DeviceView[] } | null)?.devices ?? [];
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
    terminal.print(JSON.stringify({ gates }));
    return 0;
  }
  const widest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));
  const ids = widest(gates.map(({ laneId }) => laneId));
  const states = widest(gates.map(({ state }) => state));
  for (const { laneId, direction, state, order, trouble, lastError } of gates) {
    const notes = [
      order &&
        `by ${order.by} since ${order.since}${order.lapsesAt ? ` until ${order.lapsesAt}` : ''}: ${order.why}`,
      order && !order.told && 'its device does not know yet',
      trouble ?? lastError,
    ].filter(Boolean);
    const line = [laneId.padEnd(ids), direction.padEnd(5), state.padEnd(states), notes.join('; ')];
    terminal.print(line.join('  ').trimEnd());
  }
  return 0;
}

/** What is wrong with it, for a technician; null: nothing, as far as is known. */
function troubleOf(device: DeviceView | undefined): string | null {
  if (!device || !isAlarm(device.state)) return null;
  const words = DEVICE_STATE_WORDS.en[device.state];
  return device.detail === '' ? words : `${words} (${device.detail})`;
}

/** Has the running daemon move a gate, or all. Fails where one did not do it. */
export async function gateMove(
  { action, laneId, why, json }: Extract<Command, { kind: 'gate-move' }>,
  terminal: Terminal,
): Promise<ExitCode> {
  const daemon = findDaemon(terminal);
  if (!daemon) return 1;
  const answer = await askDaemon(daemon, terminal, '/api/gates', { body: { action, laneId, why } });
  if (!answer) return 1;
  const { lanes } = MovedSchema.parse(answer);
  if (json) terminal.print(JSON.stringify({ lanes }));
  else for (const lane of lanes) terminal.print(`${lane.laneId}: ${OUTCOME_WORDS[lane.outcome]}`);
  return lanes.every(({ outcome }) => outcome === 'done') ? 0 : 1;
}
