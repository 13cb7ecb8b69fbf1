import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { noteTraining } from './note-training.ts';

/** The mark of the program and its pages, on each of its answers. */
const VERSION_HEADER = 'hlid-version';
const CHECK_EVERY_MS = 5000;
/** Two programs of different versions may answer in turns while one after the other is upgraded. */
const MIN_BETWEEN_RELOADS_MS = 10 * MINUTE_MS;
const RELOADED_AT = 'hlid.reloaded';

let first: string | null = null;
let latest: string | null = null;

/** Notes what each answer shows of its program: the version, and whether the car park is simulated. */
export function noteAnswer({ headers }: Pick<Response, 'headers'>): void {
  noteTraining(headers);
  const version = headers.get(VERSION_HEADER);
  if (version === null) return;
  first ??= version;
  latest = version;
}

/**
 * Loads the page again after its program was upgraded, when it is not in use. A page that is in use goes on
 * as it is.
 *
 * @returns how to stop that
 */
export function keepPageFresh(isUnused: () => boolean): () => void {
  const timer = setInterval(() => {
    if (latest === first || !isUnused() || !mayReload()) return;
    location.reload();
  }, CHECK_EVERY_MS);
  return () => clearInterval(timer);
}

function mayReload(): boolean {
  try {
    const since = Date.now() - Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
    // A clock may have been set back.
    if (since >= 0 && since < MIN_BETWEEN_RELOADS_MS) return false;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    return true;
  } catch {
    // Without storage nothing would stop a page that reloads again and again.
    return false;
  }
}
