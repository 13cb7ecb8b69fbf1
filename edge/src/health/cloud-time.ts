import type { Clock } from '@hlid/node/clock';
import { getAnswer } from '../cloud-link/get-answer.ts';

const PATIENCE_MS = 5000;

/**
 * How far ahead of this clock the cloud's is, in milliseconds, to the second: by the date of an answer, whatever it
 * answers. Null: it did not answer in time.
 */
export async function askCloudTime(httpUrl: string, clock: Clock): Promise<number | null> {
  const asked = clock.now().getTime();
  try {
    const { headers, body } = await getAnswer(`${httpUrl}/ping`, {}, AbortSignal.timeout(PATIENCE_MS));
    body.destroy();
    const told = Date.parse(headers.date ?? '');
    // It tells whole seconds, cut off.
    return Number.isNaN(told) ? null : told + 500 - (asked + clock.now().getTime()) / 2;
  } catch {
    return null;
  }
}
