import { resolve } from 'node:path';
import { messageOf } from '@hlid/protocol/fault';
import { z } from 'zod';
import type { LaneView } from '../local-api/lane-board.ts';
import { readTechnicianKey, type TechnicianKey } from '../local-api/technician-key.ts';
import type { Command } from './command.ts';
import type { ExitCode, Terminal } from './terminal-streams.ts';

/** Longer than any gate takes to answer. */
const PATIENCE_MS = 35_000;

const OutcomeSchema = z.enum(['done', 'refused', 'unreachable', 'unknown']);
const MovedSchema = z.object({ lanes: z.array(z.object({ laneId: z.string(), outcome: OutcomeSchema })) });
const RefusedSchema = z.object({ messages: z.array(z.string()) });

const OUTCOME_WORDS: Record<z.infer<typeof OutcomeSchema>, string> = {
  done: 'done',
  refused: 'refused: the gate said no, or cannot do that',
  unreachable: 'unreachable: nothing was done',
  unknown: 'no answer: it may have moved',
};

/** Shows how the gates of the running daemon stand. */
export async function gateList(
  { json }: Extract<Command, { kind: 'gate-list' }>,
  terminal: Terminal,
): Promise<ExitCode> {
  const key = keyOf(terminal);
  if (!key) return 1;
  const answer = await ask(key, terminal, '/api/lanes');
  if (!answer) return 1;
  const { lanes } = answer as { lanes: LaneView[] };
  const gates = lanes.map(({ id, name, direction, gate }) => ({ laneId: id, name, direction, ...gate }));
  if (json) {
    terminal.print(JSON.stringify({ gates }));
    return 0;
  }
  const widest = (texts: readonly string[]) => Math.max(...texts.map(({ length }) => length));
  const ids = widest(gates.map(({ laneId }) => laneId));
  const states = widest(gates.map(({ state }) => state));
  for (const { laneId, direction, state, order, lastError } of gates) {
    const notes = [
      order &&
        `by ${order.by} since ${order.since}${order.lapsesAt ? ` until ${order.lapsesAt}` : ''}: ${order.why}`,
      order && !order.told && 'its device does not know yet',
      lastError,
    ].filter(Boolean);
    const line = [laneId.padEnd(ids), direction.padEnd(5), state.padEnd(states), notes.join('; ')];
    terminal.print(line.join('  ').trimEnd());
  }
  return 0;
}

/** Has the running daemon move a gate, or all. Fails where one did not do it. */
export async function gateMove(
  { action, laneId, why, json }: Extract<Command, { kind: 'gate-move' }>,
  terminal: Terminal,
): Promise<ExitCode> {
  const key = keyOf(terminal);
  if (!key) return 1;
  const answer = await ask(key, terminal, '/api/gates', { action, laneId, why });
  if (!answer) return 1;
  const { lanes } = MovedSchema.parse(answer);
  if (json) terminal.print(JSON.stringify({ lanes }));
  else for (const lane of lanes) terminal.print(`${lane.laneId}: ${OUTCOME_WORDS[lane.outcome]}`);
  return lanes.every(({ outcome }) => outcome === 'done') ? 0 : 1;
}

function keyOf({ environment, complain }: Terminal): TechnicianKey | null {
  const dataDir = resolve(environment['HLID_DATA_DIR'] || './data');
  const key = readTechnicianKey(dataDir);
  if (!key)
    complain(`No daemon runs on ${dataDir}, or it is another user’s. (HLID_DATA_DIR names the folder.)`);
  return key;
}

async function ask(
  { url, secret }: TechnicianKey,
  terminal: Terminal,
  path: string,
  body?: object,
): Promise<unknown> {
  let answer: unknown;
  try {
    const response = await fetch(new URL(path, url), {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    answer = await response.json();
    if (response.ok) return answer;
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    terminal.complain(`The daemon at ${url} does not answer: ${messageOf(cause)}`);
    return null;
  }
  for (const message of RefusedSchema.parse(answer).messages) terminal.complain(message);
  return null;
}
