import { TypedTextSchema } from '@hlid/protocol/card-number';
import { CommandActionSchema } from '@hlid/protocol/commands';
import { z } from 'zod';
import type { GateCommands } from '../commands/gate-commands.ts';
import type { CallAnswer } from './technician-call.ts';

/** What a technician wants of a gate: the body of `POST /api/gates`. */
export const GateCallSchema = z.strictObject({
  action: CommandActionSchema,
  /** Null: every lane. */
  laneId: z.string().min(1).nullable(),
  why: TypedTextSchema.trim().min(1).max(500),
});

/** Moves gates for the technician's tools. */
export async function callGates(
  commands: Pick<GateCommands, 'move'>,
  call: z.infer<typeof GateCallSchema>,
): Promise<CallAnswer> {
  const lanes = await commands.move({ ...call, by: 'technician' });
  if (lanes === null) return { status: 404, message: `There is no lane ${call.laneId}.` };
  return { status: 200, body: { lanes } };
}
