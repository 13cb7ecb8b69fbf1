import type { EraseItem } from '@hlid/protocol/site-change';
import type { GroupCommit } from '../db/group-commit.ts';
import type { SiteDb } from '../db/site-db.ts';
import { plateBooks } from './plate-books.ts';
import { rowWindows } from './row-windows.ts';

/** Plates that the cloud has asked the site to forget. */
export interface PlateEraser {
  /** Notes that a plate is to go, within the running transaction. */
  note(id: string, item: EraseItem): void;
  /** Goes on with what is noted, as far as it can be done now, in steps that hold no gate up. */
  work(signal: AbortSignal): Promise<ErasedPlates>;
}

export interface ErasedPlates {
  /** That no longer name a plate. */
  rows: number;
  /** Plates of which something is still needed: a stay that is not over, an event that the cloud has not got. */
  waiting: number;
}

export function createPlateEraser(parts: {
  db: SiteDb;
  commit: GroupCommit;
  acknowledged: () => number;
  /** Removes the pictures of reads. Should the program end after it, the reads are found again. */
  forgetPictures: (readIds: readonly string[]) => Promise<unknown>;
  /** What is kept in memory of the database may still name the plate. */
  onErased: () => void;
}): PlateEraser {
  const { db, commit } = parts;
  const noted = db.prepare<[], EraseItem & { id: string }>('SELECT id, plate, before FROM erasure');
  const note = db.prepare('INSERT INTO erasure VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING');
  const done = db.prepare('DELETE FROM erasure WHERE id = ?');
  const books = plateBooks(db);

  return {
    note: (id, { plate, before }) => void note.run(id, plate, before),

    async work(signal) {
      const result: ErasedPlates = { rows: 0, waiting: 0 };
      for (const { id, plate, before } of noted.all()) {
        let left = false;
        for (const book of books) {
          for await (const window of rowWindows(db, book.table)) {
            if (signal.aborted) return result;
            const inWindow = () => ({ ...window, plate, before, acknowledged: parts.acknowledged() });
            if (!book.names(inWindow())) continue;
            if (book.readIds) await parts.forgetPictures(book.readIds(inWindow()));
            const erased = await commit.run(() => book.erase(inWindow()));
            if (erased.rows > 0) parts.onErased();
            result.rows += erased.rows;
            left ||= erased.left;
          }
        }
        if (left) result.waiting++;
        else await commit.run(() => done.run(id));
      }
      return result;
    },
  };
}
