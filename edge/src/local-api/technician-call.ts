import type { IncomingMessage, ServerResponse } from 'node:http';
import { mistakeLines } from '@hlid/protocol/words/mistake-words';
import type { z } from 'zod';
import { readJson } from './read-json.ts';
import { sendJson } from './send-json.ts';
import { showsSecret } from './technician-key.ts';

/** What a call comes to: a body to answer with, or why not. */
export type CallAnswer = { status: 200; body: object } | { status: 404; message: string };

/**
 * A call of the technician's tools on this machine, which changes something. The secret is not known to a page in a
 * browser, wherever that comes from: nobody's click moves a gate.
 */
export function createTechnicianCall<Schema extends z.ZodType>(
  schema: Schema,
  carryOut: (call: z.output<Schema>) => Promise<CallAnswer>,
  { secret }: { secret: string },
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (request, response) => {
    const refuse = (status: number, message: string) => sendJson(response, status, { messages: [message] });
    if (!showsSecret(request.headers.authorization, secret)) {
      return refuse(401, 'This is for the technician’s tools on this machine.');
    }
    const body = await readJson(request);
    const call = schema.safeParse(body);
    if (!call.success) return refuse(400, mistakeLines(schema, body, call.error).join('; '));
    const answer = await carryOut(call.data);
    if (answer.status === 404) return refuse(404, answer.message);
    sendJson(response, 200, answer.body);
  };
}
