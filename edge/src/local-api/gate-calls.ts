import type { IncomingMessage, ServerResponse } from 'node:http';
import { CommandActionSchema } from '@hlid/protocol/commands';
import { z } from 'zod';
import type { CommandDesk } from '../commands/command-desk.ts';
import { showsSecret } from './technician-key.ts';

/** What a technician wants of a gate: the body of `POST /api/gates`. */
const GateCallSchema = z.strictObject({
  action: CommandActionSchema,
  /** Null: every lane. */
  laneId: z.string().min(1).nullable(),
  why: z.string().trim().min(1).max(500),
});

const MOST_BYTES = 4096;

type Answer = (response: ServerResponse, status: number, body: object) => void;

/** Lets the technician's tools on this machine move gates. */
export function createGateCalls(parts: {
  commands: Pick<CommandDesk, 'move'>;
  secret: string;
  answer: Answer;
}): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { commands, secret, answer } = parts;
  return async (request, response) => {
    const refuse = (status: number, ...messages: string[]) => answer(response, status, { messages });
    // Not known to a page in a browser, wherever it comes from: nobody's click moves a gate.
    if (!showsSecret(request.headers.authorization, secret)) {
      return refuse(401, 'This is for the technician’s tools on this machine.');
    }
    const body = await readBody(request);
    const call = GateCallSchema.safeParse(body);
    if (!call.success) return refuse(400, z.prettifyError(call.error));
    const lanes = await commands.move({ ...call.data, by: 'technician' });
    if (lanes === null) return refuse(404, `There is no lane ${call.data.laneId}.`);
    answer(response, 200, { lanes });
  };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = '';
  for await (const piece of request) {
    text += String(piece);
    if (text.length > MOST_BYTES) return undefined;
  }
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
