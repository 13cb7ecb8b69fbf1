import { dataDirOf } from '@hlid/node/configuration';
import { fetchErrorCause } from '@hlid/node/errors';
import { messageOf } from '@hlid/protocol/base/fault';
import { z } from 'zod';
import { readTechnicianKey, type TechnicianKey } from '../local-api/technician-key.ts';
import type { Shell } from './shell.ts';

/** The part of the help that each command which calls the daemon has. */
export const DAEMON_WORDS = 'Calls the daemon that runs on the data folder.';

/** Longer than any gate takes to answer. */
const TIMEOUT_MS = 35_000;

const RefusalSchema = z.object({ messages: z.array(z.string()) });

/** The daemon that runs on the data folder; null, with a complaint, where there is none. */
export function findDaemon({ environment, complain }: Shell): TechnicianKey | null {
  const dataDir = dataDirOf(environment);
  const key = readTechnicianKey(dataDir);
  if (!key) {
    complain(`No daemon runs on ${dataDir}, or another user runs it. (HLID_DATA_DIR sets the folder.)`);
  }
  return key;
}

/**
 * Calls the running daemon. Null, with a complaint, where none runs, it does not answer, or it refuses.
 *
 * @param accepts statuses that are answers too, beside those of success
 */
export async function callDaemon(
  shell: Shell,
  path: string,
  { body, accepts = [] }: { body?: object; accepts?: readonly number[] } = {},
): Promise<unknown> {
  const daemon = findDaemon(shell);
  if (!daemon) return null;
  const { url, secret } = daemon;
  let answer: unknown;
  try {
    const response = await fetch(new URL(path, url), {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    answer = await response.json();
    if (response.ok || accepts.includes(response.status)) return answer;
  } catch (error) {
    shell.complain(`The daemon at ${url} does not answer: ${messageOf(fetchErrorCause(error))}`);
    return null;
  }
  for (const message of RefusalSchema.parse(answer).messages) shell.complain(message);
  return null;
}
