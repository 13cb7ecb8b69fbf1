import { resolve } from 'node:path';
import { messageOf } from '@hlid/protocol/fault';
import { z } from 'zod';
import { readTechnicianKey, type TechnicianKey } from '../local-api/technician-key.ts';
import type { Terminal } from './terminal-streams.ts';

/** Longer than any gate takes to answer. */
const PATIENCE_MS = 35_000;

const RefusedSchema = z.object({ messages: z.array(z.string()) });

/** The daemon that runs on the data folder; null, with a complaint, where there is none. */
export function findDaemon({ environment, complain }: Terminal): TechnicianKey | null {
  const dataDir = resolve(environment['HLID_DATA_DIR'] || './data');
  const key = readTechnicianKey(dataDir);
  if (!key) {
    complain(`No daemon runs on ${dataDir}, or it is another user’s. (HLID_DATA_DIR names the folder.)`);
  }
  return key;
}

/**
 * Asks the daemon; null, with a complaint, where it does not answer or refuses.
 *
 * @param accepts statuses that are answers too, beside those of success
 */
export async function askDaemon(
  { url, secret }: TechnicianKey,
  terminal: Terminal,
  path: string,
  { body, accepts = [] }: { body?: object; accepts?: readonly number[] } = {},
): Promise<unknown> {
  let answer: unknown;
  try {
    const response = await fetch(new URL(path, url), {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    answer = await response.json();
    if (response.ok || accepts.includes(response.status)) return answer;
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    terminal.complain(`The daemon at ${url} does not answer: ${messageOf(cause)}`);
    return null;
  }
  for (const message of RefusedSchema.parse(answer).messages) terminal.complain(message);
  return null;
}
