import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import type { PictureFiles } from './picture-files.ts';
import type { PictureStore } from './picture-store.ts';

/**
 * Removes what a crash has left: files without a row, and rows without a file. A day at a time, so that
 * nothing else waits for it.
 */
export async function mendPictures(
  parts: { store: PictureStore; files: PictureFiles; commit: GroupCommit; log: Logger },
  /** Files that are being written and have no row yet. */
  isUnfinished: (name: string) => boolean,
  signal: AbortSignal,
): Promise<void> {
  const { store, files, commit, log } = parts;
  for (const day of new Set([...(await files.days()), ...store.days()])) {
    if (signal.aborted) return;
    const names = new Set(await files.ofDay(day));
    const rows = store.ofDay(day);
    const known = new Set(rows.map(files.nameOf));
    const loose = [...names].filter((name) => !known.has(name) && !isUnfinished(name));
    const empty = rows.filter((row) => !names.has(files.nameOf(row)) && !isUnfinished(files.nameOf(row)));
    for (const name of loose) await files.removeNamed(day, name);
    if (empty.length > 0) await commit.runSoon(() => store.remove(empty.map(({ id }) => id)));
    if (loose.length + empty.length > 0) {
      log.warn({ event: LOG_EVENTS.picturesMended, day, files: loose.length, rows: empty.length });
    }
  }
}
