import type { Clock } from '../clock.ts';

const PATIENCE_MS = 5000;

/**
 * How far ahead of this clock the cloud's is, in milliseconds, to the second: by the date of an answer, whatever it
 * answers. Null: it did not answer in time.
 */
export async function askCloudTime(httpUrl: string, clock: Clock): Promise<number | null> {
  const asked = clock.now().getTime();
  try {
    const answer = await fetch(`${httpUrl.replace(/\/+$/, '')}/ping`, {
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'manual',
    });
    await answer.body?.cancel();
    const told = Date.parse(answer.headers.get('date') ?? '');
    // It tells whole seconds, cut off.
    return Number.isNaN(told) ? null : told + 500 - (asked + clock.now().getTime()) / 2;
  } catch {
    return null;
  }
}
