import type { EraseItem } from '@hlid/protocol/site-change';
import type { SiteDb } from '../db/site-db.ts';
import type { RowWindow } from './row-windows.ts';
import { erasedKey, withoutPlate } from './without-plate.ts';

/** Which rows: those of a window that contain the plate and are from before that moment. */
export type PlateRows = RowWindow & EraseItem & { acknowledged: number };

/** A table that contains plates. */
export interface PlateTable {
  table: 'event' | 'read' | 'passage' | 'visit';
  contains(rows: PlateRows): boolean;
  /** The reads among them: their pictures go first. */
  readIds?(rows: PlateRows): string[];
  /**
   * Removes the plate, within the running transaction.
   *
   * @returns from how many rows it was removed, and whether some must keep it for now
   */
  erase(rows: PlateRows): { rows: number; left: boolean };
}

export function plateTables(db: SiteDb): PlateTable[] {
  return [events(db), reads(db), passages(db), visits(db)];
}

/** A cloud that was restored receives old events again: from now on without the plate. */
function events(db: SiteDb): PlateTable {
  const named = db.prepare<[PlateRows], { seq: number; body: string }>(
    `SELECT seq, body FROM event
     WHERE seq > @after AND seq <= @upTo AND at < @before
       AND instr(upper(replace(replace(body, ' ', ''), '-', '')), @plate) > 0`,
  );
  const rewrite = db.prepare('UPDATE event SET body = ? WHERE seq = ?');
  const markErased = db.prepare('INSERT INTO erased_event (seq) VALUES (?) ON CONFLICT DO NOTHING');
  /** Leaves out rows in which other text only matches it, such as an id. */
  function withoutIt(rows: PlateRows): { seq: number; body: string }[] {
    return named.all(rows).flatMap(({ seq, body }) => {
      const without = withoutPlate(JSON.parse(body), rows.plate);
      return without === null ? [] : [{ seq, body: JSON.stringify(without) }];
    });
  }
  return {
    table: 'event',
    contains: (rows) => withoutIt(rows).length > 0,
    erase(rows) {
      const without = withoutIt(rows);
      // An event that may be on its way to the cloud stays as it is until the cloud has it.
      const reported = without.filter(({ seq }) => seq <= rows.acknowledged);
      for (const { seq, body } of reported) {
        rewrite.run(body, seq);
        markErased.run(seq);
      }
      return { rows: reported.length, left: reported.length < without.length };
    },
  };
}

function reads(db: SiteDb): PlateTable {
  const named = db.prepare<[PlateRows], { row: number; id: string }>(
    `SELECT rowid AS row, id FROM read
     WHERE rowid > @after AND rowid <= @upTo AND received_at < @before AND plate = @plate`,
  );
  const blank = db.prepare('UPDATE read SET plate = NULL, score = 0, event_key = ? WHERE rowid = ?');
  return {
    table: 'read',
    contains: (rows) => named.get(rows) !== undefined,
    readIds: (rows) => named.all(rows).map(({ id }) => id),
    erase(rows) {
      const erased = named.all(rows);
      for (const { row, id } of erased) blank.run(erasedKey(id), row);
      return { rows: erased.length, left: false };
    },
  };
}

function passages(db: SiteDb): PlateTable {
  // A misreading of another car's plate may spell it, too.
  const named = `rowid > @after AND rowid <= @upTo AND last_seen_at < @before
    AND (plate = @plate OR instr(votes, '"' || @plate || '"') > 0)`;
  const find = db.prepare<[PlateRows]>(`SELECT 1 FROM passage WHERE ${named} LIMIT 1`);
  const blank = db.prepare<[PlateRows]>(
    `UPDATE passage SET plate = nullif(plate, @plate), score = iif(plate = @plate, 0, score), votes = '[]', keys = '[]'
     WHERE ${named}`,
  );
  return {
    table: 'passage',
    contains: (rows) => find.get(rows) !== undefined,
    erase: (rows) => ({ rows: blank.run(rows).changes, left: false }),
  };
}

/** A stay that is not over and settled still needs its plate. */
function visits(db: SiteDb): PlateTable {
  const named = `rowid > @after AND rowid <= @upTo AND plate = @plate
    AND json_extract(body, '$.startedAt') < @before`;
  const find = db.prepare<[PlateRows]>(`SELECT 1 FROM visit WHERE ${named} LIMIT 1`);
  const blank = db.prepare<[PlateRows]>(
    `UPDATE visit SET plate = NULL, plate_key = NULL, body = json_set(body, '$.plate', NULL)
     WHERE ${named} AND ended_at IS NOT NULL AND reported_seq <= @acknowledged
       AND json_extract(body, '$.status') = 'completed'`,
  );
  return {
    table: 'visit',
    contains: (rows) => find.get(rows) !== undefined,
    erase(rows) {
      const { changes } = blank.run(rows);
      return { rows: changes, left: find.get(rows) !== undefined };
    },
  };
}
