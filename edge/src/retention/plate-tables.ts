import type { EraseItem } from '@hlid/protocol/site-link/site-change';
import { type EventPack, type EventRow, packEvents, unpackEvents } from '../db/event-pack.ts';
import type { SiteDb } from '../db/site-db.ts';
import type { RowWindow } from './row-windows.ts';
import { erasedKey, withoutPlate } from './without-plate.ts';

/** The rows of a window that contain the plate and are from before that moment. */
export type PlateRows = RowWindow & EraseItem & { acknowledged: number };

/** A table that contains plates. */
export interface PlateTable {
  table: 'event' | 'event_pack' | 'read' | 'passage' | 'standing_plate' | 'visit';
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
  const markErased = eventMarker(db);
  return [
    packedEvents(db, markErased),
    events(db, markErased),
    reads(db),
    passages(db),
    standingPlates(db),
    visits(db),
  ];
}

type EventMarker = (seq: number) => void;

/** A cloud that was restored receives old events again: from now on without the plate. */
function eventMarker(db: SiteDb): EventMarker {
  const insert = db.prepare('INSERT INTO erased_event (seq) VALUES (?) ON CONFLICT DO NOTHING');
  return (seq) => void insert.run(seq);
}

function events(db: SiteDb, markErased: EventMarker): PlateTable {
  const named = db.prepare<[PlateRows], EventRow>(
    `SELECT seq, at, body FROM event
     WHERE seq > @after AND seq <= @upTo AND at < @before
       AND instr(upper(replace(replace(body, ' ', ''), '-', '')), @plate) > 0`,
  );
  const rewrite = db.prepare('UPDATE event SET body = ? WHERE seq = ?');
  return {
    table: 'event',
    contains: (rows) => eventsWithout(named.all(rows), rows.plate).length > 0,
    erase(rows) {
      const without = eventsWithout(named.all(rows), rows.plate);
      // An event that may be on its way to the cloud stays as it is until the cloud has it.
      const reported = without.filter(({ seq }) => seq <= rows.acknowledged);
      for (const { seq, body } of reported) {
        rewrite.run(body, seq);
        markErased(seq);
      }
      return { rows: reported.length, left: reported.length < without.length };
    },
  };
}

function packedEvents(db: SiteDb, markErased: EventMarker): PlateTable {
  const packs = db.prepare<[PlateRows], EventPack>(
    `SELECT first_seq AS firstSeq, last_seq AS lastSeq, body FROM event_pack
     WHERE last_seq > @after AND last_seq <= @upTo`,
  );
  const rewrite = db.prepare('UPDATE event_pack SET body = ? WHERE last_seq = ?');
  const named = (events: readonly EventRow[], { plate, before }: PlateRows) =>
    events.filter(
      ({ at, body }) => at < before && body.replaceAll(/[ -]/g, '').toUpperCase().includes(plate),
    );
  return {
    table: 'event_pack',
    contains: (rows) =>
      packs.all(rows).some((pack) => eventsWithout(named(unpackEvents(pack), rows), rows.plate).length > 0),
    erase(rows) {
      const result = { rows: 0, left: false };
      for (const pack of packs.all(rows)) {
        const events = unpackEvents(pack);
        const without = eventsWithout(named(events, rows), rows.plate);
        const reported = new Map(without.map(({ seq, body }) => [seq, body] as const));
        for (const seq of reported.keys()) if (seq > rows.acknowledged) reported.delete(seq);
        result.rows += reported.size;
        result.left ||= reported.size < without.length;
        if (reported.size === 0) continue;
        const erased = events.map((event) => ({ ...event, body: reported.get(event.seq) ?? event.body }));
        rewrite.run(packEvents(erased), pack.lastSeq);
        for (const seq of reported.keys()) markErased(seq);
      }
      return result;
    },
  };
}

/** Leaves out events in which other text only matches the plate, such as an id. */
function eventsWithout(events: readonly EventRow[], plate: string): { seq: number; body: string }[] {
  return events.flatMap(({ seq, body }) => {
    const without = withoutPlate(JSON.parse(body), plate);
    return without === null ? [] : [{ seq, body: JSON.stringify(without) }];
  });
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
    AND (plate = @plate OR instr(unpacked(votes), '"' || @plate || '"') > 0)`;
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

function standingPlates(db: SiteDb): PlateTable {
  const named = `rowid > @after AND rowid <= @upTo AND seen_at < @before AND instr(body, '"' || @plate || '"') > 0`;
  const find = db.prepare<[PlateRows]>(`SELECT 1 FROM standing_plate WHERE ${named} LIMIT 1`);
  const remove = db.prepare<[PlateRows]>(`DELETE FROM standing_plate WHERE ${named}`);
  return {
    table: 'standing_plate',
    contains: (rows) => find.get(rows) !== undefined,
    erase: (rows) => ({ rows: remove.run(rows).changes, left: false }),
  };
}

/** A stay that is not over and settled still needs its plate. */
function visits(db: SiteDb): PlateTable {
  const named = `rowid > @after AND rowid <= @upTo AND plate = @plate
    AND json_extract(unpacked(body), '$.startedAt') < @before`;
  const find = db.prepare<[PlateRows]>(`SELECT 1 FROM visit WHERE ${named} LIMIT 1`);
  const blank = db.prepare<[PlateRows]>(
    `UPDATE visit SET plate = NULL, plate_key = NULL, body = json_set(unpacked(body), '$.plate', NULL)
     WHERE ${named} AND ended_at IS NOT NULL AND reported_seq <= @acknowledged
       AND json_extract(unpacked(body), '$.status') = 'completed'`,
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
